//! The on-disk format: bincode's bytes, round trips, and clear refusals.

use weft_artifact::{
    Arithmetic, Artifact, Body, Call, Comdat, Declaration, DecodeError, DefinitionKind,
    DeviceModule, FastCompile, FunctionAttributes, FunctionFlags, FunctionSummary, Guid, HostEntry,
    HostEntryKind, HostFacts, HostReference, ImportList, KernelChoice, LinkSymbols, Linkage,
    LtoIrModule, LtoIrPlan, LtoIrRole, LtoIrSymbol, Member, MemoryEffects, ModuleId, ModuleIdError,
    NamedKind, NamedReference, OpaqueImage, OpaqueKind, OpaqueSymbols, OptionSetting, PhaseOptions,
    Plan, PlannedDefinition, PlannedKernel, ReferenceForm, Resolution, SharedAlignment,
    StagedImports, StagedModule, Summary, SummaryFile, Symbol, SymbolAttributes, SymbolIndex,
    SymbolResolution, TrackedOption, VariableSummary, VirtualCall, VirtualCallOutcome,
    VirtualCallResolution, Visibility,
};

type Result = std::result::Result<(), Box<dyn std::error::Error>>;

fn plan() -> std::result::Result<Plan, Box<dyn std::error::Error>> {
    Ok(Plan {
        module_id: ModuleId::new("src/a.cu")?,
        architecture: "sm_90".to_owned(),
        arithmetic: Arithmetic { prec_div: Some(false), ..Arithmetic::default() },
        symbols: vec![
            SymbolResolution { name: "_Z1fv".to_owned(), resolution: Resolution::Internalize },
            SymbolResolution {
                name: "_Z1gv".to_owned(),
                resolution: Resolution::AvailableExternally,
            },
        ],
        members: vec![Member {
            module_id: ModuleId::new("src/aa.cu")?,
            arithmetic: Arithmetic { ftz: Some(true), ..Arithmetic::default() },
            symbols: vec![SymbolResolution {
                name: "_ZL1hv".to_owned(),
                resolution: Resolution::Rename,
            }],
        }],
        imports: vec![ImportList {
            module_id: ModuleId::new("src/b.cu")?,
            arithmetic: Arithmetic { fmad: Some(true), ..Arithmetic::default() },
            symbols: vec!["g".to_owned(), "h".repeat(300)],
            copies: vec!["h".repeat(300)],
        }],
        options: PhaseOptions {
            optimization_level: Some(3),
            fast_compile: Some(FastCompile::Max),
            debug: false,
            largest_constant: Some(1024),
            lto_ir: true,
            settings: vec![(TrackedOption::MaxrregCount, 300)],
        },
        virtual_calls: vec![VirtualCallResolution {
            call: VirtualCall { type_id: Guid(9), offset: 8 },
            outcome: VirtualCallOutcome::Calls(vec!["i".to_owned()]),
        }],
        attributes: vec![SymbolAttributes {
            name: "i".to_owned(),
            attributes: FunctionAttributes {
                no_unwind: true,
                no_recurse: false,
                will_return: true,
                memory: MemoryEffects::READS_ARGUMENTS,
            },
        }],
        is_empty: false,
        import_metadata: true,
        dynamic_shared: vec![SharedAlignment { name: "j".to_owned(), alignment: 1024 }],
        kernels: vec![PlannedKernel {
            name: "k".to_owned(),
            choice: KernelChoice { inline_percent: Some(25), max_registers: Some(128) },
        }],
        constants: vec!["c".to_owned()],
        definitions: vec![
            PlannedDefinition { name: "d".to_owned(), kind: DefinitionKind::Kernel },
            PlannedDefinition { name: "e".to_owned(), kind: DefinitionKind::Variable(4) },
        ],
        lto_ir: Some(LtoIrPlan {
            ptx_version: "9.5".to_owned(),
            kernels: vec!["k".to_owned()],
            units: vec![ModuleId::new("src/a.cu")?],
            used_variables: vec!["v".to_owned()],
            symbols: vec![LtoIrSymbol {
                name: "v".to_owned(),
                linked_name: Some("v_1".to_owned()),
                role: LtoIrRole::Extern,
                alignment: Some(16),
            }],
        }),
    })
}

