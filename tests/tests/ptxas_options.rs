//! Options that reach ptxas, as ptxas records them in the cubin's note.

use weft_tests::Workbench;

const PTX: &str = ".version 8.8\n.target sm_90\n.address_size 64\n\
                   .visible .entry k()\n{\nret;\n}\n";

/// Returns the command line that ptxas recorded, without the files.
fn recorded(options: &[&str]) -> String {
    let bench = Workbench::new();
    bench.write("k.ptx", PTX);
    bench.assemble("k").args(options.iter().copied()).succeed();
    bench.ptxas_options_of("k.cubin")
}

#[test]
fn options_reach_ptxas() {
    for (options, expected) in [
        (&[][..], "-v  -arch sm_90 -ewp"),
        (&["--maxrregcount", "32"], "-v  -maxrregcount 32 -arch sm_90 -ewp"),
        (&["--lineinfo"], "-v  -lineinfo -arch sm_90 -ewp"),
        (&["--ptxas-opt-level=3"], "-v  -O 3 -arch sm_90 -ewp"),
        (&["--ptxas-opt-level=1"], "-v  -O 1 -arch sm_90 -ewp"),
        (&["--relocatable=false"], "-v  -arch sm_90"),
        (&["--whole-kernels=false"], "-v  -arch sm_90 -c -enable-func-clone-sc true"),
        (&["--whole-kernels=false", "--clone-functions=false"], "-v  -arch sm_90 -c"),
        (&["--Xptxas=-c"], "-v  -arch sm_90 -c"),
        (&["--arch=sm_100a"], "-v  -arch sm_100a -ewp"),
        (&["--Xptxas=--def-load-cache=cg"], "-v  -dlcm cg -arch sm_90 -ewp"),
    ] {
        let recorded = recorded(options);
        let words = |text: &str| {
            let mut words: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
            words.sort();
            words
        };
        assert_eq!(words(&recorded), words(expected), "{options:?}");
    }
    let debug = recorded(&["--debug"]);
    assert!(debug.contains("-g ") && debug.contains("-O 0"), "{debug}");
    // Debug information holds names of files, which are the same everywhere.
    assert!(debug.contains("module.ptx") && !debug.contains('/'), "{debug}");
}

#[test]
fn wrong_options_are_refused() {
    let bench = Workbench::new();
    bench.write("k.ptx", PTX);
    for option in ["--maxrregcount=0", "--ptxas-opt-level=5", "--timeout=0", "--relocatable=maybe"]
    {
        bench.assemble("k").arg(option).expect(2);
    }
    bench.assemble("k").arg("--arch=sm_1").expect(5).says(&["'sm_1' is not defined"]);
    assert!(!bench.file("k.cubin").exists());
}
