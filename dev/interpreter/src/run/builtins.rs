//! Functions that the CUDA driver provides to kernels.

use std::fmt::Write as _;

use super::access;
use super::shared::Shared;
use super::thread::Thread;
use crate::code::{Builtin, Passed, Source};
use crate::fault::{Fault, Result};
use crate::memory::{Allocation, space_of};
use crate::text::Space;

/// Alignment of what `malloc` returns.
const ALIGNMENT: u64 = 16;

/// Runs a function of the driver.
pub(super) fn call(
    thread: &mut Thread,
    shared: &mut Shared<'_>,
    builtin: Builtin,
    results: &[Passed],
    arguments: &[Passed],
) -> Result<()> {
    let values = arguments.iter().map(|argument| argument_of(thread, shared, argument));
    let values = values.collect::<Result<Vec<u64>>>()?;
    let result = match (builtin, &values[..]) {
        (Builtin::Print, [format, list]) => {
            let text = formatted(thread, shared, *format, *list)?;
            shared.printed.push_str(&text);
            0
        }
        (Builtin::FailAssertion, [message, file, line, function, _]) => {
            let [message, file, function] =
                [message, file, function].map(|address| text(thread, shared, *address));
            let (message, file, function) = (message?, file?, function?);
            let story = format!("{file}:{line}: {function}: the assertion {message} fails");
            return Err(Fault::new(story));
        }
        (Builtin::Allocate, [bytes]) => {
            let bytes = usize::try_from(*bytes).unwrap_or(usize::MAX);
            let allocation = Allocation { bytes: vec![0xA5; bytes], is_constant: false };
            shared.global.add(allocation, ALIGNMENT)
        }
        (Builtin::Free, [0]) => 0,
        (Builtin::Free, [address]) => {
            shared.global.remove(*address)?;
            0
        }
        _ => return Err(Fault::new(format!("{builtin:?} has other parameters"))),
    };
    match results {
        [Passed::Memory { offset, bytes }] => {
            let start = thread.frames.last().map_or(0, |frame| frame.parameters);
            access::store(thread, shared, (Space::Param, start + offset), *bytes, result)
        }
        [Passed::Value(Source::Register(register))] => {
            thread.set(Some(*register), result);
            Ok(())
        }
        _ => Ok(()),
    }
}

fn argument_of(thread: &Thread, shared: &Shared<'_>, argument: &Passed) -> Result<u64> {
    match argument {
        Passed::Memory { offset, bytes } => {
            let start = thread.frames.last().map_or(0, |frame| frame.parameters);
            access::load(thread, shared, (Space::Param, start + offset), (*bytes).min(8))
        }
        Passed::Value(source) => Ok(thread.value(*source, shared)),
    }
}

/// Reads a text that ends with a zero byte.
fn text(thread: &Thread, shared: &Shared<'_>, address: u64) -> Result<String> {
    let mut bytes = Vec::new();
    for offset in 0.. {
        let byte = access::load(thread, shared, space_of(address + offset), 1)?;
        match u8::try_from(byte) {
            Ok(0) | Err(_) => break,
            Ok(byte) => bytes.push(byte),
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Replaces the conversions of a format, whose arguments lie behind each other at `list`.
fn formatted(thread: &Thread, shared: &Shared<'_>, format: u64, list: u64) -> Result<String> {
    let format = text(thread, shared, format)?;
    let mut printed = String::new();
    let mut next = list;
    let mut rest = format.as_str();
    while let Some((before, after)) = rest.split_once('%') {
        printed.push_str(before);
        if let Some(after) = after.strip_prefix('%') {
            printed.push('%');
            rest = after;
            continue;
        }
        let end = after.find(|last: char| "diuxXscfgep".contains(last));
        let end = end.ok_or_else(|| Fault::new(format!("the format {format:?} has no end")))?;
        let (flags, kind) = (&after[..end], &after[end..=end]);
        rest = &after[end + 1..];
        let is_wide = flags.contains('l') || matches!(kind, "s" | "f" | "g" | "e" | "p");
        let size = if is_wide { 8 } else { 4 };
        next = next.next_multiple_of(size);
        let value = access::load(thread, shared, space_of(next), size)?;
        next += size;
        let of = crate::types::Type {
            kind: crate::types::Kind::Signed,
            bits: if is_wide { 64 } else { 32 },
        };
        let width: usize =
            flags.trim_matches('l').split('.').next().unwrap_or("").parse().unwrap_or(0);
        let digits = flags.split_once('.').and_then(|(_, digits)| digits.parse().ok());
        let shown = match kind {
            "d" | "i" => of.number(value).to_string(),
            "u" => value.to_string(),
            "x" => format!("{value:x}"),
            "X" => format!("{value:X}"),
            "p" => format!("{value:#x}"),
            "c" => char::from(u8::try_from(value & 0xFF).unwrap_or_default()).to_string(),
            "s" => text(thread, shared, value)?,
            "e" => format!("{:.*e}", digits.unwrap_or(6), f64::from_bits(value)),
            _ => format!("{:.*}", digits.unwrap_or(6), f64::from_bits(value)),
        };
        // Writing to a String cannot fail.
        let _ = write!(printed, "{shown:>width$}");
    }
    printed.push_str(rest);
    Ok(printed)
}
