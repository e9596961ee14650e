//! Limits for a build, with which a build server can reject a change.
//!
//! A limit is a name and a bound, such as `regs+5%` or `occupancy<16`;
//! [docs/report.md](../../../docs/report.md) lists all. The bound is what is allowed, so `stack+0`
//! lets no stack grow. It is on a difference for the worse (`+` or, for occupancy, `-`) or on the
//! value itself (`>` or `<`). A new kernel passes no limit on a difference.

use std::fmt;
use std::str::FromStr;

use crate::data::{BuildReport, KernelValues};
use crate::names::Form;
use crate::shown::{count, percent};
use crate::values::{Value, differences};

/// Thousandths of a percent in a whole.
const WHOLE: u128 = 100_000;

/// A limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The limit as the user wrote it.
    text: String,
    about: About,
    bound: Bound,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    /// Each kernel.
    Kernel(Value),
    /// All kernels together.
    Total(Value),
    /// The cubins of each architecture.
    Image,
    /// Calls that a kernel did not have.
    NewCalls,
    /// The judgment of the comparison.
    Worse,
}

/// The bound of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    /// A difference to before, for the worse.
    By(u64),
    /// The same in thousandths of a percent.
    ByPercent(u64),
    /// A value.
    Of(u64),
}

/// A limit that a build passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The limit, as the user wrote it.
    pub gate: String,
    /// The kernels or sizes that passed it and by how much, a line for each.
    pub lines: Vec<String>,
}

impl FromStr for Gate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let end = text.find(['+', '>', '<']).or_else(|| last_sign(text));
        let (name, limit) = text.split_at(end.unwrap_or(text.len()));
        let about = match name {
            "image" => About::Image,
            "new-calls" => About::NewCalls,
            "worse" => About::Worse,
            _ => match name.strip_prefix("total-") {
                Some(name) => About::Total(value(name)?),
                None => About::Kernel(value(name)?),
            },
        };
        let bound = bound(about, limit).map_err(|reason| format!("'{text}': {reason}"))?;
        Ok(Self { text: text.to_owned(), about, bound })
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// Returns the position of a minus that a number follows. Names have minuses, too.
fn last_sign(text: &str) -> Option<usize> {
    let at = text.rfind('-')?;
    text[at + 1..].starts_with(|letter: char| letter.is_ascii_digit()).then_some(at)
}

fn value(name: &str) -> Result<Value, String> {
    let known = Value::ALL.into_iter().find(|value| value.word() == name);
    known.ok_or_else(|| {
        let words: Vec<_> = Value::ALL.iter().map(|value| value.word()).collect();
        format!(
            "'{name}' is nothing that can be limited: that are {}, each of them with total- in \
                 front, image, new-calls and worse",
            words.join(", ")
        )
    })
}

fn bound(about: About, limit: &str) -> Result<Bound, String> {
    let more_is_better = match about {
        About::NewCalls | About::Worse if limit.is_empty() => return Ok(Bound::By(0)),
        About::NewCalls | About::Worse => return Err("it takes no number".to_owned()),
        About::Total(Value::Occupancy) => {
            return Err("occupancies of several kernels have no sum".to_owned());
        }
        About::Kernel(value) | About::Total(value) => value.is_better_when_more(),
        About::Image => false,
    };
    let (by, of) = if more_is_better { ('-', '<') } else { ('+', '>') };
    let Some(sign) = limit.chars().next() else {
        return match about {
            About::Kernel(Value::Spills | Value::Stack | Value::Calls) => Ok(Bound::Of(0)),
            _ => Err(format!("say how much is allowed: {by}5, {by}5% or {of}5")),
        };
    };
    let number = &limit[1..];
    let wrong = || format!("'{number}' is no number");
    if sign == of {
        return number.parse().map(Bound::Of).map_err(|_| wrong());
    }
    if sign != by {
        return Err(format!(
            "more is {}, so a limit is {by}N, {by}N% or {of}N",
            if more_is_better { "better" } else { "worse" }
        ));
    }
    match number.strip_suffix('%') {
        None => number.parse().map(Bound::By).map_err(|_| wrong()),
        Some(percent) => thousandths(percent).map(Bound::ByPercent).ok_or_else(wrong),
    }
}

/// Returns a decimal number with at most three decimal places, in thousandths.
fn thousandths(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(decimals) || decimals.is_empty() || decimals.len() > 3 {
        return None;
    }
    let decimals: u64 = format!("{decimals:0<3}").parse().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(decimals)
}

impl Gate {
    /// Whether the limit is one on a difference, which needs an earlier build.
    pub fn needs_comparison(&self) -> bool {
        !matches!(self.bound, Bound::Of(_))
    }

    /// Returns what in `report` passes the limit; `None` if nothing does. Names in it have the
    /// given form. The error says what the limit is about and neither of the builds knows.
    pub fn check(&self, report: &BuildReport, form: Form) -> Result<Option<Breach>, String> {
        if self.needs_comparison() && report.against.is_none() {
            let gate = &self.text;
            return Err(format!("'{gate}' is a limit on a difference, which needs --against"));
        }
        let lines = match self.about {
            About::Image => self.images(report)?,
            About::Total(value) => self.total(report, value)?.into_iter().collect(),
            About::Kernel(_) | About::NewCalls | About::Worse => self.kernels(report, form)?,
        };
        let gate = self.text.clone();
        Ok((!lines.is_empty()).then_some(Breach { gate, lines }))
    }

