//! Checks of the project `tests/arithmetic`, which CMake and Bazel build: the units of its library
//! use other floating-point options than the units of its program.

/// Fails unless the PTX of both modules computes as the build files say: the library by its own
/// options, and the program by nvcc's defaults.
pub fn check(library: &str, program: &str) {
    let of_library =
        ["div.full.ftz.f32", "sqrt.approx.ftz.f32", "mul.rn.ftz.f32", "add.rn.ftz.f32"];
    let of_program = ["div.rn.f32", "sqrt.rn.f32", "fma.rn.f32"];
    for (ptx, own, other) in
        [(library, &of_library[..], &of_program[..]), (program, &of_program, &of_library)]
    {
        for instruction in own {
            assert!(ptx.contains(instruction), "{instruction} is not in\n{ptx}");
        }
        for instruction in other {
            assert!(!ptx.contains(instruction), "{instruction} is in\n{ptx}");
        }
    }
    let of_two_types = program.split_once("of_two_types").map_or("", |(_, rest)| rest);
    assert!(of_two_types.contains("ld.global"), "what was written is not read in\n{program}");
}
