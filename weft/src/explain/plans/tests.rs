//! Every field of a plan can be seen in a difference.

use std::collections::BTreeSet;
use std::error::Error;

use serde_json::Value;
use weft_artifact::{FastCompile, Guid, ModuleId, PhaseOptions, TrackedOption};

use super::*;

/// Arithmetic with all options stated.
const ARITHMETIC: Arithmetic =
    Arithmetic { ftz: Some(false), prec_div: Some(true), prec_sqrt: Some(true), fmad: Some(true) };

/// Returns a plan in which every list has an entry.
fn plan() -> Result<Plan, Box<dyn Error>> {
    let call = |outcome, offset| VirtualCallResolution {
        call: VirtualCall { type_id: Guid(9), offset },
        outcome,
    };
    Ok(Plan {
        module_id: ModuleId::new("a.cu")?,
        architecture: "sm_90".to_owned(),
        options: PhaseOptions {
            optimization_level: Some(2),
            fast_compile: Some(FastCompile::Min),
            debug: true,
            largest_constant: Some(256),
            lto_ir: true,
            settings: vec![(TrackedOption::Ftz, 0), (TrackedOption::MaxrregCount, 64)],
        },
        arithmetic: ARITHMETIC,
        symbols: vec![SymbolResolution { name: "f".to_owned(), resolution: Resolution::Keep }],
        members: vec![Member {
            module_id: ModuleId::new("aa.cu")?,
            arithmetic: ARITHMETIC,
            symbols: vec![SymbolResolution {
                name: "f".to_owned(),
                resolution: Resolution::Rename,
            }],
        }],
        imports: vec![ImportList {
            module_id: ModuleId::new("b.cu")?,
            arithmetic: ARITHMETIC,
            symbols: vec!["g".to_owned()],
            copies: Vec::new(),
        }],
        virtual_calls: vec![
            call(VirtualCallOutcome::Calls(vec!["h".to_owned(), "i".to_owned()]), 8),
            call(VirtualCallOutcome::Returns(7), 16),
        ],
        attributes: vec![SymbolAttributes {
            name: "g".to_owned(),
            attributes: FunctionAttributes {
                no_unwind: true,
                no_recurse: true,
                will_return: true,
                memory: MemoryEffects(0b10_1010),
            },
        }],
        is_empty: false,
        import_metadata: false,
        dynamic_shared: vec![SharedAlignment { name: "m".to_owned(), alignment: 64 }],
        kernels: vec![PlannedKernel {
            name: "k".to_owned(),
            choice: KernelChoice { inline_percent: Some(25), max_registers: Some(64) },
        }],
        constants: vec!["v".to_owned()],
        definitions: vec![
            PlannedDefinition { name: "k".to_owned(), kind: DefinitionKind::Kernel },
            PlannedDefinition { name: "v".to_owned(), kind: DefinitionKind::Variable(4) },
        ],
        lto_ir: Some(LtoIrPlan {
            ptx_version: "9.5".to_owned(),
            kernels: vec!["n".to_owned()],
            units: vec![ModuleId::new("src/a.cu")?],
            used_variables: vec!["o".to_owned()],
            symbols: vec![LtoIrSymbol {
                name: "o".to_owned(),
                linked_name: Some("p".to_owned()),
                role: LtoIrRole::Define,
                alignment: None,
            }],
        }),
    })
}

/// Changes a plan, with the id of another module at hand.
type Change = fn(&mut Plan, &ModuleId);

