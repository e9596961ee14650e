//! The project `tests/arithmetic`, which CMake and Bazel build: its library's units use other
//! arithmetic than its program's.

/// Fails unless both modules' PTX computes as the build files say: the library's by its options, the
/// program's by nvcc's defaults.
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
}
