//! Summaries of pseudo-random content survive the round trip through their compact records, and
//! records of pseudo-random damage are refused or mean something, and never crash.

use std::num::NonZeroU32;

use weft_artifact::{
    AliasSummary, Artifact as _, Body, Call, Comdat, Declaration, DeviceModule, DistantCall,
    FunctionFlags, FunctionSummary, Guid, Handle, Hotness, ImportPriority, LaunchBounds, Linkage,
    LtoIrModule, MemoryEffects, ModuleId, OptionSetting, ParameterCost, Summary, SummaryFile,
    Symbol, SymbolIndex, TrackedOption, TypeMember, VariableSummary, VirtualCall, VirtualFunction,
    Visibility,
};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Offset of the record in a file.
const RECORD: usize = 44;

/// Marsaglia's xorshift, which gives the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap_or(0)
    }

    fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    fn bool(&mut self) -> bool {
        self.next() & 1 == 1
    }

    /// Returns a number that is mostly small, and sometimes any.
    fn number(&mut self) -> u32 {
        let any = u32::try_from(self.next() >> 32).unwrap_or(0);
        self.one_of(&[0, 0, 1, 7, 255, 256, 70_000, u32::MAX, any])
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(4)).map(|_| item(self)).collect()
    }

    fn index(&mut self) -> SymbolIndex {
        SymbolIndex(self.number())
    }

    fn guid(&mut self) -> Guid {
        Guid(self.next())
    }

    fn name(&mut self) -> String {
        let parts = ["_ZN4weft", "kernel", "é", "I", "f", "E", "", "long ".repeat(99).leak()];
        self.list(|random| random.one_of(&parts)).concat()
    }

    fn flags(&mut self) -> FunctionFlags {
        FunctionFlags {
            has_unwind_info: self.bool(),
            no_inline: self.bool(),
            read_none: self.bool(),
            no_unwind: self.bool(),
            will_return: self.bool(),
            no_return: self.bool(),
            must_progress: self.bool(),
            has_visible_alias: self.bool(),
            has_non_importable_references: self.bool(),
            kernel: self.bool(),
            always_inline: self.bool(),
            not_importable: self.bool(),
            no_recurse: self.bool(),
            profiled: self.bool(),
        }
    }

    fn memory(&mut self) -> MemoryEffects {
        MemoryEffects(self.one_of(&[0, 1, 21, 63]))
    }

    fn call(&mut self) -> Call {
        use Hotness::{Cold, Critical, Hot, None, Unknown};
        Call {
            callee: self.index(),
            count: self.number(),
            hotness: self.one_of(&[Unknown, Cold, None, Hot, Critical]),
            frequency: self.number(),
            cost: ParameterCost {
                argument_bytes: self.number(),
                parameter_bytes: self.number(),
                return_bytes: self.number(),
                coerced_arguments: self.number(),
            },
        }
    }

    fn function(&mut self) -> FunctionSummary {
        use ImportPriority::{Force, Low, Never, Standard};
        FunctionSummary {
            instruction_count: self.number(),
            lifetime_markers: self.number(),
            flags: self.flags(),
            import_priority: self.one_of(&[Never, Low, Standard, Force]),
            complexity_budget: self.number(),
            calls: self.list(Self::call),
            distant_calls: self.list(|random| DistantCall {
                callee: random.guid(),
                hotness: random.one_of(&Hotness::ALL),
            }),
            indirect_calls: self.number(),
            references: self.list(Self::index),
            reads: self.list(Self::index),
            memory: self.memory(),
            own_memory: self.memory(),
            constant_result: self.bool().then(|| self.next()),
            launch_bounds: LaunchBounds {
                max_threads: self.number(),
                required_threads: self.number(),
                min_blocks: self.number(),
                cluster_blocks: self.number(),
                max_cluster_blocks: self.number(),
                max_registers: self.number(),
            },
            type_tests: self.list(Self::guid),
            virtual_calls: self
                .list(|random| VirtualCall { type_id: random.guid(), offset: random.next() }),
        }
    }

    fn variable(&mut self) -> VariableSummary {
        let handles = [None, Some(Handle::Texture), Some(Handle::Surface), Some(Handle::Sampler)];
        VariableSummary {
            size: self.next(),
            alignment: self.number(),
            constant: self.bool(),
            initialized: self.bool(),
            externally_initialized: self.bool(),
            copyable: self.bool(),
            handle: self.one_of(&handles),
            references: self.list(Self::index),
            virtual_functions: self
                .list(|random| VirtualFunction { offset: random.next(), function: random.index() }),
            type_ids: self
                .list(|random| TypeMember { type_id: random.guid(), offset: random.next() }),
        }
    }

    fn symbol(&mut self, module_id: &ModuleId) -> Symbol {
        let name = self.name();
        let linkage = self.one_of(&[
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
        ]);
        let guid = if linkage.is_local() {
            Guid::of_local(module_id, &name)
        } else {
            Guid::of_global(&name)
        };
        let declarations = [
            Declaration::Variable,
            Declaration::DynamicShared(self.number()),
            Declaration::Function,
            Declaration::Kernel,
        ];
        Symbol {
            name,
            guid,
            linkage,
            visibility: self.one_of(&[
                Visibility::Default,
                Visibility::Hidden,
                Visibility::Protected,
            ]),
            dso_local: self.bool(),
            comdat: match self.below(3) {
                0 => Comdat::None,
                1 => Comdat::Own,
                _ => Comdat::Named(self.name()),
            },
            address_space: self.number(),
            address_taken: self.bool(),
            used: self.bool(),
            used_by_host: self.bool(),
            content: self.bool().then(|| u64::from(self.number())),
            prototype: NonZeroU32::new(self.number()),
            body: match self.below(4) {
                0 => Body::Function(self.function()),
                1 => Body::Variable(self.variable()),
                2 => Body::Alias(AliasSummary { target: self.index() }),
                _ => Body::Declaration(self.one_of(&declarations)),
            },
        }
    }

    fn summary(&mut self) -> Result<SummaryFile> {
        let module_id = ModuleId::new(format!("src/{}.cu", self.below(1000)))?;
        let layouts = ["e", "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"];
        let device = DeviceModule {
            architecture: self.name(),
            triple: self.one_of(&["nvptx64-nvidia-cuda", "nvptx64-other"]).to_owned(),
            data_layout: self.one_of(&layouts).to_owned(),
            producer: self.one_of(&["LLVM22.1.8", "LLVM22.1.99"]).to_owned(),
            nvvm_ir_version: self.bool().then(|| (self.number(), self.number())),
            options: self.list(|random| OptionSetting {
                option: random.one_of(&TrackedOption::NAMES).0,
                value: random.number(),
                given: random.bool(),
                fixed: random.bool().then(|| random.number()),
                asked: random.bool(),
            }),
            lto_ir: self.bool().then(|| LtoIrModule {
                release: self.name(),
                ptx_version: self.name(),
                written: self.list(Self::index),
            }),
            symbols: (0..self.below(20)).map(|_| self.symbol(&module_id)).collect(),
        };
        let device = self.bool().then_some(device);
        Ok(Summary { module_id, device, host: None, opaque: Vec::new() }.into())
    }
}

