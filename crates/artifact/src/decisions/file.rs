//! Why the thin link decided as it did, for people who ask.
//!
//! Written at every link, so it is compact: names share prefixes with the one before, and a reason is
//! one byte, or one byte and a step to the symbol that it points at. It is not compressed, because
//! that would take longer than all of the thin link on a large program. No job reads it.

mod bytes;

use std::io::{self, Seek, Write};
use std::iter;

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

use crate::encoding::{read_whole, write_bytes, write_frame, write_number, write_whole};
use crate::{Artifact, ModuleId};

/// Number of a definition: its position among all modules' definitions, in the order of
/// [`Decisions::modules`] and then of names.
pub type Definition = u32;

/// The decisions of one link.
#[derive(Clone, Debug, Default, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub struct Decisions {
    /// The modules with device code, sorted by module id.
    pub modules: Vec<ModuleDecisions>,
}

impl Artifact for Decisions {
    const KIND: &'static str = "record of decisions";
    const MAGIC: [u8; 8] = *b"WEFTDECI";
    const VERSION: u32 = 4;

    fn write(&self, file: &mut Vec<u8>) -> Result<(), String> {
        write_whole(self, file)
    }

    fn read(record: &[u8]) -> Result<Self, String> {
        let record: Self = read_whole(record)?;
        let mut count = 0_u64;
        for module in &record.modules {
            module.module_id.validate().map_err(|error| error.to_string())?;
            count += module.symbols()?.len() as u64;
        }
        let mut first = 0;
        for module in &record.modules {
            let symbols = module.symbols()?;
            let pointed = symbols.iter().filter_map(|symbol| symbol.verdict.points_at(first));
            let imports = module.imports()?;
            let callers = imports.iter().filter_map(|import| Some(import.call.as_ref()?.caller));
            let imported = imports.iter().map(|import| import.symbol).chain(callers);
            let closures = module.closures()?;
            let kernels = closures.iter().map(|closure| closure.kernel);
            let exits = closures.iter().filter_map(|it| Some(it.exit.as_ref()?.caller));
            let named = imported.chain(kernels).chain(exits).map(u64::from);
            if let Some(number) = pointed.chain(named).find(|number| *number >= count) {
                return Err(format!("there is no definition with the number {number}"));
            }
            first += symbols.len() as u64;
        }
        Ok(record)
    }
}

impl Decisions {
    /// Writes the whole file of the decisions about `count` modules, which come in `pieces`, as
    /// [`ModuleDecisions::write`] makes them: all together are too large to be in memory.
    pub fn write_file(
        count: usize,
        pieces: impl IntoIterator<Item = Vec<u8>>,
        file: &mut (impl Write + Seek),
    ) -> io::Result<()> {
        let mut start = Vec::new();
        write_number(count as u64, &mut start);
        write_frame::<Self>(iter::once(start).chain(pieces), file)
    }
}

/// The decisions about one module.
#[derive(Clone, Debug, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub struct ModuleDecisions {
    /// The module.
    pub module_id: ModuleId,
    /// See [`bytes::of_symbols`].
    symbols: Vec<u8>,
    /// What the import engine looked at.
    imports: ImportRecord,
    /// See [`bytes::of_closures`].
    closures: Vec<u8>,
}

/// What became of a live kernel where modules are closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClosureDecision {
    /// The kernel, or a function that several modules share and that calls others.
    pub kernel: Definition,
    /// Functions that it reaches within its module, without itself.
    pub functions: u32,
    /// IR instructions of these functions and of the kernel.
    pub instructions: u32,
    /// Why some calls leave the module; `None` if none does.
    pub exit: Option<ClosureExit>,
}

/// A call that leaves the module of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClosureExit {
    /// Why it does.
    pub reason: ExitReason,
    /// The definition that calls; the kernel itself where the closure as a whole is too large.
    pub caller: Definition,
    /// The name of what it calls, if that is known.
    pub callee: Option<String>,
}

/// Why a call leaves the module of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExitReason {
    /// All that the kernel reaches is more than the limit.
    TooLarge,
    /// The callee cannot be copied.
    NotCopyable,
    /// Copies of the callee would make the program larger than allowed.
    Shared,
    /// No module defines the callee.
    Undefined,
    /// It goes through a pointer.
    Indirect,
}

/// Decisions about imports, as the bytes that are in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub struct ImportRecord(Box<[u8]>);

impl ImportRecord {
    /// The record of `imports`, which are sorted by symbol. It is put together in `room`, so that who
    /// makes many asks for memory once.
    pub fn of(imports: impl IntoIterator<Item = ImportDecision>, room: &mut Vec<u8>) -> Self {
        room.clear();
        bytes::of_imports(imports, room);
        Self(room.as_slice().into())
    }
}

/// A definition and what was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolDecision<Name> {
    /// Its name.
    pub name: Name,
    /// Whether it is live, and why.
    pub verdict: Verdict,
}

