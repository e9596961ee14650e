//! Tests with PTX that nvlink wrote for the two units in `tests/lto_ir_samples`: of each the run
//! for kernels, and of one the run that keeps all that is visible.

use weft_container::{PtxItemKind, ptx_items, ptx_words};

use super::*;

const A: &str = include_str!("samples/a.kernels.ptx");
const A_OWN: &str = include_str!("samples/a.own.ptx");
const B: &str = include_str!("samples/b.kernels.ptx");
const B_WHOLE: &str = include_str!("samples/b.whole.ptx");

const FLAG: &str = "__nv_static_24__1a1a1a1a_4_a_cu_counter_flag";
const ADD: &str = "_ZN33_INTERNAL_1a1a1a1a_4_a_cu_counter3addEi";
const TWICE: &str = "_ZN32_INTERNAL_2b2b2b2b_4_b_cu_square5twiceEi";
const BUFFER: &str = "_ZZ8bufferedIiET_S0_E6buffer";

use LtoIrRole::{Define, Extern};
use weft_artifact::{LtoIrPlan, LtoIrRole, LtoIrSymbol, SharedAlignment};

/// A symbol that jobs share, as its name and its name in the program.
type Shared<'name> = (&'name str, LtoIrRole, Option<&'name str>);

fn plan(kernels: &[&str], used: &[&str], symbols: &[Shared<'_>]) -> LtoIrPlan {
    let names = |names: &[&str]| {
        let mut names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        names.sort_unstable();
        names
    };
    let mut symbols: Vec<LtoIrSymbol> = symbols
        .iter()
        .map(|&(name, role, linked_name)| LtoIrSymbol {
            name: name.to_owned(),
            linked_name: linked_name.map(str::to_owned),
            role,
            alignment: None,
        })
        .collect();
    symbols.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    let (kernels, used_variables) = (names(kernels), names(used));
    LtoIrPlan { kernels, used_variables, symbols, ..LtoIrPlan::default() }
}

/// The plan of the first unit, all of whose kernels are live.
fn plan_of_a() -> LtoIrPlan {
    plan(
        &["_Z3setiPPFiiE", "_Z3usePi", "_Z6launchPi"],
        &["counter", "coeffs", FLAG, "table", "ops", "shape", "total"],
        &[
            ("counter", Define, None),
            ("coeffs", Define, None),
            (FLAG, Define, Some("flag_of_a")),
            (ADD, Define, Some("add_of_a")),
            ("table", Extern, None),
            ("ops", Extern, None),
            ("shape", Extern, None),
            ("total", Extern, None),
            ("_Z5childPi", Extern, None),
            ("_Z6thricei", Extern, None),
            (TWICE, Extern, Some("twice_of_b")),
        ],
    )
}

/// The plan of the second unit, with more symbols.
fn plan_of_b(more: &[Shared<'_>]) -> LtoIrPlan {
    let symbols = [
        ("counter", Extern, None),
        ("table", Define, None),
        ("ops", Define, None),
        ("shape", Define, None),
        ("total", Define, None),
        ("_Z6thricei", Define, None),
        (TWICE, Define, Some("twice_of_b")),
    ];
    let used = ["counter", "table", "ops", "shape", "total"];
    plan(&["_Z5childPi", "_Z4fillPi"], &used, &[&symbols[..], more].concat())
}

fn of(kernels: &str, plan: &LtoIrPlan) -> String {
    rewrite(&Texts::of_kernels(kernels), plan, &[]).unwrap()
}

/// Returns the first lines of all symbols, of functions with `{` if they are defined.
fn declarations(text: &str) -> Vec<String> {
    let items = ptx_items(text).unwrap();
    let symbols = items.iter().filter(|item| {
        matches!(item.kind, PtxItemKind::Function | PtxItemKind::Kernel | PtxItemKind::Variable(_))
    });
    symbols
        .map(|item| {
            let line = text[item.range.clone()].lines().next().unwrap_or_default();
            let line = line.trim_end_matches('(').trim_end();
            if item.body.is_some() { format!("{line} {{") } else { line.to_owned() }
        })
        .collect()
}

/// Returns the text of the definition of `name`.
fn definition<'text>(text: &'text str, name: &str) -> &'text str {
    let items = ptx_items(text).unwrap();
    let item = items.iter().find(|item| item.name == name && item.is_definition()).unwrap();
    &text[item.range.clone()]
}

