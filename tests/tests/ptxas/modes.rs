//! The mode in which ptxas assembles a module: as a part of a program, as a part in which kernels
//! have their own copies of functions, or as a part that needs no other part.

use std::collections::BTreeMap;

use object::{Object as _, ObjectSection as _, ObjectSymbol as _};
use serde_json::Value;
use weft_container::{ExtensibleError, has_costly_functions, relocatable};
use weft_tests::{Run, Workbench, tools};

const HEADER: &str = "#include <cuda_runtime.h>\n";
/// A kernel that needs no other module.
const ALONE: &str = "__global__ void alone(float *p, int n) { p[threadIdx.x] = p[n]; }
void launch_alone(float *p) { alone<<<1, 32>>>(p, 1); }\n";
/// A kernel that reads a constant variable, and calls a function that takes many registers if it is
/// compiled for every caller.
const PAYS: &str = "__device__ __noinline__ float wide(const float *p, int n) {
  float v[48], sum = 0;
#pragma unroll
  for (int i = 0; i < 48; ++i) v[i] = p[i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 48; ++i) sum += v[i] * v[(i * 7 + 5) % 48];
  return sum / n;
}
__constant__ float table[64] = {1};
__global__ void pays(float *p, int n) {
  if (n > 3) p[1] = wide(p, n);
  if (n > 5) p[2] = wide(p + 9, n + 1);
  p[0] = table[n];
}
void launch_pays(float *p) {
  cudaMemcpyToSymbol(table, p, 4);
  pays<<<1, 32>>>(p, 1);
}\n";

/// A kernel that takes square roots, for some of which ptxas has a function, and a function for
/// other modules.
const ROOT: &str = ".version 8.8\n.target sm_90\n.address_size 64
.visible .func (.param .b32 r) lent(.param .b32 a) {
  .reg .b32 %r<2>;
  ld.param.b32 %r1, [a];
  st.param.b32 [r], %r1;
  ret;
}
.visible .entry root(.param .u64 p) {
  .reg .f32 %f<3>;
  .reg .u64 %rd<2>;
  ld.param.u64 %rd1, [p];
  ld.global.f32 %f1, [%rd1];
  sqrt.rn.f32 %f2, %f1;
  st.global.f32 [%rd1], %f2;
  ret;
}\n";

/// Returns a bench with the PTX of the units `alone` and `pays`.
fn prepared() -> Workbench {
    compiled(&[("alone", ALONE), ("pays", PAYS)])
}

/// Returns a bench with the PTX of units with these names and sources.
fn compiled(sources: &[(&str, &str)]) -> Workbench {
    let bench = Workbench::new();
    for (unit, source) in sources {
        bench.write(&format!("{unit}.cu"), format!("{HEADER}{source}"));
    }
    let units: Vec<_> = sources.iter().map(|(unit, _)| *unit).collect();
    bench.prepare(&units);
    bench.thinlink(&units, &[]);
    for unit in &units {
        bench.import(unit, &units).succeed();
        bench.codegen(unit).succeed();
    }
    bench
}

/// Returns a unit with a kernel that calls functions through a table. One of them holds so many
/// values at once.
fn picks(values: usize) -> String {
    let wide = format!(
        "__device__ __noinline__ float wide(const float *p, int n) {{
  float v[{values}], sum = 0;
#pragma unroll
  for (int i = 0; i < {values}; ++i) v[i] = p[i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < {values}; ++i) sum += v[i] * v[(i * 7 + 5) % {values}];
  return sum / n;
}}\n"
    );
    format!("{wide}{PICKS}")
}

const PICKS: &str = "typedef float (*Op)(const float *, int);
__device__ __noinline__ float narrow(const float *p, int n) { return p[n]; }
__device__ Op ops[2] = {wide, narrow};
__global__ void picks(float *p, int n) { p[0] = ops[n & 1](p, n); }
void launch_picks(float *p) {
  picks<<<1, 32>>>(p, 1);
}\n";