/// Why a definition is live or goes. Positions are relative: the number of the other definition less
/// that of the module's first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It stays whoever refers to it.
    Root(RootReason),
    /// The definition at this position is live and refers to it.
    Through(i64),
    /// It goes. The definition at this position refers to it and goes too.
    DeadWith(i64),
    /// It goes, and no definition refers to it.
    Unreferenced,
    /// It is live by name, and the copy at this position is the program's.
    CopyOf(i64),
    /// It goes, as every module that calls it has a copy of its own.
    OnlyCopied,
}

impl Verdict {
    fn points_at(self, first: u64) -> Option<u64> {
        match self {
            Self::Root(_) | Self::Unreferenced | Self::OnlyCopied => None,
            Self::Through(step) | Self::DeadWith(step) | Self::CopyOf(step) => {
                // A number below zero is as wrong as one that is too large.
                Some(first.checked_add_signed(step).unwrap_or(u64::MAX))
            }
        }
    }
}

/// Why a definition is a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RootReason {
    /// Listed in `llvm.used` or `llvm.compiler.used`, or named by assembly.
    Used,
    /// The user keeps it.
    Kept,
    /// Host code refers to it, or might, as its host symbol is local.
    Host,
    /// Host code that goes by names, a list on the command line, or opaque device code names it.
    Named,
    /// The runtime walks it.
    Runtime,
    /// Nothing registers it with the host, so nothing is known of who launches it.
    Unregistered,
    /// It is registered with the host, and variables of its kind are not removed.
    Registered,
    /// Host code of a unit lists it as used, and no more is known.
    ListedByHost,
    /// The host's references are not known completely, and others can see it.
    Visible,
    /// Nothing is removed in this link.
    NothingRemoved,
}

impl RootReason {
    const ALL: [Self; 10] = [
        Self::Used,
        Self::Kept,
        Self::Host,
        Self::Named,
        Self::Runtime,
        Self::Unregistered,
        Self::Registered,
        Self::ListedByHost,
        Self::Visible,
        Self::NothingRemoved,
    ];
}

/// One candidate for import into a module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportDecision {
    /// The definition.
    pub symbol: Definition,
    /// What it costs, in IR instructions, by the model that imports are decided by; 0 for a variable.
    pub cost: u32,
    /// Why it is not imported; `None` if it is.
    pub refusal: Option<ImportRefusal>,
    /// The call that decided, as far as the engine tells.
    pub call: Option<ImportCall>,
}

/// The call that an import was decided by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportCall {
    /// The definition that calls, or refers to a variable.
    pub caller: Definition,
    /// Level of calls: 1 for what the module's own code calls. 255 stands for more.
    pub level: u32,
    /// Instructions that the callee was allowed; 0 for a variable.
    pub threshold: u32,
    /// How hot the call is.
    pub class: CallClass,
    /// The pass that looked at it.
    pub pass: ImportPass,
}

/// How hot a call is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallClass {
    /// Neither hot nor cold, or not known.
    #[default]
    Default,
    /// Hardly ever executed.
    Cold,
    /// Often executed.
    Hot,
    /// Among the most executed.
    Critical,
}

/// The passes of the import engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportPass {
    /// What the module's own code calls.
    Direct,
    /// What imported bodies call.
    Transitive,
    /// What may be the target of an indirect call.
    Speculative,
}

/// Why a definition is not imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportRefusal {
    /// It costs more than the threshold, or is a variable of more bytes than are worth copying.
    TooLarge,
    /// The call is not worth it: its class multiplies the threshold to nothing.
    NotWorthIt,
    /// It is a kernel.
    Kernel,
    /// It is `noinline`.
    NoInline,
    /// Its body cannot be copied.
    NotImportable,
    /// Another definition may replace it.
    Replaceable,
    /// It names a local that cannot get a global name.
    NamesPinnedLocal,
    /// The number of imports was used up.
    CutOff,
    /// It is an alias, of which there is no body to copy.
    Alias,
    /// It is a variable that may change, or is not in global or constant memory.
    NotConstant,
    /// It is a constant that names symbols, and such ones are not to be imported.
    ConstantWithReferences,
    /// No body that calls it may grow by so much: other callees take what the inliner lets it grow by.
    BudgetSpent,
}

