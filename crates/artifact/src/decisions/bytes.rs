//! The compact encoding of decisions.

use crate::decisions::decision::{
    CallClass, ClosureDecision, ClosureExit, ExitReason, ImportCall, ImportDecision, ImportPass,
    ImportRefusal, RootReason, SymbolDecision, SymbolFate,
};
use crate::record::names::{NextName, Writer};
use crate::record::numbers::{of_zigzag, optional_value_of, value_of};

// Values are written as the numbers of their declarations. The lists serve the reader, and a test
// checks that they follow the declarations.

/// Refusals by their numbers less 1; 0 is no refusal.
const REFUSALS: [ImportRefusal; 13] = [
    ImportRefusal::TooLarge,
    ImportRefusal::NotWorthIt,
    ImportRefusal::Kernel,
    ImportRefusal::NoInline,
    ImportRefusal::NotImportable,
    ImportRefusal::Replaceable,
    ImportRefusal::NamesPinnedLocal,
    ImportRefusal::CutOff,
    ImportRefusal::Alias,
    ImportRefusal::NotConstant,
    ImportRefusal::ConstantWithReferences,
    ImportRefusal::BudgetSpent,
    ImportRefusal::OverCopyLimit,
];

/// Reasons of exits by their numbers less 1; 0 is no exit.
const EXITS: [ExitReason; 7] = [
    ExitReason::TooLarge,
    ExitReason::NotCopyable,
    ExitReason::Shared,
    ExitReason::Undefined,
    ExitReason::Indirect,
    ExitReason::CutOff,
    ExitReason::OverCopyLimit,
];

const CLASSES: [CallClass; 4] =
    [CallClass::Default, CallClass::Cold, CallClass::Hot, CallClass::Critical];

const PASSES: [ImportPass; 3] =
    [ImportPass::Direct, ImportPass::Transitive, ImportPass::Speculative];

/// Bit beside the number of the refusal that says that a call follows.
const HAS_CALL: u8 = 1 << 4;

/// Writes for each definition, by name: the length of the prefix that its name shares with the name
/// before, the length of the rest, the rest, the code of the fate, and its step if it has one.
pub(super) fn of_symbols<'name>(
    symbols: impl IntoIterator<Item = SymbolDecision<&'name str>>,
    bytes: &mut Vec<u8>,
) {
    let mut names = Writer::default();
    for symbol in symbols {
        let NextName { shared, rest } = names.write(symbol.name);
        number(bytes, u64::from(shared));
        number(bytes, rest.len() as u64);
        bytes.extend_from_slice(rest.as_bytes());
        fate(bytes, symbol.fate);
    }
}

/// Writes for each candidate: the step from the symbol of the candidate before, the refusal, the
/// cost, and for a call its class and pass, the step from symbol to caller, level, threshold.
pub(super) fn of_imports(imports: impl IntoIterator<Item = ImportDecision>, bytes: &mut Vec<u8>) {
    let mut last = 0;
    for ImportDecision { symbol, cost, refusal, call } in imports {
        signed(bytes, i64::from(symbol) - last);
        last = i64::from(symbol);
        let refusal = refusal.map_or(0, |refusal| refusal as u8 + 1);
        bytes.push(refusal | if call.is_some() { HAS_CALL } else { 0 });
        number(bytes, u64::from(cost));
        if let Some(ImportCall { caller, level, threshold, class, pass }) = call {
            bytes.push(class as u8 | (pass as u8) << 2);
            signed(bytes, i64::from(caller) - last);
            number(bytes, u64::from(level));
            number(bytes, u64::from(threshold));
        }
    }
}

/// Writes for each kernel: its number, functions, instructions, and the reason of the exit. For an
/// exit follow the number of the caller, and the length of the callee's name plus 1, or 0, and the
/// name.
pub(super) fn of_closures(
    closures: impl IntoIterator<Item = ClosureDecision>,
    bytes: &mut Vec<u8>,
) {
    for ClosureDecision { kernel, functions, instructions, exit } in closures {
        for value in [kernel, functions, instructions] {
            number(bytes, u64::from(value));
        }
        bytes.push(exit.as_ref().map_or(0, |exit| exit.reason as u8 + 1));
        if let Some(ClosureExit { reason: _, caller, callee }) = exit {
            number(bytes, u64::from(caller));
            number(bytes, callee.as_ref().map_or(0, |callee| callee.len() as u64 + 1));
            bytes.extend_from_slice(callee.unwrap_or_default().as_bytes());
        }
    }
}

/// Inverts [`of_closures`].
pub(super) fn closures(bytes: &[u8]) -> Result<Vec<ClosureDecision>, String> {
    let mut reader = Reader { bytes };
    let mut closures = Vec::new();
    while !reader.bytes.is_empty() {
        closures.push(reader.closure().ok_or("a closure has no meaning")?);
    }
    Ok(closures)
}

/// Inverts [`of_symbols`].
pub(super) fn symbols(bytes: &[u8]) -> Result<Vec<SymbolDecision<String>>, String> {
    let mut reader = Reader { bytes };
    let (mut symbols, mut name) = (Vec::new(), Vec::new());
    while !reader.bytes.is_empty() {
        let shared = reader.number().filter(|shared| *shared <= name.len());
        name.truncate(shared.ok_or("a name shares more than there is")?);
        name.extend_from_slice(reader.text().ok_or("a name ends early")?);
        let text = String::from_utf8(name.clone()).map_err(|_| "a name is no text")?;
        let fate = reader.fate().ok_or("a verdict has no meaning")?;
        symbols.push(SymbolDecision { name: text, fate });
    }
    Ok(symbols)
}