fn summary() -> std::result::Result<SummaryFile, Box<dyn std::error::Error>> {
    let function = FunctionSummary {
        instruction_count: 70_000,
        flags: FunctionFlags { kernel: true, ..FunctionFlags::default() },
        calls: vec![Call { count: 3, ..Call::once(SymbolIndex(1)) }],
        references: vec![SymbolIndex(2)],
        ..FunctionSummary::default()
    };
    let variable = VariableSummary { size: u64::MAX, ..VariableSummary::default() };
    let symbol = |name: &str, body| Symbol {
        name: name.to_owned(),
        guid: Guid::of_global(name),
        linkage: Linkage::WeakOdr,
        visibility: Visibility::Hidden,
        dso_local: true,
        comdat: Comdat::Own,
        address_space: 3,
        address_taken: false,
        used: true,
        used_by_host: false,
        content: None,
        prototype: None,
        body,
    };
    let summary = Summary {
        module_id: ModuleId::new("src/a.cu")?,
        device: Some(DeviceModule {
            architecture: "sm_90".to_owned(),
            triple: "nvptx64-nvidia-cuda".to_owned(),
            data_layout: "e".to_owned(),
            producer: "LLVM22.1.8".to_owned(),
            nvvm_ir_version: Some((2, 0)),
            options: vec![OptionSetting {
                option: TrackedOption::Fmad,
                value: 1,
                given: true,
                fixed: None,
                asked: false,
            }],
            lto_ir: Some(LtoIrModule {
                release: "13.5".to_owned(),
                ptx_version: "9.5".to_owned(),
                written: vec![SymbolIndex(2)],
            }),
            symbols: vec![
                symbol("a", Body::Function(function)),
                symbol("b", Body::Declaration(Declaration::Kernel)),
                symbol("c", Body::Variable(variable)),
                symbol("d", Body::Declaration(Declaration::DynamicShared(1024))),
            ],
        }),
        host: Some(HostFacts {
            entries: vec![HostEntry {
                device_name: "a".to_owned(),
                kind: HostEntryKind::Kernel,
                host_symbol: Guid(7),
                host_symbol_is_local: false,
            }],
            references: vec![HostReference { guid: Guid(7), how: ReferenceForm::Explicit }],
            named: vec![NamedReference {
                kind: NamedKind::Kernel,
                internal: true,
                pattern: "_Z1a*".to_owned(),
            }],
            hidden: vec![Guid(7), Guid(9)],
            link: LinkSymbols { defines: vec![7], needs: vec![1, u32::MAX] },
        }),
        opaque: vec![
            OpaqueImage {
                kind: OpaqueKind::NvidiaLtoIr,
                architecture: "sm_90".to_owned(),
                virtual_architecture: None,
                compressed: true,
                symbols: None,
            },
            OpaqueImage {
                kind: OpaqueKind::Ptx,
                architecture: String::new(),
                virtual_architecture: Some(80),
                compressed: false,
                symbols: Some(OpaqueSymbols {
                    defines: vec!["d".to_owned()],
                    needs: vec!["a".to_owned(), "e".to_owned()],
                    dynamic_shared: vec![("e".to_owned(), 128)],
                }),
            },
        ],
    };
    let host_only = Summary {
        module_id: ModuleId::new("lib.a/main.o")?,
        device: None,
        host: None,
        opaque: vec![],
    };
    Ok(SummaryFile { summaries: vec![summary, host_only] })
}

/// The plan's record as bincode 2 derives it, which is an independent reading of the same layout.
mod oracle {
    /// Length of the prefix that is shared with the name before, and the rest.
    pub(crate) type Name = (u32, String);

    /// A module, its arithmetic, and its imports: the name, and twice the number of the attributes,
    /// plus 1 for a function that becomes a copy.
    pub(crate) type Imports = (String, u8, Vec<(Name, u32)>);

    pub(crate) type Symbols = Vec<(Name, u8, u16)>;

    /// Level, level of a fast compilation, whether for a debugger, largest constant, and settings.
    type Options = (Option<u32>, Option<u32>, bool, Option<u32>, bool, Vec<(u32, u32)>);

    #[derive(bincode::Encode, bincode::Decode, Debug, PartialEq)]
    pub(crate) struct Plan {
        pub(crate) module_id: String,
        pub(crate) architecture: String,
        pub(crate) options: Options,
        /// Two bits for each of four options.
        pub(crate) arithmetic: u8,
        /// Name, number of the resolution or 0, and number of the attributes.
        pub(crate) symbols: Symbols,
        /// Module, arithmetic and symbols.
        pub(crate) members: Vec<(String, u8, Symbols)>,
        pub(crate) imports: Vec<Imports>,
        pub(crate) virtual_calls: Vec<((u64, u64), Outcome)>,
        pub(crate) others: Vec<(Name, u16)>,
        pub(crate) is_empty: bool,
        pub(crate) import_metadata: bool,
        pub(crate) dynamic_shared: Vec<(String, u32)>,
        /// Name, percent of the inlining budget, and limit of registers.
        pub(crate) kernels: Vec<(String, Option<u32>, Option<u32>)>,
        pub(crate) constants: Vec<String>,
        pub(crate) definitions: Vec<(String, Kind)>,
        pub(crate) lto_ir: Option<LtoIr>,
    }