/// Code that sees a module as a whole may load several values at once, so definition and
/// declarations agree on an alignment for it.
#[test]
fn constants_that_jobs_share_are_aligned() {
    let mut plan = plan_of_a();
    for symbol in &mut plan.symbols {
        let constant = symbol.name == "coeffs" || symbol.name == "table";
        symbol.alignment = constant.then_some(16);
    }
    let text = of(A, &plan);
    let declared = declarations(&text);
    let of = |name: &str| declared.iter().find(|line| line.contains(name)).unwrap().clone();
    assert!(of("coeffs").starts_with(".visible .const .align 16 "), "{}", of("coeffs"));
    assert!(of(" table[").starts_with(".extern .global .align 16 "), "{}", of(" table["));
    assert!(of("counter").starts_with(".visible .global .align 4 "), "{}", of("counter"));
}

#[test]
fn what_jobs_share_has_one_definition() {
    let text = of(A, &plan_of_a());
    let found = declarations(&text);
    let has = |line: &str| assert!(found.iter().any(|known| known == line), "{line}: {found:#?}");
    has(".visible .global .align 4 .u32 flag_of_a = 3;");
    has(".visible .global .align 4 .b8 counter[16] = {5};");
    has(".extern .global .align 4 .b8 table[16];");
    has(".extern .global .align 8 .u64 ops[2];");
    has(".extern .global .align 8 .u64 shape;");
    has(".extern .global .align 4 .u32 total;");
    has(".extern .entry _Z5childPi");
    has(".visible .func (.param .b32 func_retval0) add_of_a {");
    has(".visible .entry _Z6launchPi {");
    // Nobody else names it.
    has(".global .align 8 .u64 registered;");
    assert!(ptx_words(&text, 0..text.len()).all(|(word, _)| word != FLAG && word != ADD));
    // The table is elsewhere, and so are the functions in it.
    assert!(!text.contains("twice") && !text.contains("thrice"), "{text}");
    assert!(definition(&text, "_Z3setiPPFiiE").contains("flag_of_a"));

    let text = of(B, &plan_of_b(&[]));
    let found = declarations(&text);
    let has = |line: &str| assert!(found.iter().any(|known| known == line), "{line}: {found:#?}");
    has(".extern .global .align 4 .b8 counter[16];");
    has(".visible .global .align 8 .u64 ops[2] = {twice_of_b, _Z6thricei};");
    has(".visible .func (.param .b32 func_retval0) twice_of_b {");
    has(".func (.param .b32 func_retval0) _Z6helperii {");
    has(".global .align 8 .u64 _ZTV6Square[3] = {0, 0, _ZN6Square4areaEi};");
    has(".func (.param .b32 func_retval0) _ZN6Square4areaEi {");
    assert!(definition(&text, "twice_of_b").contains("total"));
}

#[test]
fn a_function_is_external_only_if_its_address_counts() {
    // The other unit's table is this job's own here, and the address of one function is not.
    let symbols =
        [("_Z6thricei", Extern, None), ("_Z5otherii", Extern, None), ("_Z4pickii", Extern, None)];
    let plan = plan(&["_Z3usePi"], &["ops"], &symbols);
    let text = of(A, &plan);
    let found = declarations(&text);
    let has = |line: &str| assert!(found.iter().any(|known| known == line), "{line}: {found:#?}");
    has(&format!(".global .align 8 .u64 ops[2] = {{{TWICE}, _Z6thricei}};"));
    has(".extern .func (.param .b32 func_retval0) _Z6thricei");
    has(&format!(".func (.param .b32 func_retval0) {TWICE} {{"));
    // nvlink has changed the signature of what is only called.
    has(".func (.param .b32 func_retval0) _Z4pickii {");
    has(".func (.param .b32 func_retval0) _Z5otherii {");
    assert!(!found.iter().any(|line| line.contains("_Z6launchPi")), "{found:#?}");
}