    fn kernels(&self, report: &BuildReport, form: Form) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        for kernel in &report.kernels {
            let now = KernelValues::of(kernel);
            let before = kernel.before.as_ref();
            let passed = match self.about {
                About::Kernel(value) => self.passed(value, before, &now)?,
                About::NewCalls => {
                    let old = before.map_or(0, |before| before.calls);
                    (now.calls > old).then(|| changed(old, now.calls, Value::Calls.title()))
                }
                _ => (kernel.change == "worse").then(|| {
                    let old = before.copied().unwrap_or_default();
                    differences(&old, &now).join(", ")
                }),
            };
            if let Some(passed) = passed {
                let name = report.names.in_form(kernel.name, form);
                let module = report.modules.get(kernel.module as usize);
                let link = module.and_then(|module| report.links.get(module.link as usize));
                let architecture = link.map_or("", |link| &link.architecture);
                lines.push(format!("{name} ({architecture}): {passed}"));
            }
        }
        Ok(lines)
    }

    /// Returns the words for a value that passes the limit.
    fn passed(
        &self,
        value: Value,
        before: Option<&KernelValues>,
        now: &KernelValues,
    ) -> Result<Option<String>, String> {
        let unknown =
            |whose: &str| format!("'{}': {whose} says nothing about {}", self.text, value.title());
        let now = value.of(now).ok_or_else(|| unknown("this build"))?;
        if let Bound::Of(limit) = self.bound {
            let is_passed = if value.is_better_when_more() { now < limit } else { now > limit };
            return Ok(is_passed.then(|| format!("{} {}", count(now), value.title())));
        }
        let Some(before) = before else { return Ok(None) };
        let before = value.of(before).ok_or_else(|| unknown("the earlier build"))?;
        let (less, more) = if value.is_better_when_more() { (now, before) } else { (before, now) };
        let is_passed = self.is_too_much(before, more.saturating_sub(less));
        Ok(is_passed.then(|| changed(before, now, value.title())))
    }

    fn is_too_much(&self, before: u64, difference: u64) -> bool {
        match self.bound {
            Bound::By(allowed) | Bound::Of(allowed) => difference > allowed,
            Bound::ByPercent(allowed) => {
                u128::from(difference) * WHOLE > u128::from(before) * u128::from(allowed)
            }
        }
    }

    fn total(&self, report: &BuildReport, value: Value) -> Result<Option<String>, String> {
        let mut now = KernelValues { spills: Some(0), ..KernelValues::default() };
        let mut before = now;
        let add = |total: &mut KernelValues, more: &KernelValues| {
            let KernelValues { registers, stack, spills, shared, instructions, calls, warps: _ } =
                more;
            total.registers += registers;
            total.stack += stack;
            total.spills = total.spills.zip(*spills).map(|(one, other)| one + other);
            total.shared += shared;
            total.instructions += instructions;
            total.calls += calls;
        };
        for kernel in &report.kernels {
            add(&mut now, &KernelValues::of(kernel));
            kernel.before.iter().for_each(|values| add(&mut before, values));
        }
        let gone = report.against.iter().flat_map(|against| &against.gone);
        gone.for_each(|kernel| add(&mut before, &kernel.before));
        let passed = self.passed(value, Some(&before), &now)?;
        Ok(passed.map(|passed| format!("all kernels: {passed}")))
    }

    fn images(&self, report: &BuildReport) -> Result<Vec<String>, String> {
        let unknown = |whose: &str| format!("'{}': {whose} says nothing about its size", self.text);
        if report.images.is_empty() {
            return Err(unknown("this build"));
        }
        let mut lines = Vec::new();
        for image in &report.images {
            let link = report.links.get(image.link as usize);
            let architecture = link.map_or("", |link| &link.architecture);
            let linked = ("image", image.image_bytes, image.image_bytes_before);
            let cubins = ("cubins", Some(image.cubin_bytes), image.cubin_bytes_before);
            // Both sizes of an image are compared, or neither.
            let is_linked = linked.1.is_some() && (linked.2.is_some() || !self.needs_comparison());
            let (what, now, before) = if is_linked { linked } else { cubins };
            let now = now.unwrap_or_default();
            let passed = if let Bound::Of(limit) = self.bound {
                (now > limit).then(|| format!("{} bytes", count(now)))
            } else {
                let before = before
                    .ok_or_else(|| unknown(&format!("the earlier build of {architecture}")))?;
                let is_passed = self.is_too_much(before, now.saturating_sub(before));
                is_passed.then(|| changed(before, now, "bytes"))
            };
            lines.extend(passed.map(|words| format!("{what} of {architecture}: {words}")));
        }
        Ok(lines)
    }
}

/// Returns the words for a value that changed: `40 -> 48 registers, +20.0%`.
fn changed(before: u64, now: u64, title: &str) -> String {
    let percent = percent(before, now);
    let comma = if percent.is_empty() { "" } else { ", " };
    format!("{} -> {} {title}{comma}{percent}", count(before), count(now))
}

#[cfg(test)]
mod tests;