#[test]
fn any_summary_survives_the_round_trip() -> Result<()> {
    let mut random = Random(0x5EED);
    for case in 0..2000 {
        let summary = random.summary()?;
        assert_eq!(SummaryFile::decode(&summary.encode()?)?, summary, "case {case}");
    }
    Ok(())
}

/// Returns a file whose record is `record`, with a matching digest.
fn signed(head: &[u8], record: &[u8]) -> Vec<u8> {
    let compressed = lz4_flex::block::compress_prepend_size(record);
    [&head[..12], weft_artifact::digest(&compressed).as_bytes(), &compressed].concat()
}

/// A writer that computes the digest again passes that check. A damaged record that still decodes
/// is a summary like any other, and survives a round trip.
#[test]
fn damaged_records_are_refused_or_mean_something() -> Result<()> {
    let mut random = Random(0xDA_3A6E);
    let (mut refused, mut understood) = (0, 0);
    for _ in 0..300 {
        let file = random.summary()?.encode()?;
        let record = lz4_flex::block::decompress_size_prepended(&file[RECORD..])
            .map_err(|error| error.to_string())?;
        for _ in 0..20 {
            let mut damaged = record.clone();
            match random.below(3) {
                0 => damaged.truncate(random.below(record.len())),
                1 => damaged.insert(random.below(record.len()), random.one_of(&[0, 1, 251, 255])),
                _ => {
                    for _ in 0..=random.below(3) {
                        let position = random.below(record.len());
                        damaged[position] ^= 1 << random.below(8);
                    }
                }
            }
            match SummaryFile::decode(&signed(&file, &damaged)) {
                Err(_) => refused += 1,
                Ok(summary) => {
                    understood += 1;
                    assert_eq!(SummaryFile::decode(&summary.encode()?)?, summary);
                }
            }
        }
    }
    assert!(refused > 1000 && understood > 100, "{refused} refused, {understood} understood");
    Ok(())
}

#[test]
fn a_record_that_does_not_decompress_is_refused() -> Result<()> {
    let mut random = Random(0xF00D);
    let file = random.summary()?.encode()?;
    for _ in 0..500 {
        let mut compressed = file[RECORD..].to_vec();
        let position = random.below(compressed.len());
        compressed[position] ^= 1 << random.below(8);
        let digest = weft_artifact::digest(&compressed);
        // The result is an error or another summary; in both cases the reader ends.
        let _ = SummaryFile::decode(&[&file[..12], digest.as_bytes(), &compressed].concat());
    }
    Ok(())
}