impl ModuleDecisions {
    /// Appends the decisions about a module to `piece`, as they are in the file: those about `symbols`,
    /// which are sorted by name, the `imports` and the `closures`. The first and the last are put together
    /// in `room`, so that who writes many asks for memory once.
    pub fn write<'name>(
        module_id: &ModuleId,
        symbols: impl IntoIterator<Item = SymbolDecision<&'name str>>,
        imports: &ImportRecord,
        closures: impl IntoIterator<Item = ClosureDecision>,
        room: &mut Vec<u8>,
        piece: &mut Vec<u8>,
    ) {
        room.clear();
        bytes::of_symbols(symbols, room);
        write_bytes(module_id.as_str().as_bytes(), piece);
        write_bytes(room, piece);
        write_bytes(&imports.0, piece);
        room.clear();
        bytes::of_closures(closures, room);
        write_bytes(room, piece);
    }

    /// What became of the module's live kernels, in order; nothing where no module is closed. The error
    /// says what is wrong with the record.
    pub fn closures(&self) -> Result<Vec<ClosureDecision>, String> {
        bytes::closures(&self.closures)
    }

    /// The definitions, sorted by name. The error says what is wrong with the record.
    pub fn symbols(&self) -> Result<Vec<SymbolDecision<String>>, String> {
        bytes::symbols(&self.symbols)
    }

    /// What the import engine looked at, sorted by symbol. The error says what is wrong with the record.
    pub fn imports(&self) -> Result<Vec<ImportDecision>, String> {
        bytes::imports(&self.imports.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::RECORD_START;

    /// The decisions of a file, whatever they point at.
    fn decisions() -> Result<Decisions, Box<dyn std::error::Error>> {
        Ok(read_whole(&file()?[RECORD_START..])?)
    }

    fn file() -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        let symbols = [
            ("_Z1av", Verdict::Root(RootReason::Host)),
            ("_Z1bv", Verdict::Through(-0)),
            ("_Z1é", Verdict::Through(300)),
            ("_Z1ê", Verdict::DeadWith(-2)),
            ("b", Verdict::Unreferenced),
            ("c", Verdict::Root(RootReason::NothingRemoved)),
            ("d", Verdict::CopyOf(1)),
            ("e", Verdict::OnlyCopied),
        ];
        let symbols = symbols.map(|(name, verdict)| SymbolDecision { name, verdict });
        let imports = [imported(), refused()];
        let mut piece = Vec::new();
        for (id, imports) in [("a", imports.to_vec()), ("b", vec![])] {
            let imports = ImportRecord::of(imports, &mut Vec::new());
            let symbols = symbols.clone();
            let id = ModuleId::new(id)?;
            let exit = ClosureExit {
                reason: ExitReason::Undefined,
                caller: 2,
                callee: Some("f".to_owned()),
            };
            let closures = vec![ClosureDecision {
                kernel: 1,
                functions: 3,
                instructions: 70,
                exit: Some(exit),
            }];
            ModuleDecisions::write(&id, symbols, &imports, closures, &mut Vec::new(), &mut piece);
        }
        let mut file = io::Cursor::new(Vec::new());
        Decisions::write_file(2, [piece], &mut file)?;
        Ok(file.into_inner())
    }

    fn imported() -> ImportDecision {
        ImportDecision { symbol: 1, cost: 7, refusal: None, call: None }
    }

    fn refused() -> ImportDecision {
        let call = ImportCall {
            caller: 0,
            level: 255,
            threshold: 490,
            class: CallClass::Critical,
            pass: ImportPass::Speculative,
        };
        let refusal = Some(ImportRefusal::BudgetSpent);
        ImportDecision { symbol: 9, cost: 300, refusal, call: Some(call) }
    }

    #[test]
    fn names_and_verdicts_read_back() -> Result<(), Box<dyn std::error::Error>> {
        let symbols = decisions()?.modules[0].symbols()?;
        let names: Vec<_> = symbols.iter().map(|symbol| symbol.name.as_str()).collect();
        assert_eq!(names, ["_Z1av", "_Z1bv", "_Z1é", "_Z1ê", "b", "c", "d", "e"]);
        assert_eq!(symbols[2].verdict, Verdict::Through(300));
        assert_eq!(symbols[3].verdict, Verdict::DeadWith(-2));
        assert_eq!(symbols[5].verdict, Verdict::Root(RootReason::NothingRemoved));
        assert_eq!(decisions()?.modules[0].imports()?, [imported(), refused()]);
        let closures = decisions()?.modules[0].closures()?;
        assert_eq!(closures[0].instructions, 70);
        assert_eq!(closures[0].exit.as_ref().map(|it| it.caller), Some(2));
        Ok(())
    }

    #[test]
    fn pieces_are_as_the_whole_is_written() -> Result<(), Box<dyn std::error::Error>> {
        assert_eq!(decisions()?.encode()?, file()?);
        Ok(())
    }

    #[test]
    fn positions_outside_the_program_are_refused() -> Result<(), Box<dyn std::error::Error>> {
        let refusal = Decisions::decode(&file()?).err().ok_or("it was taken")?.to_string();
        assert!(refusal.contains("no definition with the number 300"), "{refusal}");
        Ok(())
    }

    #[test]
    fn damaged_records_are_refused() -> Result<(), Box<dyn std::error::Error>> {
        let module = decisions()?.modules.swap_remove(0);
        for length in 1..module.symbols.len() {
            let cut =
                ModuleDecisions { symbols: module.symbols[..length].to_vec(), ..module.clone() };
            let whole = module.symbols()?;
            // A cut between symbols leaves the ones before it.
            assert!(cut.symbols().map_or(true, |some| whole.starts_with(&some)), "{length}");
        }
        Ok(())
    }
}