/// Returns the options for ptxas's modes that a cubin records.
fn mode(bench: &Workbench, cubin: &str) -> String {
    let modes = ["-c", "-ewp", "-enable-func-clone-sc"];
    let recorded = bench.ptxas_options_of(cubin);
    recorded.split_whitespace().filter(|word| modes.contains(word)).collect::<Vec<_>>().join(" ")
}

/// Links the cubins and returns the number of registers of a kernel.
fn registers_of(bench: &Workbench, kernel: &str, cubins: &[&str]) -> u32 {
    let link = Run::new(tools().cuda("nvlink"), bench.path())
        .args(["-arch=sm_90", "-o", "image.cubin"])
        .args(cubins)
        .succeed();
    assert_eq!([link.stdout, link.stderr], ["", ""], "nvlink has no remark");
    let usage = Run::new(tools().cuda("cuobjdump"), bench.path())
        .args(["-res-usage", "image.cubin"])
        .succeed()
        .stdout;
    let (_, usage) = usage.split_once(kernel).unwrap();
    let (_, registers) = usage.split_once("REG:").unwrap();
    registers.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn each_module_gets_the_mode_that_suits_it() {
    let bench = prepared();
    for unit in ["alone", "pays"] {
        bench.assemble(unit).succeed();
    }
    assert_eq!(mode(&bench, "alone.cubin"), "-ewp");
    assert_eq!(mode(&bench, "pays.cubin"), "-ewp");
    let whole = registers_of(&bench, "pays", &["pays.cubin", "alone.cubin"]);
    bench.assemble("pays").args(["--whole-kernels=false"]).succeed();
    let words = mode(&bench, "pays.cubin");
    assert!(words.contains("-enable-func-clone-sc"), "{words}");
    let with_copies = registers_of(&bench, "pays", &["pays.cubin", "alone.cubin"]);
    assert!(whole <= with_copies, "{whole} as a whole, {with_copies} with copies");

    for unit in ["alone", "pays"] {
        let options = [
            "--whole-kernels=false",
            "--clone-functions=false",
            "--limit-functions=false",
            "--report",
            "r.json",
        ];
        bench.assemble(unit).args(options).succeed();
        assert_eq!(mode(&bench, &format!("{unit}.cubin")), "-c");
    }
    let without = registers_of(&bench, "pays", &["pays.cubin", "alone.cubin"]);
    assert!(with_copies < without, "{with_copies} with copies, {without} without");
    let report: Value = serde_json::from_slice(&bench.read("r.json")).unwrap();
    assert_eq!(report["kernels"][0]["registers"], without, "the report counts functions, too");
}

/// A trial of copies is a second run of ptxas. It is for kernels that get more registers because of
/// a function that they call, and not for kernels that call ptxas's own code for special cases.
#[test]
fn copies_are_tried_where_a_function_costs_a_kernel_registers() {
    let bench = prepared();
    bench.assemble("pays").args(["--whole-kernels=false", "--clone-functions=false"]).succeed();
    assert!(has_costly_functions(&bench.read("pays.cubin")).unwrap());

    bench.write("root.ptx", ROOT);
    bench.assemble("root").succeed();
    assert!(!has_costly_functions(&bench.read("root.cubin")).unwrap());
    assert_eq!(mode(&bench, "root.cubin"), "-c");
}

/// A kernel that calls through a pointer gets the registers of the largest function that it may
/// call, so a function that needs few more is limited, and one that needs many more is not.
#[test]
fn functions_leave_kernels_their_warps() {
    let (few, many) = (compiled(&[("few", &picks(28))]), compiled(&[("many", &picks(96))]));
    let limit = |bench: &Workbench, unit: &str| {
        let options = bench.ptxas_options_of(&format!("{unit}.cubin"));
        let mut words = options.split_whitespace();
        words.find(|word| word.contains("maxrregcount"))?;
        words.next().map(str::to_owned)
    };
    let registers =
        |bench: &Workbench, unit: &str| registers_of(bench, "picks", &[&format!("{unit}.cubin")]);
    for (bench, unit, fewest) in [(&few, "few", 33), (&many, "many", 65)] {
        bench.assemble(unit).args(["--limit-functions=false"]).succeed();
        assert_eq!(limit(bench, unit), None);
        let registers = registers(bench, unit);
        assert!(registers >= fewest, "{registers} registers");
        bench.assemble(unit).succeed();
    }
    assert_eq!(limit(&few, "few").as_deref(), Some("32"));
    assert!(registers(&few, "few") <= 32, "all warps of a multiprocessor are resident");
    assert_eq!(limit(&many, "many"), None, "the function would spill too much");

    // A limit on registers from the user excludes any other limit.
    few.assemble("few").args(["--maxrregcount=40"]).succeed();
    assert_eq!(limit(&few, "few").as_deref(), Some("40"));
    few.assemble("few").args(["--Xptxas=--device-function-maxrregcount=36"]).succeed();
    assert_eq!(limit(&few, "few").as_deref(), Some("36"));
}

/// The choice of the mode depends on the PTX and the options alone: another run, another folder and
/// a result from the cache give the same bytes.
#[test]
fn the_choice_is_made_again_from_the_same_inputs() {
    let bench = prepared();
    let other = Workbench::new();
    other.write("pays.ptx", bench.read("pays.ptx"));
    let cache = bench.file("cache").display().to_string();
    let mut cubins = Vec::new();
    for bench in [&bench, &other, &bench] {
        bench.assemble("pays").args(["--cache=all", "--cache-dir", &cache]).succeed();
        cubins.push(bench.read("pays.cubin"));
    }
    assert_eq!(cubins[0], cubins[1]);
    assert_eq!(cubins[0], cubins[2]);
}

/// Constants of a module that other modules surround: its own, one that another module defines, one
/// that is neither used nor defined, and a function that makes a second run of ptxas worthwhile.
const CONSTANTS: &str = ".version 8.8\n.target sm_90\n.address_size 64
.const .align 8 .b8 own[80] = {1, 2, 3};
.visible .const .align 4 .u32 seen = 7;
.extern .const .align 16 .b8 other[48];
.extern .const .align 16 .b8 unused[48];
.func (.param .b32 r) element(.param .b64 a)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [a];
  ld.const.u32 %r1, [%rd1];
  st.param.b32 [r], %r1;
  ret;
}
.visible .entry places(.param .u64 p, .param .u32 n) {
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [n];
  ld.const.u32 %r2, [own+76];
  ld.const.u32 %r3, [seen];
  ld.const.u32 %r4, [other+20];
  st.global.v2.u32 [%rd1], {%r2, %r3};
  st.global.u32 [%rd1+8], %r4;
  mul.wide.u32 %rd2, %r1, 4;
  mov.u64 %rd3, other;
  add.s64 %rd4, %rd3, %rd2;
  { .param .b64 a; .param .b32 r;
  st.param.b64 [a], %rd4;
  call (r), element, (a);
  ld.param.b32 %r5, [r]; }
  st.global.u32 [%rd1+12], %r5;
  ret;
}\n";
/// A module with constants, one of which other modules use.
const SURROUNDING: &str = ".version 8.8\n.target sm_90\n.address_size 64
.visible .const .align 4 .b8 before[100] = {9};
.visible .const .align 16 .b8 other[48] = {5};
.visible .entry around(.param .u64 p) {
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [p];
  ld.const.u32 %r1, [before+12];
  st.global.u32 [%rd1], %r1;
  ret;
}\n";