#[test]
fn functions_whose_signature_may_have_changed_come_from_the_other_run() {
    let more = [("_Z5otherii", Define, None), ("_Z6helperii", Define, Some("helper_of_b"))];
    let plan = plan_of_b(&more);
    let lacking = ["_Z5otherii", "_Z6helperii"].map(str::to_owned).to_vec();
    assert_eq!(lacking_functions(B, None, &plan), Ok(lacking.clone()));
    let without = Texts::of_kernels(B);
    assert_eq!(rewrite(&without, &plan, &[]), Err(JobError::NoFunction("_Z5otherii".to_owned())));
    let text = rewrite(&Texts { whole: Some(B_WHOLE), ..without }, &plan, &[]).unwrap();
    let found = declarations(&text);
    let count = |line: &str| found.iter().filter(|known| known.as_str() == line).count();
    let function = "func (.param .b32 func_retval0)";
    for line in [
        format!(".visible .{function} _Z5otherii {{"),
        format!(".visible .{function} helper_of_b {{"),
        format!(".{function} _Z6helperii$kernels {{"),
        ".visible .global .align 4 .u32 total;".to_owned(),
    ] {
        assert_eq!(count(&line), 1, "{line}: {found:#?}");
    }
    assert!(definition(&text, "_Z4fillPi").contains("_Z6helperii$kernels"));
    assert!(definition(&text, "_Z5otherii").contains("\n\thelper_of_b,"));
    // Equal functions are there once, and so is shared memory.
    assert_eq!(
        text.matches("buffered").count(),
        text.replace("$whole", "").matches("buffered").count()
    );
    assert_eq!(found.iter().filter(|line| line.ends_with("_Z8bufferedIiET_S0_ {")).count(), 1);

    // The run for kernels saw no writer of what this function writes.
    let forgetful = LtoIrPlan { used_variables: Vec::new(), ..plan };
    let found = written_variables(B_WHOLE, &lacking, &forgetful);
    assert_eq!(found, Ok(vec!["total".to_owned()]));
}

#[test]
fn different_locals_of_the_two_runs_have_two_names() {
    let plan = plan_of_b(&[("_Z5otherii", Define, None), ("own", Define, None)]);
    // Both runs have a function and a variable of the other names, with other contents.
    let whole =
        B_WHOLE.replace("call.uni (retval0), \n\t_Z6helperii", "call.uni (retval0), \n\tlocal");
    let own = "\n.global .align 4 .b8 constant[8] = {1};\n.shared .align 4 .b8 block[8];\n";
    let local = |value: u32| {
        format!(
            "{own}.func local() {{ .reg .b32 %r<2>; mov.b32 %r1, constant; mov.b32 %r1, {value}; \
             mov.b32 %r1, block; ret; }}\n"
        )
    };
    let used = ".visible .entry _Z4fillPi2() { call local; ret; }";
    let kernels = format!("{B}{}{used}", local(1).replace("{1}", "{2}"));
    let whole = format!("{whole}{}.visible .func own() {{ call local; ret; }}", local(2));
    let plan = LtoIrPlan {
        kernels: ["_Z4fillPi", "_Z4fillPi2", "_Z5childPi"].map(str::to_owned).to_vec(),
        ..plan
    };
    let texts = Texts { kernels: &kernels, whole: Some(&whole), own: None, plain: None };
    let text = rewrite(&texts, &plan, &[]).unwrap();
    assert!(
        definition(&text, "local").contains("1;")
            && definition(&text, "local$whole").contains("2;")
    );
    assert!(definition(&text, "local$whole").contains("constant$whole"));
    assert!(definition(&text, "constant$whole").ends_with("{1};"));
    assert!(definition(&text, "own").contains("local$whole"));
    // Shared memory of a block is the same for both.
    assert!(definition(&text, "local$whole").contains(" block;"));
}

#[test]
fn shared_memory_that_jobs_share_leaves_its_function() {
    let with = |role| {
        let mut plan = plan_of_b(&[(BUFFER, role, Some("buffer_of_b"))]);
        plan.used_variables.clear();
        of(B, &plan)
    };
    let of_function = |text: &str| definition(text, "_Z8bufferedIiET_S0_").to_owned();
    assert!(of_function(&of(B, &plan_of_b(&[]))).contains(".shared .align 4 .b8"));
    for (role, line) in [
        (Define, ".visible .shared .align 4 .b8 buffer_of_b[128];"),
        (Extern, ".extern .shared .align 4 .b8 buffer_of_b[128];"),
    ] {
        let text = with(role);
        assert!(text.contains(&format!("\n{line}\n")), "{text}");
        let function = of_function(&text);
        assert!(!function.contains(".shared .align") && function.contains("buffer_of_b"));
    }
}

