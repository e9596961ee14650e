//! Tests with texts of nvlink.

use std::collections::BTreeSet;

use weft_artifact::{Body, Declaration, DeviceModule, Linkage, Symbol, SymbolIndex};

use super::*;

/// PTX by nvlink of a unit whose variables are each used in another way.
const WRITTEN: &str = include_str!("written.ptx");

fn described(text: &str) -> DeviceModule {
    let module_id = ModuleId::new("src/a.cu").unwrap();
    describe(text.as_bytes(), &module_id, &Background::default()).unwrap()
}

/// A text with these declarations and functions.
fn module(text: &str) -> DeviceModule {
    described(&format!(".version 9.5\n.target sm_90\n.address_size 64\n{text}"))
}

fn symbol<'module>(module: &'module DeviceModule, name: &str) -> &'module Symbol {
    module.symbols.iter().find(|symbol| symbol.name == name).unwrap()
}

fn names<'module>(
    module: &'module DeviceModule,
    indices: &[SymbolIndex],
) -> BTreeSet<&'module str> {
    indices.iter().map(|&index| module.symbol(index).unwrap().name.as_str()).collect()
}

fn written(module: &DeviceModule) -> BTreeSet<&str> {
    names(module, &module.lto_ir.as_ref().unwrap().written)
}

#[test]
fn a_variable_is_written_where_its_address_goes_beyond_loads() {
    let module = described(WRITTEN);
    let expected = [
        "__nv_static_32__dec12b03_10_written_cu_652def69_local_stored",
        "added",
        "address_stored",
        "asm_stored",
        "cast_stored",
        "chosen_stored_a",
        "chosen_stored_b",
        "copied_to",
        "elsewhere_stored",
        "in_struct_stored",
        "in_table",
        "other_member",
        "passed_away",
        "passed_to_writer",
        "pointer",
        "returned",
        "stored",
        "vector_stored",
        "walked_stored",
    ];
    assert_eq!(written(&module), BTreeSet::from(expected));
}

#[test]
fn a_register_s_name_means_the_innermost_declaration() {
    let module = module(
        ".visible .global .u32 read;\n.visible .global .u32 stored;\n\
         .visible .func f(.param .b64 f_param_0) {\n.reg .b64 %rd<4>;\n.reg .b64 t;\n\
         mov.u64 t, stored;\n{ .reg .b64 t; mov.u64 t, read; ld.global.u32 %r1, [t]; }\n\
         st.global.u32 [t], 1; ret; }",
    );
    assert_eq!(written(&module), BTreeSet::from(["stored"]));
}

#[test]
fn calls_lead_addresses_only_into_bodies_that_are_believed() {
    let call = |callee: &str| {
        format!(
            "{{ .param .b64 param0; st.param.b64 [param0+0], %rd1; .param .b64 retval0; call.uni \
             (retval0), {callee}, (param0); ld.param.b64 %rd2, [retval0+0]; }} "
        )
    };
    let text = |linkage: &str, callee: &str, body: &str, behind: &str| {
        format!(
            ".visible .global .u32 v;\n{linkage} .func (.param .b64 r) {callee}(.param .b64 p0) {{ \
             .reg .b64 %rd<4>; ld.param.u64 %rd1, [p0]; {body} ret; }}\n\
             .visible .entry k() {{ .reg .b64 %rd<4>; mov.u64 %rd1, v; {}{behind} ret; }}",
            call(callee)
        )
    };
    let is_written = |text: &str| !written(&module(text)).is_empty();
    let reads = "ld.u32 %r1, [%rd1];";
    let stores = "st.u32 [%rd1], 1;";
    let returns = "add.s64 %rd2, %rd1, 8; st.param.b64 [r+0], %rd2;";
    assert!(!is_written(&text("", "f", reads, "")));
    assert!(is_written(&text("", "f", stores, "")));
    assert!(!is_written(&text("", "f", returns, "ld.u32 %r1, [%rd2];")));
    assert!(is_written(&text("", "f", returns, "st.u32 [%rd2], 1;")));
    // Another unit's definition may be the one that is linked, unless it is a constant member.
    assert!(is_written(&text(".weak", "f", reads, "")));
    assert!(is_written(&text(".visible", "f", reads, "")));
    assert!(!is_written(&text(".weak", "_ZNK1f", reads, "")));
    // Units that are not seen call it, too.
    assert!(is_written(&text(".weak", "_ZNK1f", returns, "")));
    // Not every argument has a parameter.
    let more = text("", "f", reads, "").replace(", (param0)", ", (param0, param0)");
    assert!(is_written(&more));
}

#[test]
fn the_address_of_a_local_function_that_escapes_makes_its_results_visible() {
    let text = ".visible .global .u32 v;\n.func (.param .b64 r) f() { .reg .b64 %rd<4>; \
                mov.u64 %rd1, v; st.param.b64 [r+0], %rd1; ret; }\n";
    assert!(written(&module(text)).is_empty());
    let table = format!("{text}.visible .global .u64 table[1] = {{f}};");
    assert_eq!(written(&module(&table)), BTreeSet::from(["v"]));
}

