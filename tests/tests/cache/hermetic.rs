//! Each step gives the same bytes in a root that holds its declared inputs and nothing else, for
//! another user, in another folder, on another day, without a network. No step asks for any other
//! file.

use weft_tests::chain;
use weft_tests::{Sandbox, Workbench, sandbox, tools};

/// Returns a bench with all outputs of the steps for a small program, made outside of any sandbox.
fn built() -> Workbench {
    let bench = chain::built();
    sandbox::assert_possible(&bench);
    bench
}

/// Checks one step: a program with its arguments, its inputs and its outputs.
fn check(bench: &Workbench, line: &str, inputs: &[&str], outputs: &[&str]) {
    let ptxas = tools().cuda("ptxas");
    let (program, arguments) = line.split_once(' ').unwrap_or_default();
    let (program, arguments) = (tools().weft(program), arguments.split_whitespace());
    let arguments: Vec<&str> = arguments.collect();
    let mut programs = vec![program.as_path()];
    if line.contains("--ptxas") {
        programs.push(&ptxas);
    }
    let folder = format!("sandbox-{}", line.split(' ').take(2).collect::<Vec<_>>().join("-"));
    let sandbox = Sandbox::new(bench, &folder, &programs).inputs(inputs).outputs(outputs);
    let traced = sandbox.run(&arguments);
    assert_eq!(traced.outcome.code, Some(0), "{line}: {}", traced.outcome.stderr);
    assert!(traced.undeclared.is_empty(), "{line} asked for {:#?}", traced.undeclared);
    // Assembly is the only step with a child process, which is ptxas.
    let names =
        programs.iter().filter_map(|path| path.file_name()).map(|name| name.to_string_lossy());
    let mut names: Vec<_> = names.collect();
    // A run of all phases asks ptxas for the newest PTX that it takes, before it writes any.
    if arguments[0] == "run" {
        names.push("ptxas".into());
    }
    assert_eq!(traced.started, names, "{line}");
    let same = |where_from: &str| {
        for output in outputs {
            let inside = format!("{folder}/{output}");
            let is_same = bench.read(&inside) == bench.read(output);
            assert!(is_same, "{line}: {output} differs {where_from}");
            // A step leaves outputs alone that would not change, so they are removed before the
            // next run.
            bench.remove(&inside);
        }
    };
    same("in the sandbox");
    let outcome = sandbox.run_on_another_day(&arguments);
    assert_eq!(outcome.code, Some(0), "{line}: {}", outcome.stderr);
    same("on another day");
}

#[test]
fn every_step_reads_what_it_declares_and_gives_the_same_bytes() {
    let bench = built();
    let check = |line, inputs: &[&str], outputs: &[&str]| check(&bench, line, inputs, outputs);
    check(
        "summarize --module-id a -o a.summary --bitcode a.bc a.o",
        &["a.o"],
        &["a.summary", "a.bc"],
    );
    check(
        "thinlink --has-global-host-info -o plans a.summary b.summary c.summary",
        &["a.summary", "b.summary", "c.summary"],
        &[
            "plans/a.plan",
            "plans/b.plan",
            "plans/c.plan",
            "plans/decisions.weft",
            "plans/manifest.json",
        ],
    );
    check(
        "backend-job import --plan plans/a.plan --module a.bc --import b=b.bc --import c=c.bc \
         -o a.linked.bc",
        &["plans/a.plan", "a.bc", "b.bc", "c.bc"],
        &["a.linked.bc"],
    );
    check("backend-job codegen a.linked.bc -o a.ptx", &["a.linked.bc"], &["a.ptx"]);
    check("backend-job assemble --ptxas /program/ptxas a.ptx -o a.cubin", &["a.ptx"], &["a.cubin"]);
    check(
        "backend-job run --plan plans/a.plan --module a.bc --import b=b.bc --import c=c.bc \
         --ptxas /program/ptxas --emit linked,ptx,cubin -o a.cubin",
        &["plans/a.plan", "a.bc", "b.bc", "c.bc"],
        &["a.linked.bc", "a.ptx", "a.cubin"],
    );
}

#[test]
fn a_module_that_was_not_imported_from_is_not_even_opened() {
    let bench = built();
    // The plan of `c` imports nothing, so the files that the command line offers are not opened.
    check(
        &bench,
        "backend-job import --plan plans/c.plan --module c.bc --import a=a.bc --import b=b.bc \
         -o c.linked.bc",
        &["plans/c.plan", "c.bc"],
        &["c.linked.bc"],
    );
}

#[test]
fn the_sandbox_sees_what_is_not_declared() {
    let bench = Workbench::new();
    sandbox::assert_possible(&bench);
    bench.write("known", "not PTX");
    bench.write("secret", "not PTX");
    let program = tools().weft("backend-job");
    for file in ["secret", "/etc/hostname", "../away/secret", "/usr/share/secret"] {
        let name = format!("sandbox{}", file.replace('/', "-"));
        let sandbox = Sandbox::new(&bench, &name, &[&program]).inputs(&["known"]);
        let traced = sandbox.run(&["codegen", file, "-o", "known"]);
        assert_eq!(traced.outcome.code, Some(4), "{}", traced.outcome.stderr);
        assert_eq!(traced.undeclared.iter().map(String::as_str).collect::<Vec<_>>(), [file]);
    }
}

#[test]
fn the_sandbox_has_another_day_and_another_user() {
    let bench = Workbench::new();
    sandbox::assert_possible(&bench);
    for (program, argument, expected) in [("date", "+%Y-%m-%d", "2001-02-03"), ("id", "-u", "4711")]
    {
        let path = std::path::Path::new("/usr/bin").join(program);
        let outcome = Sandbox::new(&bench, program, &[&path]).run_on_another_day(&[argument]);
        assert_eq!(outcome.stdout.trim(), expected, "{}", outcome.stderr);
    }
}