#[test]
fn dynamic_shared_memory_has_the_alignment_of_the_program() {
    let alignment = SharedAlignment { name: "dynamic".to_owned(), alignment: 256 };
    let texts = Texts::of_kernels(A);
    let text = rewrite(&texts, &plan_of_a(), &[alignment]).unwrap();
    assert!(text.contains("\n.extern .shared .align 256 .b8 dynamic[];\n"), "{text}");
}

#[test]
fn what_nvlink_owes_is_checked() {
    let own = Some(A_OWN);
    let result = |kernels: &str, plan: &LtoIrPlan| {
        rewrite(&Texts { kernels, whole: None, own, plain: None }, plan, &[])
    };
    assert!(result(A, &plan_of_a()).is_ok());
    let shrunk = A.replace(".align 4 .u32 __nv_static", ".align 1 .u8 __nv_static");
    assert_ne!(shrunk, A);
    assert_eq!(
        result(&shrunk, &plan_of_a()).unwrap_err().to_string(),
        format!(
            "nvlink changed the shared variable '{FLAG}' from '.global .align 4 .u32 {FLAG}' to \
             '.global .align 1 .u8 {FLAG}'"
        )
    );
    let smaller = A.replace("counter[16]", "counter[8]");
    assert!(matches!(result(&smaller, &plan_of_a()), Err(JobError::Changed { .. })));
    let without: String =
        A.lines().filter(|line| !line.contains(" coeffs[")).flat_map(|line| [line, "\n"]).collect();
    assert_eq!(
        rewrite(
            &Texts { kernels: &without, whole: Some(&without), own, plain: None },
            &plan_of_a(),
            &[]
        ),
        Err(JobError::NoDefinition("coeffs".to_owned()))
    );
    let kernel = LtoIrPlan { kernels: vec!["_Z5childPi2".to_owned()], ..plan_of_a() };
    assert_eq!(result(A, &kernel), Err(JobError::NoKernel("_Z5childPi2".to_owned())));
    assert!(matches!(result("hello", &plan_of_a()), Err(JobError::Ptx(_))));
}

#[test]
fn numbers_and_orders_of_nvlink_leave_no_trace() {
    let plan = plan_of_a();
    let text = of(A, &plan);
    assert!(!text.contains("//") && !text.contains("$L__BB") && !text.contains("$str$1["));
    // Another number for all that is numbered through the module, and another order of literals.
    let mut other = A.replace("$L__BB", "$L__BB9").replace("callseq ", "callseq 7");
    other = other.replace("prototype_", "prototype_3").replace("__local_depot", "__local_depot1");
    other =
        other.replace("$str$1", "$str$5").replace("$str,", "$str$1,").replace("$str;", "$str$1;");
    other = other.replace("$str[", "$str$1[");
    let lines: Vec<&str> = other.lines().collect();
    let first = lines.iter().position(|line| line.contains(".b8 $str$5[")).unwrap();
    let mut swapped = lines.clone();
    swapped.swap(first, first + 1);
    let added = ".visible .entry another() { ret; }\n.global .align 1 .b8 $str[2] = {1};\n";
    let other = format!("{}\n{added}", swapped.join("\n"));
    assert_ne!(other, A);
    assert_eq!(of(&other, &plan), text);
    // What the job has says nothing of the rest of the job.
    let alone =
        LtoIrPlan { kernels: vec!["_Z3usePi".to_owned()], symbols: Vec::new(), ..plan.clone() };
    let more = LtoIrPlan { kernels: plan.kernels, symbols: Vec::new(), ..plan_of_a() };
    let (alone, more) = (of(A, &alone), of(A, &more));
    for name in ["_Z3usePi", "_Z4pickii", "_Z8bufferedIiET_S0_", TWICE] {
        assert_eq!(definition(&alone, name), definition(&more, name));
    }
}

#[test]
fn a_job_without_kernels_has_a_head() {
    let text = of(B, &LtoIrPlan::default());
    assert_eq!(text, ".version 9.5\n.target sm_90\n.address_size 64\n");
}
