//! A function by which a program is miscompiled is found by bisecting `--import-cutoff`.

use std::collections::BTreeSet;

use weft_tests::Workbench;

/// Number of functions that the kernel's module gets from the other one.
const FUNCTIONS: usize = 24;
/// The function with the planted fault.
const FAULTY: usize = 17;
/// Number that the faulty function writes.
const WRONG: usize = 777_777;

const HEAD: &str = "target triple = \"nvptx64-nvidia-cuda\"\n";
const TAIL: &str = "attributes #0 = { \"target-cpu\"=\"sm_90\" }\n";

/// The unit of the kernel, which calls every third function.
fn kernel() -> String {
    let callees = || (0..FUNCTIONS).step_by(3);
    let declared: Vec<_> = callees().map(|n| format!("declare void @f{n}(ptr)\n")).collect();
    let calls: Vec<_> = callees().map(|n| format!("  call void @f{n}(ptr %p)\n")).collect();
    let (declared, calls) = (declared.concat(), calls.concat());
    format!(
        "{HEAD}{declared}define ptx_kernel void @k(ptr %p) #0 {{\n{calls}  ret void\n}}\n{TAIL}"
    )
}

/// The unit of the functions. Each writes a number and calls the next one, up to the next that the
/// kernel calls.
fn functions(faulty: Option<usize>) -> String {
    let function = |number: usize| {
        let written = if faulty == Some(number) { WRONG } else { 1000 + number };
        let next = match number % 3 {
            2 => String::new(),
            _ => format!("  call void @f{}(ptr %p)\n", number + 1),
        };
        format!(
            "define void @f{number}(ptr %p) #0 {{\n  store volatile i32 {written}, ptr %p\n{next}  \
             ret void\n}}\n"
        )
    };
    let all: String = (0..FUNCTIONS).map(function).collect();
    format!("{HEAD}{all}{TAIL}")
}

/// Links with a cut-off, and returns the functions that the kernel's module gets, and whether its
/// code is wrong. The bodies that it gets are of a unit with the fault.
fn link(bench: &Workbench, cutoff: usize) -> (BTreeSet<String>, bool) {
    let options = ["--print-imports", &format!("--import-cutoff={cutoff}")];
    let told = bench.thinlink(&["a", "b"], &options).stdout;
    let name = |line: &str| line.split(' ').nth(2).map(str::to_owned);
    let names = told.lines().filter_map(name).collect();
    bench
        .weft("backend-job")
        .args(["import", "--plan=plans/a.plan", "--module=a.bc", "--import=b=faulty.bc"])
        .args(["-o", "a.linked.bc"])
        .succeed();
    bench.codegen("a").succeed();
    let ptx = String::from_utf8(bench.read("a.ptx")).unwrap();
    (names, ptx.contains(&WRONG.to_string()))
}

#[test]
fn a_cut_off_finds_the_function_that_makes_a_program_wrong() {
    let bench = Workbench::new();
    bench.write("a.ll", kernel());
    bench.write("b.ll", functions(None));
    bench.write("faulty.ll", functions(Some(FAULTY)));
    bench.prepare(&["a", "b", "faulty"]);
    // By default, modules are closed: all functions are copies.
    assert!(link(&bench, FUNCTIONS).1, "the fault shows nowhere");
    let (mut right, mut wrong) = (0, FUNCTIONS);
    assert_eq!(link(&bench, right), (BTreeSet::new(), false));
    while wrong - right > 1 {
        let middle = usize::midpoint(right, wrong);
        let (names, is_wrong) = link(&bench, middle);
        assert_eq!(names.len(), middle, "{names:?}");
        if is_wrong { wrong = middle } else { right = middle }
    }
    let (before, after) = (link(&bench, right).0, link(&bench, wrong).0);
    let found: Vec<_> = after.difference(&before).collect();
    assert_eq!(found, [&format!("f{FAULTY}")]);
    assert!(before.is_subset(&after));
}
