//! The file of the decisions of one link.

use std::io::{self, Seek, Write};
use std::iter;

use wincode::{SchemaRead, SchemaWrite};

use crate::decisions::bytes;
use crate::decisions::decision::{ClosureDecision, ImportDecision, SymbolDecision};
use crate::encoding::{read_whole, write_bytes, write_frame, write_number, write_whole};
use crate::{Artifact, ModuleId};

/// The decisions of one link.
#[derive(Clone, Debug, Default, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub struct Decisions {
    /// The modules with device code, sorted by module id.
    pub modules: Vec<ModuleDecisions>,
}

impl Decisions {
    /// Name of the file in the folder of a thin link.
    pub const FILE_NAME: &'static str = "decisions.weft";
}

impl Artifact for Decisions {
    const KIND: &'static str = "record of decisions";
    const MAGIC: [u8; 8] = *b"WEFTDECI";
    const VERSION: u32 = 6;

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
            let pointed = symbols.iter().filter_map(|symbol| symbol.fate.points_at(first));
            let imports = module.imports()?;
            let callers = imports.iter().filter_map(|import| Some(import.call.as_ref()?.caller));
            let imported = imports.iter().map(|import| import.symbol).chain(callers);
            let closures = module.closures()?;
            let kernels = closures.iter().map(|closure| closure.kernel);
            let exits = closures.iter().filter_map(|closure| Some(closure.exit.as_ref()?.caller));
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
    /// Writes the whole file of the decisions about `count` modules. They come in `pieces` that
    /// [`ModuleDecisions::write`] makes, as all together are too large for the memory.
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
    /// Bytes of [`bytes::of_symbols`].
    symbols: Vec<u8>,
    /// Candidates of the import engine.
    imports: ImportRecord,
    /// Bytes of [`bytes::of_closures`].
    closures: Vec<u8>,
}

/// Decisions about imports, in the bytes of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub struct ImportRecord(Box<[u8]>);

impl ImportRecord {
    /// Makes the record of `imports`, which are sorted by symbol. It is built in `room`, so that a
    /// caller that makes many records allocates memory once.
    pub fn of(imports: impl IntoIterator<Item = ImportDecision>, room: &mut Vec<u8>) -> Self {
        room.clear();
        bytes::of_imports(imports, room);
        Self(room.as_slice().into())
    }
}

impl ModuleDecisions {
    /// Appends the decisions about a module to `piece`, in the bytes of the file: about `symbols`,
    /// which are sorted by name, about `imports` and about `closures`. They are built in `room`, so
    /// that a caller that writes many modules allocates memory once.
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

    /// Returns the closures of the module's live kernels, in order; none if modules are not closed.
    /// The error describes the fault of the record.
    pub fn closures(&self) -> Result<Vec<ClosureDecision>, String> {
        bytes::closures(&self.closures)
    }

    /// Returns the definitions, sorted by name. The error describes the fault of the record.
    pub fn symbols(&self) -> Result<Vec<SymbolDecision<String>>, String> {
        bytes::symbols(&self.symbols)
    }

    /// Returns the candidates of the import engine, sorted by symbol. The error describes the fault
    /// of the record.
    pub fn imports(&self) -> Result<Vec<ImportDecision>, String> {
        bytes::imports(&self.imports.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decisions::decision::{
        CallClass, ClosureExit, ExitReason, ImportCall, ImportPass, ImportRefusal, RootReason,
        SymbolFate,
    };
    use crate::encoding::RECORD_START;

    /// Returns the decisions of a file without checking the positions.
    fn decisions() -> Result<Decisions, Box<dyn std::error::Error>> {
        Ok(read_whole(&file()?[RECORD_START..])?)
    }

    fn file() -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        let symbols = [
            ("_Z1av", SymbolFate::Root(RootReason::Host)),
            ("_Z1bv", SymbolFate::Through(-0)),
            ("_Z1é", SymbolFate::Through(300)),
            ("_Z1ê", SymbolFate::DeadWith(-2)),
            ("b", SymbolFate::Unreferenced),
            ("c", SymbolFate::Root(RootReason::NothingRemoved)),
            ("d", SymbolFate::CopyOf(1)),
            ("e", SymbolFate::OnlyCopied),
        ];
        let symbols = symbols.map(|(name, fate)| SymbolDecision { name, fate });
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
        assert_eq!(symbols[2].fate, SymbolFate::Through(300));
        assert_eq!(symbols[3].fate, SymbolFate::DeadWith(-2));
        assert_eq!(symbols[5].fate, SymbolFate::Root(RootReason::NothingRemoved));
        assert_eq!(decisions()?.modules[0].imports()?, [imported(), refused()]);
        let closures = decisions()?.modules[0].closures()?;
        assert_eq!(closures[0].instructions, 70);
        assert_eq!(closures[0].exit.as_ref().map(|exit| exit.caller), Some(2));
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