#[test]
fn pointers_in_variables_are_written_through_and_those_in_virtual_tables_are_not() {
    let module = module(
        ".visible .global .u32 a;\n.visible .global .u32 b;\n.extern .global .u32 c;\n\
         .visible .const .u64 p[2] = {generic(a)+4, 0};\n.weak .global .u64 _ZTV1T[2] = {b, f};\n\
         .visible .global .u64 q = c;\n.global .b8 $str[2] = {37};\n.extern .func f();\n\
         .visible .global .u64 s = generic($str);\n.visible .const .u32 d;\n\
         .visible .global .u64 e = d;",
    );
    assert_eq!(written(&module), BTreeSet::from(["a", "c"]));
    let table = symbol(&module, "_ZTV1T").variable().unwrap();
    assert_eq!(names(&module, &table.references), BTreeSet::from(["b", "f"]));
    assert!(symbol(&module, "f").address_taken && !symbol(&module, "e").address_taken);
}

#[test]
fn symbols_have_their_linkage_kind_and_memory() {
    let module = module(
        ".extern .entry child();\n.extern .shared .align 16 .b8 dyn[];\n.extern .func e();\n\
         .visible .func v() .noreturn { .shared .align 4 .b8 inner[8]; .reg .b32 %r<2>; \
         mov.u32 %r1, inner; call.uni e, (); call e; call %rd1, (), p; mov.u64 %rd1, child; }\n\
         .weak .entry w() .maxntid 32, 2, 1 { ret; }\n.common .global .u32 c;\n\
         .weak .shared .b8 s[4];\n.visible .func second();\n.alias second, v;\n\
         .visible .global .attribute(.managed) .u32 m = 3;",
    );
    let of = |name: &str| {
        let found = symbol(&module, name);
        (found.linkage, found.address_space, found.is_definition())
    };
    assert_eq!(of("child"), (Linkage::External, 0, false));
    assert_eq!(symbol(&module, "child").body, Body::Declaration(Declaration::Kernel));
    assert_eq!(symbol(&module, "dyn").body, Body::Declaration(Declaration::DynamicShared(16)));
    assert_eq!(of("inner"), (Linkage::Internal, 3, true));
    assert_eq!(symbol(&module, "inner").variable().unwrap().size, 8);
    assert_eq!(of("w"), (Linkage::WeakAny, 0, true));
    assert_eq!(symbol(&module, "w").function().unwrap().launch_bounds.max_threads, 64);
    assert_eq!(of("c"), (Linkage::Common, 1, true));
    assert_eq!(of("s"), (Linkage::WeakAny, 3, true));
    assert!(symbol(&module, "m").variable().unwrap().externally_initialized);
    let Body::Alias(alias) = &symbol(&module, "second").body else { panic!("no alias") };
    assert_eq!(names(&module, &[alias.target]), BTreeSet::from(["v"]));
    let function = symbol(&module, "v").function().unwrap();
    assert_eq!((function.instruction_count, function.indirect_calls), (5, 1));
    assert_eq!(function.calls.len(), 1);
    assert_eq!((function.calls[0].count, function.calls[0].frequency), (2, 512));
    assert_eq!(names(&module, &function.references), BTreeSet::from(["child", "inner"]));
    assert!(function.flags.no_return && function.flags.not_importable);
    assert!(symbol(&module, "w").content.is_some() && symbol(&module, "v").content.is_none());
}

#[test]
fn equal_weak_definitions_have_equal_digests_in_all_units() {
    let digest = |text: &str| symbol(&module(text), "w").content.unwrap();
    let unit = |number: u32, constant: u32| {
        format!(
            ".global .b8 $str${number}[3] = {{37, {constant}}};\n\
             .func _ZN9_INTERNAL_{number}h() {{ .local .b8 __local_depot{number}[4]; ret; }}\n\
             .weak .func w(.param .b64 w_param_0) {{ .reg .b64 %rd<4>;\n.loc {number} 3 4\n\
             mov.u64 %rd1, $str${number}; bra $L__BB{number}_1; $L__BB{number}_1: call.uni \
             _ZN9_INTERNAL_{number}h, (); call %rd1, (), prototype_{number}; ret; }}"
        )
    };
    assert_eq!(digest(&unit(1, 5)), digest(&unit(2, 5)));
    assert_ne!(digest(&unit(1, 5)), digest(&unit(1, 6)));
    let recursive = ".func l() { call w; ret; }\n.weak .func w() { call l; ret; }";
    assert_eq!(digest(recursive), digest(recursive));
    assert_ne!(digest(recursive), digest(&recursive.replace("call w", "call l")));
}

#[test]
fn the_module_states_its_tools_and_architecture() {
    let module = described(WRITTEN);
    assert_eq!(module.architecture, "sm_90");
    assert_eq!(module.producer, "NVVM7.0.1");
    let facts = module.lto_ir.unwrap();
    assert_eq!((facts.release.as_str(), facts.ptx_version.as_str()), ("13.5", "9.5"));
}

#[test]
fn every_truncation_is_read_or_refused() {
    let module_id = ModuleId::new("a").unwrap();
    for end in (0..WRITTEN.len()).step_by(7) {
        let _ = describe(&WRITTEN.as_bytes()[..end], &module_id, &Background::default());
    }
    for text in [&b".version 9.5\n}"[..], b"\xff", b"", b".version 9.5\n.func f( {"] {
        assert!(describe(text, &module_id, &Background::default()).is_err());
    }
}