/// Inverts [`of_imports`].
pub(super) fn imports(bytes: &[u8]) -> Result<Vec<ImportDecision>, String> {
    let mut reader = Reader { bytes };
    let (mut imports, mut last) = (Vec::new(), 0);
    while !reader.bytes.is_empty() {
        let import = reader.import(last).ok_or("a candidate has no meaning")?;
        last = i64::from(import.symbol);
        imports.push(import);
    }
    Ok(imports)
}

// Codes of the verdicts. Root reasons have the codes after the others.
const THROUGH: u8 = 0;
const DEAD_WITH: u8 = 1;
const UNREFERENCED: u8 = 2;
const COPY_OF: u8 = 3;
const ONLY_COPIED: u8 = 4;
const FIRST_REASON: u8 = 5;

fn fate(bytes: &mut Vec<u8>, fate: SymbolFate) {
    let (code, step) = match fate {
        SymbolFate::Through(step) => (THROUGH, Some(step)),
        SymbolFate::DeadWith(step) => (DEAD_WITH, Some(step)),
        SymbolFate::Unreferenced => (UNREFERENCED, None),
        SymbolFate::CopyOf(step) => (COPY_OF, Some(step)),
        SymbolFate::OnlyCopied => (ONLY_COPIED, None),
        SymbolFate::Root(reason) => (FIRST_REASON + reason as u8, None),
    };
    bytes.push(code);
    if let Some(step) = step {
        signed(bytes, step);
    }
}

/// Writes a signed number as a zigzag, which maps small numbers of either sign to small ones.
fn signed(bytes: &mut Vec<u8>, value: i64) {
    number(bytes, ((value << 1) ^ (value >> 63)).cast_unsigned());
}

/// Writes a number in bytes of seven bits, from the low end. The high bit says that more follow.
fn number(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
}

struct Reader<'bytes> {
    bytes: &'bytes [u8],
}

impl<'bytes> Reader<'bytes> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    fn wide(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn number(&mut self) -> Option<usize> {
        usize::try_from(self.wide()?).ok()
    }

    fn text(&mut self) -> Option<&'bytes [u8]> {
        let length = self.number()?;
        self.take(length)
    }

    fn take(&mut self, length: usize) -> Option<&'bytes [u8]> {
        let (text, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(text)
    }

    fn fate(&mut self) -> Option<SymbolFate> {
        let code = self.byte()?;
        Some(match code {
            UNREFERENCED => SymbolFate::Unreferenced,
            THROUGH => SymbolFate::Through(self.step()?),
            DEAD_WITH => SymbolFate::DeadWith(self.step()?),
            COPY_OF => SymbolFate::CopyOf(self.step()?),
            ONLY_COPIED => SymbolFate::OnlyCopied,
            _ => SymbolFate::Root(value_of(&RootReason::ALL, code - FIRST_REASON, "reason").ok()?),
        })
    }

    fn import(&mut self, last: i64) -> Option<ImportDecision> {
        let small = |value: u64| u32::try_from(value).ok();
        let symbol = last.checked_add(self.step()?)?;
        let code = self.byte()?;
        let refusal = optional_value_of(&REFUSALS, code & (HAS_CALL - 1), "refusal").ok()?;
        let cost = small(self.wide()?)?;
        let call = if code & HAS_CALL == 0 {
            None
        } else {
            let code = self.byte()?;
            Some(ImportCall {
                class: value_of(&CLASSES, code & 3, "class").ok()?,
                pass: value_of(&PASSES, code >> 2, "pass").ok()?,
                caller: u32::try_from(symbol.checked_add(self.step()?)?).ok()?,
                level: small(self.wide()?)?,
                threshold: small(self.wide()?)?,
            })
        };
        Some(ImportDecision { symbol: u32::try_from(symbol).ok()?, cost, refusal, call })
    }

    fn closure(&mut self) -> Option<ClosureDecision> {
        let mut small = || u32::try_from(self.wide()?).ok();
        let (kernel, functions, instructions) = (small()?, small()?, small()?);
        let reason = optional_value_of(&EXITS, self.byte()?, "reason").ok()?;
        let exit = match reason {
            None => None,
            Some(reason) => {
                let caller = u32::try_from(self.wide()?).ok()?;
                let name = match self.number()? {
                    0 => None,
                    length => Some(String::from_utf8(self.take(length - 1)?.to_vec()).ok()?),
                };
                Some(ClosureExit { reason, caller, callee: name })
            }
        };
        Some(ClosureDecision { kernel, functions, instructions, exit })
    }

    fn step(&mut self) -> Option<i64> {
        self.wide().map(of_zigzag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_the_order_of_the_declarations() {
        assert!(REFUSALS.iter().zip(0..).all(|(&known, number)| known as u8 == number));
        assert!(CLASSES.iter().zip(0..).all(|(&known, number)| known as u8 == number));
        assert!(PASSES.iter().zip(0..).all(|(&known, number)| known as u8 == number));
        assert!(EXITS.iter().zip(0..).all(|(&known, number)| known as u8 == number));
        assert!(RootReason::ALL.iter().zip(0..).all(|(&known, number)| known as u8 == number));
    }
}
