//! One combined module, and its PTX in one piece, made from a program's optimized modules.

use weft_tests::{ARCHITECTURE, Workbench, tools};

/// Returns a bench with two units that call each other, with locals of the same name, and a table
/// without functions.
fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write(
        "a.cu",
        "extern __constant__ int table[4];\n\
         __device__ int other(int);\n\
         static __device__ __noinline__ int local(int x) { return x * 3 + table[x & 3]; }\n\
         __device__ __noinline__ int mine(int x) { return local(x); }\n\
         __global__ void first(int *p) { *p = other(*p) + local(*p); }\n\
         void launch(int *p) { first<<<1, 1>>>(p); }\n",
    );
    bench.write(
        "b.cu",
        "__device__ int mine(int);\n\
         static __device__ __noinline__ int local(int x) { return x * 5 + 1; }\n\
         __device__ __noinline__ int other(int x) { return local(x) + mine(x); }\n\
         __global__ void second(int *p) { *p = other(*p); }\n\
         void launch_second(int *p) { second<<<1, 1>>>(p); }\n",
    );
    bench.write("c.cu", "__constant__ int table[4] = {1, 2, 3, 4};\n");
    let names = ["a", "b", "c"];
    bench.prepare(&names);
    bench.thinlink(&names, &[]);
    for name in names {
        bench.import(name, &names).succeed();
        let files = [format!("{name}.linked.bc"), "-o".to_owned(), format!("{name}.opt.bc")];
        bench.weft("backend-job").args(["codegen", "--emit", "bc"]).args(files).succeed();
    }
    bench
}

#[test]
fn optimized_modules_become_one_piece_of_ptx_that_needs_no_linker() {
    let bench = bench();
    let combine = || bench.weft("backend-job").args(["combine", "-o", "whole.bc"]);
    combine().args(["a.opt.bc", "b.opt.bc", "c.opt.bc"]).succeed();
    let whole = bench.read("whole.bc");
    bench.write("modules.rsp", "a.opt.bc\nb.opt.bc\nc.opt.bc\n");
    combine().arg("@modules.rsp").succeed();
    assert!(whole == bench.read("whole.bc"), "the same modules gave other bytes");

    bench.weft("backend-job").args(["codegen", "whole.bc", "-o", "whole.ptx"]).succeed();
    let ptx = String::from_utf8(bench.read("whole.ptx")).expect("PTX is text");
    for kernel in [".entry _Z5firstPi", ".entry _Z6secondPi"] {
        assert!(ptx.contains(kernel), "{kernel} is missing:\n{ptx}");
    }
    assert!(!ptx.contains(".extern"), "something is left to be linked:\n{ptx}");
    // The PTX is not relocatable: ptxas makes a finished image, as the driver does.
    weft_tests::Run::new(tools().cuda("ptxas"), bench.path())
        .args([&format!("-arch={ARCHITECTURE}"), "whole.ptx", "-o", "whole.cubin"])
        .succeed();
}

#[test]
fn modules_of_different_programs_are_not_combined() {
    let bench = bench();
    let text = bench.text_of("b.opt.bc").replace("sm_90", "sm_80");
    bench.write("other.ll", text);
    bench.llvm("llvm-as").args(["other.ll", "-o", "other.bc"]).succeed();
    let combine = || bench.weft("backend-job").args(["combine", "-o", "whole.bc"]);
    combine()
        .args(["a.opt.bc", "other.bc"])
        .expect(3)
        .says(&["other.bc", "it is for sm_80, and the modules before it are for sm_90"]);
    combine()
        .args(["a.opt.bc", "a.opt.bc"])
        .expect(3)
        .says(&["a.opt.bc", "symbol multiply defined"]);
    combine().args(["a.opt.bc", "gone.bc"]).expect(4).says(&["cannot read gone.bc"]);
    bench.write("empty.rsp", "");
    combine().arg("@empty.rsp").expect(2).says(&["no modules"]);
    assert!(!bench.file("whole.bc").exists());
}