/// One change of each field, and of each kind of value that a field can hold.
const CHANGES: &[Change] = &[
    |plan, other| plan.module_id = other.clone(),
    |plan, _| plan.architecture.push('a'),
    |plan, _| plan.options.optimization_level = None,
    |plan, _| plan.options.fast_compile = None,
    |plan, _| plan.options.largest_constant = None,
    |plan, _| plan.options.lto_ir = false,
    |plan, _| plan.options.debug = false,
    |plan, _| plan.options.settings[0].1 = 1,
    |plan, _| plan.options.settings[1].1 = 0,
    |plan, _| plan.arithmetic.ftz = Some(true),
    |plan, _| plan.arithmetic.prec_div = Some(false),
    |plan, _| plan.arithmetic.prec_sqrt = None,
    |plan, _| plan.arithmetic.fmad = Some(false),
    |plan, _| plan.symbols[0].name.push('2'),
    |plan, _| plan.symbols[0].resolution = Resolution::Remove,
    |plan, _| plan.symbols[0].resolution = Resolution::Internalize,
    |plan, _| plan.symbols[0].resolution = Resolution::Promote,
    |plan, _| plan.symbols[0].resolution = Resolution::AvailableExternally,
    |plan, _| plan.symbols[0].resolution = Resolution::Localize,
    |plan, _| plan.symbols[0].resolution = Resolution::Rename,
    |plan, other| plan.members[0].module_id = other.clone(),
    |plan, _| plan.members[0].arithmetic.ftz = None,
    |plan, _| plan.members[0].arithmetic.prec_div = None,
    |plan, _| plan.members[0].arithmetic.prec_sqrt = None,
    |plan, _| plan.members[0].arithmetic.fmad = None,
    |plan, _| plan.members[0].symbols[0].name.push('2'),
    |plan, _| plan.members[0].symbols[0].resolution = Resolution::Promote,
    |plan, other| plan.imports[0].module_id = other.clone(),
    |plan, _| plan.imports[0].arithmetic.ftz = Some(true),
    |plan, _| plan.imports[0].arithmetic.prec_div = Some(false),
    |plan, _| plan.imports[0].arithmetic.prec_sqrt = None,
    |plan, _| plan.imports[0].arithmetic.fmad = Some(false),
    |plan, _| plan.imports[0].symbols[0].push('2'),
    |plan, _| plan.imports[0].copies.push("g".to_owned()),
    |plan, _| plan.virtual_calls[0].call.type_id = Guid(1),
    |plan, _| plan.virtual_calls[0].call.offset += 64,
    |plan, _| {
        plan.virtual_calls[0].outcome = VirtualCallOutcome::Calls(vec!["j".into(), "k".into()]);
    },
    |plan, _| plan.virtual_calls[1].call.type_id = Guid(1),
    |plan, _| plan.virtual_calls[1].call.offset += 64,
    |plan, _| plan.virtual_calls[1].outcome = VirtualCallOutcome::Returns(8),
    |plan, _| plan.attributes[0].name.push('2'),
    |plan, _| plan.attributes[0].attributes.no_unwind = false,
    |plan, _| plan.attributes[0].attributes.no_recurse = false,
    |plan, _| plan.attributes[0].attributes.will_return = false,
    |plan, _| plan.attributes[0].attributes.memory.0 ^= 1,
    |plan, _| plan.attributes[0].attributes.memory.0 ^= 1 << 1,
    |plan, _| plan.attributes[0].attributes.memory.0 ^= 1 << 2,
    |plan, _| plan.attributes[0].attributes.memory.0 ^= 1 << 3,
    |plan, _| plan.attributes[0].attributes.memory.0 ^= 1 << 4,
    |plan, _| plan.attributes[0].attributes.memory.0 ^= 1 << 5,
    |plan, _| plan.is_empty = true,
    |plan, _| plan.import_metadata = true,
    |plan, _| plan.dynamic_shared[0].name.push('2'),
    |plan, _| plan.dynamic_shared[0].alignment *= 2,
    |plan, _| plan.kernels[0].name.push('2'),
    |plan, _| plan.kernels[0].choice.inline_percent = None,
    |plan, _| plan.kernels[0].choice.max_registers = Some(32),
    |plan, _| plan.constants[0].push('2'),
    |plan, _| plan.definitions[0].name.push('2'),
    |plan, _| plan.definitions[0].kind = DefinitionKind::Variable(1),
    |plan, _| plan.definitions[1].name.push('2'),
    |plan, _| plan.definitions[1].kind = DefinitionKind::Variable(1),
    |plan, _| orders(plan).ptx_version.push('2'),
    |plan, _| orders(plan).kernels[0].push('2'),
    |plan, other| orders(plan).units.insert(0, other.clone()),
    |plan, _| orders(plan).used_variables.clear(),
    |plan, _| orders(plan).symbols[0].name.push('2'),
    |plan, _| orders(plan).symbols[0].linked_name = None,
    |plan, _| orders(plan).symbols[0].role = LtoIrRole::Extern,
    |plan, _| orders(plan).symbols[0].alignment = Some(16),
];

fn orders(plan: &mut Plan) -> &mut LtoIrPlan {
    plan.lto_ir.get_or_insert_default()
}

/// The values of `json` that are neither lists nor objects, by their paths.
fn leaves(json: &Value, path: &str, found: &mut Vec<(String, String)>) {
    match json {
        Value::Array(list) => {
            list.iter()
                .enumerate()
                .for_each(|(at, item)| leaves(item, &format!("{path}/{at}"), found));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(name, field)| leaves(field, &format!("{path}/{name}"), found));
        }
        value => found.push((path.to_owned(), value.to_string())),
    }
}

#[test]
fn each_change_of_each_field_is_a_difference() -> Result<(), Box<dyn Error>> {
    let (plan, other) = (plan()?, ModuleId::new("c.cu")?);
    let leaves_of = |plan: &Plan| -> Result<BTreeSet<(String, String)>, Box<dyn Error>> {
        let mut found = Vec::new();
        leaves(&serde_json::to_value(plan)?, "", &mut found);
        Ok(found.into_iter().collect())
    };
    let mut untouched = leaves_of(&plan)?;
    for (number, change) in CHANGES.iter().enumerate() {
        let mut changed = plan.clone();
        change(&mut changed, &other);
        assert_ne!(changed, plan, "change {number} changes nothing");
        for (old, new) in [(&plan, &changed), (&changed, &plan)] {
            let difference = difference(&lines(old), &lines(new));
            assert!(!difference.is_empty(), "change {number} cannot be seen");
        }
        let after = leaves_of(&changed)?;
        untouched.retain(|leaf| after.contains(leaf));
    }
    assert!(untouched.is_empty(), "no change is about {untouched:?}");
    assert_eq!(difference(&lines(&plan), &lines(&plan)), "");
    Ok(())
}