/// A kernel that reads an element of a constant, which is one of four.
const INDEXED: &str = ".version 8.8\n.target sm_90\n.address_size 64
.const .align 16 .b8 vec[64] = {1};
.func (.param .b32 r) half(.param .b32 a)
{
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [a];
  shr.u32 %r2, %r1, 1;
  st.param.b32 [r], %r2;
  ret;
}
.visible .entry k(.param .u64 p, .param .u32 n) {
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [n];
  { .param .b32 a; .param .b32 r;
  st.param.b32 [a], %r1;
  call (r), half, (a);
  ld.param.b32 %r5, [r]; }
  and.b32 %r2, %r5, 3;
  cvt.u64.u32 %rd2, %r2;
  shl.b64 %rd3, %rd2, 4;
  mov.u64 %rd4, vec;
  add.s64 %rd5, %rd4, %rd3;
  ld.const.u32 %r3, [%rd5+12];
  ld.const.u32 %r4, [%rd5];
  st.global.v2.u32 [%rd1], {%r3, %r4};
  ret;
}\n";

/// Returns the places of constants in an image.
fn constants_of(file: &object::File<'_>) -> BTreeMap<String, u64> {
    let section = file.section_by_name(".nv.constant3").unwrap().index();
    let symbols = file.symbols().filter(|symbol| symbol.section_index() == Some(section));
    symbols.map(|symbol| (symbol.name().unwrap().to_owned(), symbol.address())).collect()
}