    #[derive(bincode::Encode, bincode::Decode, Debug, PartialEq)]
    pub(crate) enum Kind {
        Kernel,
        Variable(u32),
    }

    /// Shared symbols: the name, the name in the program, the number of the role, the alignment.
    pub(crate) type Shared = Vec<(String, Option<String>, u32, Option<u32>)>;
    /// Version of PTX, kernels, units, used variables, and shared symbols.
    pub(crate) type LtoIr = (String, Vec<String>, Vec<String>, Vec<String>, Shared);

    #[derive(bincode::Encode, bincode::Decode, Debug, PartialEq)]
    pub(crate) enum Outcome {
        Calls(Vec<String>),
        Returns(u64),
    }
}

#[test]
fn the_record_is_what_bincode_reads_and_writes() -> Result {
    let file = plan()?.encode()?;
    let expected = oracle::Plan {
        module_id: "src/a.cu".to_owned(),
        architecture: "sm_90".to_owned(),
        options: (Some(3), Some(2), false, Some(1024), true, vec![(4, 300)]),
        arithmetic: 1 << 2,
        symbols: vec![((0, "_Z1fv".to_owned()), 2, 0), ((3, "gv".to_owned()), 5, 0)],
        members: vec![("src/aa.cu".to_owned(), 2, vec![((0, "_ZL1hv".to_owned()), 7, 0)])],
        imports: vec![(
            "src/b.cu".to_owned(),
            2 << 6,
            vec![((0, "g".to_owned()), 0), ((0, "h".repeat(300)), 1)],
        )],
        virtual_calls: vec![((9, 8), oracle::Outcome::Calls(vec!["i".to_owned()]))],
        others: vec![((0, "i".to_owned()), 1 + (1 | 4 | 1 << 4))],
        is_empty: false,
        import_metadata: true,
        dynamic_shared: vec![("j".to_owned(), 1024)],
        kernels: vec![("k".to_owned(), Some(25), Some(128))],
        constants: vec!["c".to_owned()],
        definitions: vec![
            ("d".to_owned(), oracle::Kind::Kernel),
            ("e".to_owned(), oracle::Kind::Variable(4)),
        ],
        lto_ir: Some((
            "9.5".to_owned(),
            vec!["k".to_owned()],
            vec!["src/a.cu".to_owned()],
            vec!["v".to_owned()],
            vec![("v".to_owned(), Some("v_1".to_owned()), 1, Some(16))],
        )),
    };
    let configuration = bincode::config::standard();
    let (decoded, length): (oracle::Plan, usize) =
        bincode::decode_from_slice(&file[44..], configuration)?;
    assert_eq!(decoded, expected);
    assert_eq!(length, file.len() - 44);
    assert_eq!(bincode::encode_to_vec(&expected, configuration)?, &file[44..]);
    Ok(())
}

#[test]
fn records_survive_a_round_trip() -> Result {
    let (plan, summary) = (plan()?, summary()?);
    assert_eq!(Plan::decode(&plan.encode()?)?, plan);
    assert_eq!(SummaryFile::decode(&summary.encode()?)?, summary);
    assert_eq!(summary.encode()?, summary.encode()?);
    let staged = |id: &str, file: &[u8]| -> std::result::Result<_, ModuleIdError> {
        Ok(StagedModule { module_id: ModuleId::new(id)?, file: file.to_vec() })
    };
    let modules = vec![staged("src/b.cu", b"BC")?, staged("src/c.cu", b"")?];
    let imports = StagedImports { modules };
    assert_eq!(StagedImports::decode(&imports.encode()?)?, imports);
    Ok(())
}

#[test]
fn every_truncation_and_every_flipped_bit_is_refused() -> Result {
    let file = summary()?.encode()?;
    for length in 0..file.len() {
        assert!(SummaryFile::decode(&file[..length]).is_err(), "cut at {length}");
    }
    for position in 0..file.len() {
        for bit in 0..8 {
            let mut changed = file.clone();
            changed[position] ^= 1 << bit;
            assert!(SummaryFile::decode(&changed).is_err(), "bit {bit} of byte {position}");
        }
    }
    let mut longer = file;
    longer.push(0);
    assert!(SummaryFile::decode(&longer).is_err());
    Ok(())
}

#[test]
fn another_version_and_another_kind_are_told_apart() -> Result {
    let mut file = summary()?.encode()?;
    assert_eq!(Plan::decode(&file), Err(DecodeError::Magic { kind: "plan" }));
    file[8] += 1;
    assert_eq!(
        SummaryFile::decode(&file),
        Err(DecodeError::Version {
            kind: "summary",
            found: SummaryFile::VERSION + 1,
            expected: SummaryFile::VERSION
        })
    );
    Ok(())
}
