//! Every operation once on small modules, for the checks that look for mistakes of memory in C++.

use std::collections::BTreeMap;

use weft_artifact::{Arithmetic, ImportList, ModuleId, PhaseOptions, Plan};
use weft_artifact::{Resolution, SymbolResolution};
use weft_workers::Workers;

use crate::text::{Buffer, Bytes};
use crate::{Background, CodegenOptions, Generator, InlineOptions, Partitions, Wanted};

type Outcome = Result<(), Box<dyn std::error::Error>>;

unsafe extern "C" {
    /// Bitcode of a module in LLVM's text form; no buffer if it is none.
    safe fn weft_assemble(text: Bytes<'_>) -> Buffer;
}

const UNITS: [&str; 8] = [
    include_str!("../../../tests/scenarios/call/a.ll"),
    include_str!("../../../tests/scenarios/chain/b.ll"),
    include_str!("../../../tests/scenarios/closed/a.ll"),
    include_str!("../../../tests/scenarios/closed/b.ll"),
    include_str!("../../../tests/scenarios/odr/a.ll"),
    include_str!("../../../tests/scenarios/promotion/b.ll"),
    include_str!("../../../tests/scenarios/vtable/a.ll"),
    include_str!("../../../tests/scenarios/widths/a.ll"),
];

fn options() -> CodegenOptions {
    CodegenOptions {
        effort: None,
        inline: InlineOptions::default(),
        unrolls_loops: false,
        newest_ptx: None,
    }
}

fn assembled(text: &str) -> Vec<u8> {
    weft_assemble(Bytes::of(text)).to_vec()
}

/// The closed kernel of the scenario, linked with copies of the functions that it calls.
fn linked() -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let [own, source] = [assembled(UNITS[2]), assembled(UNITS[3])];
    let (module_id, source_id) = (ModuleId::new("a")?, ModuleId::new("b")?);
    let called = vec!["called".to_owned(), "pointed_at".to_owned()];
    let arithmetic = Arithmetic { fmad: Some(false), ftz: Some(true), ..Arithmetic::default() };
    let plan = Plan {
        module_id,
        architecture: "sm_90".to_owned(),
        options: PhaseOptions::default(),
        arithmetic,
        symbols: vec![SymbolResolution {
            name: "merged".to_owned(),
            resolution: Resolution::Localize,
        }],
        imports: vec![ImportList {
            module_id: source_id.clone(),
            arithmetic,
            symbols: called.clone(),
            copies: called,
        }],
        members: Vec::new(),
        virtual_calls: Vec::new(),
        attributes: Vec::new(),
        is_empty: false,
        import_metadata: true,
        dynamic_shared: Vec::new(),
        kernels: Vec::new(),
        constants: Vec::new(),
        definitions: Vec::new(),
        lto_ir: None,
    };
    let linked = crate::link(&plan, &own, &BTreeMap::from([(source_id, source)]));
    linked.map_err(|failed| failed.error.into())
}

#[test]
fn units_are_described() -> Outcome {
    for unit in UNITS {
        let (id, background) = (ModuleId::new("unit")?, Background::default());
        let described = crate::describe(&assembled(unit), &id, &background, &Workers::none())?;
        assert!(described.symbols.is_sorted_by(|one, other| one.name <= other.name));
        assert_eq!(described.architecture, "sm_90");
    }
    Ok(())
}

#[test]
fn a_module_is_linked_and_compiled() -> Outcome {
    let linked = linked()?;
    crate::check(&linked)?;
    let wanted = Wanted { optimized: true, ptx: true };
    let compiled = crate::compile(&linked, options(), Generator::Llvm, wanted)?;
    let ptx = String::from_utf8(compiled.ptx)?;
    assert!(ptx.contains(".entry first"), "{ptx}");
    assert_eq!(compiled.before.kernels, 1);
    assert!(!compiled.inlining.decisions.is_empty());
    let whole = crate::combine(&[linked, assembled(UNITS[0])], "whole");
    crate::check(&whole.map_err(|failed| failed.error)?)?;
    Ok(())
}

#[test]
fn names_outside_of_ascii_are_spelled_or_refused() -> Outcome {
    let text = |kernel: &str| {
        format!(
            "target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"
             target triple = \"nvptx64-nvidia-cuda\"
             @\"l\\C3\\B6cal\" = internal addrspace(1) global i32 0
             declare void @\"gr\\C3\\B6\\C3\\9Fe\"(ptr)
             define ptx_kernel void @{kernel}(ptr %p) #0 {{
               store volatile i32 1, ptr addrspace(1) @\"l\\C3\\B6cal\"
               call void @\"gr\\C3\\B6\\C3\\9Fe\"(ptr %p)
               ret void
             }}
             attributes #0 = {{ \"target-cpu\"=\"sm_90\" }}"
        )
    };
    let wanted = Wanted { optimized: false, ptx: true };
    let compile = |text: &str| {
        crate::compile(&assembled(text), options(), Generator::Llvm, wanted).map(|made| made.ptx)
    };
    let ptx = String::from_utf8(compile(&text("kernel"))?)?;
    for name in ["gr$c3$b6$c3$9fe", "l$c3$b6cal"] {
        assert!(ptx.is_ascii() && ptx.contains(name), "{ptx}");
    }
    let error = compile(&text("\"l\\C3\\A4uft\"")).expect_err("a kernel has no other name");
    let message = "PTX has no letters outside of ASCII, and the host looks 'l\u{e4}uft' up";
    assert!(error.to_string().starts_with(message), "{error}");
    Ok(())
}

#[test]
fn partitions_hold_the_module() -> Outcome {
    let split = crate::split(&linked()?, options(), Partitions::Exactly(3))?;
    let mut kernels = 0;
    for partition in &split.partitions {
        let ptx = String::from_utf8(partition.emit(options(), Generator::Llvm)?)?;
        kernels += ptx.matches(".entry first").count();
    }
    assert_eq!((split.partitions.len(), kernels), (3, 1));
    Ok(())
}

#[test]
fn damaged_bitcode_is_refused() {
    let whole = assembled(UNITS[2]);
    let id = ModuleId::new("unit").unwrap_or_else(|_| unreachable!());
    let (background, workers) = (Background::default(), Workers::none());
    for length in (0..whole.len()).step_by(97) {
        assert!(crate::describe(&whole[..length], &id, &background, &workers).is_err());
    }
    assert!(crate::is_plain_host_code(&whole).is_ok_and(|is_host| !is_host));
}

#[test]
fn a_trace_holds_its_spans() {
    crate::trace::start();
    drop(crate::trace::span("work", "unit"));
    assert!(crate::trace::finish().contains("traceEvents"));
}