/// The offsets that ptxas writes into code as numbers are those of the linked image, wherever the
/// linker puts the constants.
#[test]
fn constants_are_found_wherever_the_linker_puts_them() {
    for architecture in ["sm_75", "sm_80", "sm_89", "sm_90"] {
        constants_are_found(architecture);
    }
}

fn constants_are_found(architecture: &str) {
    let bench = Workbench::new();
    for (unit, text) in [("module", CONSTANTS), ("around", SURROUNDING)] {
        bench.write(&format!("{unit}.ptx"), text.replace("sm_90", architecture));
        bench.assemble(unit).succeed();
    }
    assert_eq!(mode(&bench, "module.cubin"), "-ewp");
    let size = bench.read("module.cubin").len();
    assert!(size < 20_000, "{size} bytes, and none of what is in front");
    for order in [["module.cubin", "around.cubin"], ["around.cubin", "module.cubin"]] {
        let target = format!("-arch={architecture}");
        Run::new(tools().cuda("nvlink"), bench.path())
            .args([target.as_str(), "-o", "image.cubin"])
            .args(order)
            .succeed();
        let image = bench.read("image.cubin");
        let file = object::File::parse(image.as_slice()).unwrap();
        let content = |name: &str| file.section_by_name(name).map(|found| found.data().unwrap());
        let places = constants_of(&file);
        for (name, first) in [("own", 1), ("seen", 7), ("before", 9), ("other", 5)] {
            let place = usize::try_from(places[name]).unwrap();
            assert_eq!(content(".nv.constant3").unwrap()[place], first, "{name}, {places:?}");
            assert_eq!(place % if name == "own" { 8 } else { 4 }, 0, "{name}, {places:?}");
        }
        let code = Run::new(tools().cuda("cuobjdump"), bench.path())
            .args(["-sass", "-fun", "places", "image.cubin"])
            .succeed()
            .stdout;
        let loads = [("own", 76), ("seen", 0), ("other", 20)];
        for (name, addend) in loads {
            let load = match places[name] + addend {
                0 if code.contains("c[0x3][RZ]") => "c[0x3][RZ]".to_owned(),
                place => format!("c[0x3][{place:#x}]"),
            };
            assert!(code.contains(&load), "no {load} of {name}, {places:?}:\n{code}");
        }
        let direct = ["c[0x3][0x", "c[0x3][RZ]"].map(|load| code.matches(load).count());
        assert_eq!(direct.iter().sum::<usize>(), loads.len(), "{code}");
        // The address that an index is added to is part of an instruction, or the kernel's own.
        let number = format!(", {:#x} ;", places["other"]);
        let word = u32::try_from(places["other"]).unwrap().to_le_bytes();
        let own = content(".nv.constant2.places").unwrap_or_default();
        let is_there = code.contains(&number) || own.chunks(4).any(|known| known == word);
        assert!(is_there, "no {number}, {places:?}, {own:?}:\n{code}");
    }
}

