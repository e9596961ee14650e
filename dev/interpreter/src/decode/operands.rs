//! Operands of one statement.

use super::symbol::{Symbol, Symbols};
use crate::code::{Place, Source, Special, Target};
use crate::fault::{Fault, Result};
use crate::memory::generic;
use crate::text::{Function, Item, Operand, Space, Statement};
use crate::types::{Kind, Type};

/// Reads the operands of a statement.
pub(super) struct Reader<'program> {
    pub(super) statement: &'program Statement,
    pub(super) function: &'program Function,
    pub(super) symbols: Symbols<'program>,
}

impl Reader<'_> {
    /// Returns an operand, or an error if the statement has too few.
    pub(super) fn operand(&self, number: usize) -> Result<&Operand> {
        self.statement.operands.get(number).ok_or_else(|| {
            Fault::new(format!("{} has no operand {}", self.statement.name, number + 1))
        })
    }

    pub(super) fn count(&self) -> usize {
        self.statement.operands.len()
    }

    /// Returns the value of an operand of type `of`.
    pub(super) fn source(&self, number: usize, of: Type) -> Result<Source> {
        self.value(self.operand(number)?, of)
    }

    /// Returns a value.
    pub(super) fn value(&self, operand: &Operand, of: Type) -> Result<Source> {
        Ok(match operand {
            Operand::Item(Item::Register(register, _)) => Source::Register(*register),
            Operand::Item(Item::Parameter(offset, _)) => Source::Parameter(*offset),
            Operand::Item(Item::Local(offset)) => Source::Local(*offset),
            Operand::Not(register) => Source::Not(*register),
            Operand::Number(number) => Source::Constant(of_number(*number, of)),
            Operand::Single(bits) if of.bits == 64 && of.kind == Kind::Float => {
                let single = f32::from_bits(u32::try_from(*bits).unwrap_or_default());
                Source::Constant(f64::from(single).to_bits())
            }
            Operand::Double(bits) if of.bits == 32 && of.kind == Kind::Float => {
                #[expect(clippy::cast_possible_truncation, reason = "PTX rounds such numbers")]
                let single = f64::from_bits(*bits) as f32;
                Source::Constant(u64::from(single.to_bits()))
            }
            Operand::Single(bits) | Operand::Double(bits) => Source::Constant(*bits),
            Operand::Special(name) => Source::Special(
                special(name)
                    .ok_or_else(|| Fault::new(format!("the register {name} is unknown")))?,
            ),
            Operand::Symbol(name) => Source::Constant(match self.symbol(name)? {
                Symbol::Variable(_, address) => address,
                Symbol::Function(number) => crate::memory::code_address(number),
                Symbol::Builtin(_) => {
                    return Err(Fault::new(format!("the address of {name} is not known")));
                }
            }),
            Operand::Sum(base, offset) => match self.value(base, of)? {
                Source::Constant(address) => Source::Constant(address.wrapping_add(*offset)),
                Source::Local(start) => Source::Local(start.wrapping_add(*offset)),
                Source::Parameter(start) => Source::Parameter(start.wrapping_add(*offset)),
                _ => return Err(self.unexpected(operand)),
            },
            _ => return Err(self.unexpected(operand)),
        })
    }

    /// Returns the register that gets the result of operand `number`.
    pub(super) fn target(&self, number: usize) -> Result<Target> {
        self.register(self.operand(number)?)
    }

    /// Returns the two registers of `a|b`, of which the second one may be missing.
    pub(super) fn targets(&self, number: usize) -> Result<[Target; 2]> {
        match self.operand(number)? {
            Operand::Pair(first, second) => Ok([self.register(first)?, self.register(second)?]),
            single => Ok([self.register(single)?, None]),
        }
    }

    /// Returns a register, or nothing for `_`.
    pub(super) fn register(&self, operand: &Operand) -> Result<Target> {
        match operand {
            Operand::Item(Item::Register(register, _)) => Ok(Some(*register)),
            Operand::Nothing => Ok(None),
            _ => Err(self.unexpected(operand)),
        }
    }

    /// Returns the place of an address operand.
    pub(super) fn place(&self, number: usize, space: Space) -> Result<Place> {
        let Operand::Address(inner) = self.operand(number)? else {
            return Err(self.unexpected(self.operand(number)?));
        };
        let (base, offset) = match &**inner {
            Operand::Sum(base, offset) => (&**base, *offset),
            base => (base, 0),
        };
        // The name of a variable means its address in its own space.
        if let (Operand::Symbol(name), Space::Generic) = (base, space)
            && let Symbol::Variable(of_variable, address) = self.symbol(name)?
        {
            let base = Source::Constant(generic(of_variable, address));
            return Ok(Place { space, base, offset });
        }
        // `ld [parameter]` without a space reads the parameter.
        let space = match (base, space) {
            (Operand::Item(Item::Parameter(..)), Space::Generic) => Space::Param,
            (Operand::Item(Item::Local(_)), Space::Generic) => Space::Local,
            _ => space,
        };
        Ok(Place { space, base: self.value(base, Type::U64)?, offset })
    }

    /// Returns the position of the statement behind a label.
    pub(super) fn label(&self, number: usize) -> Result<usize> {
        match self.operand(number)? {
            Operand::Label(position) => Ok(*position),
            other => Err(self.unexpected(other)),
        }
    }

    pub(super) fn symbol(&self, name: &str) -> Result<Symbol> {
        (self.symbols)(name).ok_or_else(|| Fault::new(format!("nothing defines the symbol {name}")))
    }

    pub(super) fn unexpected(&self, operand: &Operand) -> Fault {
        Fault::new(format!("{} has an unexpected operand: {operand:?}", self.statement.name))
    }
}

/// A whole number where a float is expected means that number.
fn of_number(number: u64, of: Type) -> u64 {
    #[expect(clippy::cast_precision_loss, reason = "such numbers are small")]
    match (of.kind, of.bits) {
        (Kind::Float, 32) => u64::from((number.cast_signed() as f32).to_bits()),
        (Kind::Float, 64) => (number.cast_signed() as f64).to_bits(),
        _ => of.truncated(number),
    }
}

fn special(name: &str) -> Option<Special> {
    let dimension = |name: &str| ["x", "y", "z"].iter().position(|axis| *axis == name);
    if let Some((start, axis)) = name.split_once('.') {
        let axis = dimension(axis)?;
        return Some(match start {
            "%tid" => Special::Thread(axis),
            "%ntid" => Special::Threads(axis),
            "%ctaid" => Special::Block(axis),
            "%nctaid" => Special::Blocks(axis),
            "%cluster_ctaid" | "%clusterid" => Special::Zero,
            "%cluster_nctaid" => Special::One,
            _ => return None,
        });
    }
    Some(match name {
        "%laneid" => Special::Lane,
        "%warpid" => Special::Warp,
        "%nwarpid" => Special::Warps,
        "%lanemask_eq" => Special::LanesEqual,
        "%lanemask_lt" => Special::LanesBelow,
        "%lanemask_le" => Special::LanesBelowOrEqual,
        "%lanemask_gt" => Special::LanesAbove,
        "%lanemask_ge" => Special::LanesAboveOrEqual,
        "%clock" | "%clock64" | "%globaltimer" => Special::Clock,
        "%dynamic_smem_size" => Special::DynamicSharedBytes,
        "%total_smem_size" => Special::SharedBytes,
        "%smid" | "%gridid" => Special::Zero,
        "%nsmid" => Special::One,
        _ => return None,
    })
}
