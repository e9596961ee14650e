//! One symbol.

use wincode::{SchemaRead, SchemaWrite};

use super::function::FunctionRecord;
use super::names::{self, NextName};
use super::{Fault, number_in, value_of};
use crate::{
    AliasSummary, Body, Comdat, Declaration, Guid, Linkage, ModuleId, Symbol, SymbolIndex,
    VariableSummary, Visibility,
};

/// The linkages by their numbers in files.
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

/// The visibilities by their numbers in files.
const VISIBILITIES: [Visibility; 3] =
    [Visibility::Default, Visibility::Hidden, Visibility::Protected];

/// A symbol, but for its GUID, which follows from its name.
#[derive(Clone, Debug, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub(crate) struct SymbolRecord {
    name: NextName,
    /// From the low bit: linkage (4 bits), visibility (2), in a comdat of its own name, `dso_local`.
    linkage: u8,
    /// From the low bit: address space (4 bits), address taken, used, used by host, in a comdat of
    /// another name. An address space that takes more bits is in `rare`.
    place: u8,
    body: BodyRecord,
    rare: Option<RareRecord>,
}

/// What hardly any symbol has.
#[derive(Clone, Debug, Default, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub(crate) struct RareRecord {
    /// What the address space has above its low four bits.
    address_space: u32,
    /// Name of the comdat that it is in, if that is not its own.
    comdat: String,
}

/// See [`Body`].
#[derive(Clone, Debug, PartialEq, Eq, SchemaRead, SchemaWrite)]
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
}

impl SymbolRecord {
    pub(super) fn of<'name>(symbol: &'name Symbol, names: &mut names::Writer<'name>) -> Self {
        let linkage = number_in(&LINKAGES, symbol.linkage);
        let visibility = number_in(&VISIBILITIES, symbol.visibility);
        let (own, other) = match &symbol.comdat {
            Comdat::None => (false, None),
            Comdat::Own => (true, None),
            Comdat::Named(name) => (false, Some(name.clone())),
        };
        let low = u8::try_from(symbol.address_space & 15).unwrap_or(0);
        let is_rare = other.is_some() || symbol.address_space > 15;
        Self {
            name: names.write(&symbol.name),
            linkage: linkage | visibility << 4 | bit(6, own) | bit(7, symbol.dso_local),
            place: low
                | bit(4, symbol.address_taken)
                | bit(5, symbol.used)
                | bit(6, symbol.used_by_host)
                | bit(7, other.is_some()),
            body: BodyRecord::of(&symbol.body),
            rare: is_rare.then(|| RareRecord {
                address_space: symbol.address_space >> 4,
                comdat: other.unwrap_or_default(),
            }),
        }
    }

    pub(super) fn symbol(
        self,
        module_id: &ModuleId,
        names: &mut names::Reader,
    ) -> Result<Symbol, Fault> {
        let name = names.read(&self.name)?;
        let of_name = |fault: Fault| format!("'{name}': {fault}");
        let linkage = value_of(&LINKAGES, self.linkage & 15, "linkage").map_err(of_name)?;
        let visibility =
            value_of(&VISIBILITIES, self.linkage >> 4 & 3, "visibility").map_err(of_name)?;
        let guid = if linkage.is_local() {
            Guid::of_local(module_id, &name)
        } else {
            Guid::of_global(&name)
        };
        let is_set = |byte: u8, bit: u32| byte & 1 << bit != 0;
        let rare = self.rare.unwrap_or_default();
        Ok(Symbol {
            guid,
            linkage,
            visibility,
            dso_local: is_set(self.linkage, 7),
            comdat: match (is_set(self.linkage, 6), is_set(self.place, 7)) {
                (false, false) => Comdat::None,
                (true, false) => Comdat::Own,
                (false, true) => Comdat::Named(rare.comdat),
                (true, true) => return Err(format!("'{name}' is in two comdats")),
            },
            address_space: rare.address_space.wrapping_shl(4) | u32::from(self.place & 15),
            address_taken: is_set(self.place, 4),
            used: is_set(self.place, 5),
            used_by_host: is_set(self.place, 6),
            body: self.body.body().map_err(of_name)?,
            name,
        })
    }
}

impl BodyRecord {
    fn of(body: &Body) -> Self {
        match body {
            Body::Declaration(Declaration::Function) => Self::DeclaredFunction,
            Body::Declaration(Declaration::Kernel) => Self::DeclaredKernel,
            Body::Declaration(Declaration::Variable) => Self::DeclaredVariable,
            Body::Function(function) => Self::Function(FunctionRecord::of(function)),
            Body::Variable(variable) => Self::Variable(variable.clone()),
            Body::Alias(alias) => Self::Alias(alias.target.0),
        }
    }

    fn body(self) -> Result<Body, Fault> {
        Ok(match self {
            Self::DeclaredFunction => Body::Declaration(Declaration::Function),
            Self::DeclaredKernel => Body::Declaration(Declaration::Kernel),
            Self::DeclaredVariable => Body::Declaration(Declaration::Variable),
            Self::Function(function) => Body::Function(function.function()?),
            Self::Variable(variable) => Body::Variable(variable),
            Self::Alias(target) => Body::Alias(AliasSummary { target: SymbolIndex(target) }),
        })
    }
}

fn bit(position: u32, is_set: bool) -> u8 {
    u8::from(is_set) << position
}
