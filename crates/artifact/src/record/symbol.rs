//! The record of one symbol.

use std::num::NonZeroU32;

use wincode::{SchemaRead, SchemaWrite};

use crate::record::error::RecordError;
use crate::record::function::{self, FunctionRecord};
use crate::record::input::Input;
use crate::record::names::{self, NextName};
use crate::record::numbers::{number_in, value_of};
use crate::record::sink::{BodyHead, SummarySink, SymbolHead};
use crate::{Body, Comdat, Declaration, Linkage, Symbol, SymbolIndex, VariableSummary, Visibility};

/// Linkages by their numbers in files.
const LINKAGES: [Linkage; 11] = [
    Linkage::External,
    Linkage::AvailableExternally,
    Linkage::LinkonceAny,
    Linkage::LinkonceOdr,
    Linkage::WeakAny,
    Linkage::WeakOdr,
    Linkage::Appending,
    Linkage::Internal,
    Linkage::Private,
    Linkage::ExternalWeak,
    Linkage::Common,
];

/// Visibilities by their numbers in files.
const VISIBILITIES: [Visibility; 3] =
    [Visibility::Default, Visibility::Hidden, Visibility::Protected];

/// A symbol without its GUID, which follows from its name.
#[derive(Clone, Debug, PartialEq, Eq, SchemaWrite)]
pub(crate) struct SymbolRecord<'name> {
    name: NextName<'name>,
    /// Bit fields, from the low bit: linkage (4 bits), visibility (2), whether the symbol is in a
    /// comdat named after it, `dso_local`.
    linkage: u8,
    /// Bits of, from the low one: address space (4 bits), address taken, used, used by host,
    /// whether the symbol is in a comdat of another name. Further bits of the address space are in
    /// `rare`.
    uses: u8,
    body: BodyRecord,
    /// [`Symbol::prototype`], or four zeros. A digest has no small numbers, so it is not one of
    /// variable length.
    prototype: [u8; 4],
    rare: Option<RareRecord>,
}

/// The fields that hardly any symbol has.
#[derive(Clone, Debug, Default, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub(crate) struct RareRecord {
    /// Bits of the address space above the low four.
    address_space: u32,
    /// Name of the symbol's comdat, if that is not the symbol's own.
    comdat: String,
    /// Value of [`Symbol::content`].
    content: Option<u64>,
}

/// The record of a [`Body`]. Readers know the variants by their positions.
#[derive(Clone, Debug, PartialEq, Eq, SchemaWrite)]
pub(crate) enum BodyRecord {
    /// A function that another module defines.
    DeclaredFunction,
    /// A kernel that another module defines.
    DeclaredKernel,
    /// A variable that another module defines.
    DeclaredVariable,
    /// A function.
    Function(FunctionRecord),
    /// A variable.
    Variable(VariableSummary),
    /// An alias of the symbol at this position.
    Alias(u32),
    /// Dynamic shared memory with an alignment.
    DynamicShared(u32),
}

impl<'name> SymbolRecord<'name> {
    pub(super) fn of(symbol: &'name Symbol, names: &mut names::Writer<'name>) -> Self {
        let linkage = number_in(&LINKAGES, symbol.linkage);
        let visibility = number_in(&VISIBILITIES, symbol.visibility);
        let (own, other) = match &symbol.comdat {
            Comdat::None => (false, None),
            Comdat::Own => (true, None),
            Comdat::Named(name) => (false, Some(name.clone())),
        };
        let low = u8::try_from(symbol.address_space & 15).unwrap_or(0);
        let is_rare = other.is_some() || symbol.address_space > 15 || symbol.content.is_some();
        Self {
            name: names.write(&symbol.name),
            linkage: linkage | visibility << 4 | bit(6, own) | bit(7, symbol.dso_local),
            uses: low
                | bit(4, symbol.address_taken)
                | bit(5, symbol.used)
                | bit(6, symbol.used_by_host)
                | bit(7, other.is_some()),
            body: BodyRecord::of(&symbol.body),
            prototype: symbol.prototype.map_or(0, NonZeroU32::get).to_le_bytes(),
            rare: is_rare.then(|| RareRecord {
                address_space: symbol.address_space >> 4,
                comdat: other.unwrap_or_default(),
                content: symbol.content,
            }),
        }
    }
}

/// Reads a record that [`SymbolRecord`] wrote, and passes the symbol to `sink`.
pub(super) fn read(
    input: &mut Input<'_>,
    names: &mut names::Reader,
    sink: &mut impl SummarySink,
) -> Result<(), RecordError> {
    let name = names.read(input)?;
    let of_name = |error: RecordError| format!("'{name}': {error}");
    let (of_linkage, uses) = (input.byte()?, input.byte()?);
    let linkage = value_of(&LINKAGES, of_linkage & 15, "linkage").map_err(of_name)?;
    let visibility = value_of(&VISIBILITIES, of_linkage >> 4 & 3, "visibility").map_err(of_name)?;
    let is_set = |byte: u8, bit: u32| byte & 1 << bit != 0;
    let body = read_body(input, sink).map_err(of_name)?;
    let prototype = u32::from_le_bytes(input.get()?);
    let rare: RareRecord = input.optional()?.unwrap_or_default();
    let comdat = match (is_set(of_linkage, 6), is_set(uses, 7)) {
        (false, false) => Comdat::None,
        (true, false) => Comdat::Own,
        (false, true) => Comdat::Named(rare.comdat),
        (true, true) => return Err(format!("'{name}' is in two comdats")),
    };
    sink.symbol(SymbolHead {
        name,
        linkage,
        visibility,
        dso_local: is_set(of_linkage, 7),
        comdat,
        address_space: rare.address_space.wrapping_shl(4) | u32::from(uses & 15),
        address_taken: is_set(uses, 4),
        used: is_set(uses, 5),
        used_by_host: is_set(uses, 6),
        content: rare.content,
        prototype: NonZeroU32::new(prototype),
        body,
    });
    Ok(())
}

fn read_body(input: &mut Input<'_>, sink: &mut impl SummarySink) -> Result<BodyHead, RecordError> {
    Ok(match input.number::<u32>()? {
        0 => BodyHead::Declaration(Declaration::Function),
        1 => BodyHead::Declaration(Declaration::Kernel),
        2 => BodyHead::Declaration(Declaration::Variable),
        3 => BodyHead::Function(function::read(input, sink)?),
        4 => BodyHead::Variable(input.get()?),
        5 => BodyHead::Alias(SymbolIndex(input.get()?)),
        6 => BodyHead::Declaration(Declaration::DynamicShared(input.get()?)),
        other => return Err(format!("there is no kind of symbol with the number {other}")),
    })
}

impl BodyRecord {
    fn of(body: &Body) -> Self {
        match body {
            Body::Declaration(Declaration::Function) => Self::DeclaredFunction,
            Body::Declaration(Declaration::Kernel) => Self::DeclaredKernel,
            Body::Declaration(Declaration::Variable) => Self::DeclaredVariable,
            Body::Declaration(Declaration::DynamicShared(alignment)) => {
                Self::DynamicShared(*alignment)
            }
            Body::Function(function) => Self::Function(FunctionRecord::of(function)),
            Body::Variable(variable) => Self::Variable(variable.clone()),
            Body::Alias(alias) => Self::Alias(alias.target.0),
        }
    }
}

fn bit(position: u32, is_set: bool) -> u8 {
    u8::from(is_set) << position
}