/// Beside an index the offset of a load is a signed number, so ptxas changes the index for large
/// offsets, which nobody can see. Such a module is linked as code with relocations of ptxas's own.
#[test]
fn constants_beside_an_index_are_left_to_ptxas() {
    let bench = Workbench::new();
    bench.write("indexed.ptx", INDEXED);
    bench.assemble("indexed").succeed();
    assert_eq!(mode(&bench, "indexed.cubin"), "-c -enable-func-clone-sc");
}

/// The value of a variable that is an address has a relocation, and one that is an offset is a
/// number.
#[test]
fn offsets_of_constants_in_values_are_left_to_ptxas() {
    let bench = Workbench::new();
    for (value, expected) in [("generic(other)+4", "-ewp"), ("other+4", "-c -enable-func-clone-sc")]
    {
        let variable = format!(".visible .global .align 8 .u64 leads = {value};\n.visible .entry");
        let text = SURROUNDING.replace(".visible .entry", &variable);
        // A square root makes a second run of ptxas worthwhile.
        let root = "  sqrt.rn.f32 %f1, 0f40000000;\n\tsqrt.rn.f32 %f1, %f1;\n  ret;";
        let text =
            text.replace("  ret;", root).replace("  .reg .b64", "  .reg .f32 %f<2>;\n  .reg .b64");
        bench.write("value.ptx", &text);
        bench.assemble("value").succeed();
        assert_eq!(mode(&bench, "value.cubin"), expected, "{value}");
    }
}

/// Code with offsets of constants, which the linker moves, is never linked as code without such
/// offsets.
#[test]
fn a_whole_program_with_constants_is_not_relocatable() {
    let bench = prepared();
    let whole = |unit: &str| {
        let (ptx, cubin) = (format!("{unit}.ptx"), format!("{unit}.whole.cubin"));
        let options = ["-arch=sm_90", "--extensible-whole-program", &ptx, "-o", &cubin];
        Run::new(tools().cuda("ptxas"), bench.path()).args(options).succeed();
        relocatable(bench.read(&cubin))
    };
    let alone = whole("alone").unwrap();
    assert_eq!(relocatable(alone), Err(ExtensibleError::OtherType), "it is relocatable already");
    let constants = whole("pays").unwrap_err();
    assert_eq!(
        constants.to_string(),
        "the cubin has constants that are no kernel's own, in .nv.constant3"
    );
}

/// A module without code needs no ptxas, and nvlink skips its cubin, which is an empty file.
#[test]
fn a_module_without_code_has_an_empty_cubin() {
    let bench = Workbench::new();
    let header = ".version 8.8\n.target sm_90\n.address_size 64\n";
    bench.write("empty.ptx", format!("{header}.extern .func elsewhere()\n;\n"));
    bench.write("code.ptx", format!("{header}.visible .entry kernel() {{ ret; }}\n"));
    let assemble = |unit: &str, ptxas: &str| {
        let run = bench.weft("backend-job").args(["assemble", "--ptxas", ptxas]);
        run.args([format!("{unit}.ptx"), "-o".to_owned(), format!("{unit}.cubin")])
    };
    assemble("empty", "/nowhere/ptxas").succeed();
    assert_eq!(bench.read("empty.cubin"), b"");
    assemble("code", &tools().cuda("ptxas").to_string_lossy()).succeed();
    let images = [&["code.cubin"][..], &["empty.cubin", "code.cubin"]].map(|cubins| {
        let nvlink = Run::new(tools().cuda("nvlink"), bench.path()).arg("-arch=sm_90");
        nvlink.args(cubins.iter().copied()).args(["-o", "image.cubin"]).succeed();
        bench.read("image.cubin")
    });
    assert!(images[0] == images[1], "nvlink takes something of an empty file");
    // The image of a whole program is ptxas's.
    assemble("empty", "/nowhere/ptxas").arg("--relocatable=false").expect(4);
}
