//! The device code of a program as nvcc takes it.
//!
//! nvcc has its own declarations instead of the prelude's, its launches need CUDA's runtime, and it
//! has no aliases of device functions. Its texts have no host code, and each alias is replaced by a
//! function that calls the aliasee.

use super::draft::Definition;
use super::program::{PRELUDE, Program};

/// Declarations instead of the prelude's first part.
const DECLARATIONS: &str = include_str!("for_nvcc.h.txt");
/// Declarations for host code.
const HOST: &str = r#"
extern "C" void host_touches(const void *);
template <typename... Types, typename... Values>
static inline void launch_through(void (*kernel)(Types...), Values... values) {
  kernel<<<1, 8>>>(values...);
}
"#;
/// Line of the prelude behind which it defines device functions. nvcc has that function.
const PLACEMENT: &str = "inline __device__ void *operator new(";
/// Expression by which a kernel reads its thread's number.
const THREAD: &str = "__nvvm_read_ptx_sreg_tid_x()";
/// clang's function for an atomic addition.
const ADDITION: &str = "__nvvm_atom_add_gen_i";

impl Program {
    /// Returns the device code of a unit as nvcc takes it.
    pub fn text_for_nvcc(&self, unit: usize) -> String {
        self.with_definitions(unit, "", |symbol| !symbol.starts_with("host"))
    }

    /// Returns a unit as nvcc takes it, with its host code.
    pub fn text_for_nvcc_with_host(&self, unit: usize) -> String {
        self.with_definitions(unit, HOST, |_| true)
    }

    fn with_definitions(&self, unit: usize, more: &str, is_kept: impl Fn(&str) -> bool) -> String {
        let (_, functions) = PRELUDE.split_once(PLACEMENT).unwrap_or_default();
        let (_, functions) = functions.split_once('\n').unwrap_or_default();
        let unit = &self.units[unit];
        let mut text =
            format!("{DECLARATIONS}{functions}{more}\n{}{}", unit.dynamic, self.declarations);
        for Definition { symbol, text: definition, .. } in
            self.header.iter().chain(&unit.definitions)
        {
            if !is_kept(symbol) {
                continue;
            }
            match without_alias(definition) {
                Some(function) => text.push_str(&function),
                None => text.push_str(definition),
            }
        }
        text.replace(THREAD, "threadIdx.x").replace(ADDITION, "atomicAdd")
    }
}

/// Returns a function that calls the aliased one, if the definition is an alias.
fn without_alias(definition: &str) -> Option<String> {
    let (declaration, rest) = definition.split_once(" __attribute__((alias(\"")?;
    let (aliased, _) = rest.split_once('"')?;
    let (head, types) = declaration.strip_suffix(')')?.split_once('(')?;
    let types: Vec<&str> = types.split(", ").filter(|of| !of.is_empty()).collect();
    let numbered = |start: &dyn Fn(usize) -> String| {
        (0..types.len()).map(start).collect::<Vec<_>>().join(", ")
    };
    let parameters = numbered(&|number| format!("{} p{number}", types[number]));
    let values = numbered(&|number| format!("p{number}"));
    Some(format!("{head}({parameters}) {{ return {aliased}({values}); }}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alias_becomes_a_function_that_calls() {
        let alias = "extern \"C\" __device__ u32 l1(S0 , u32 *) __attribute__((alias(\"f1\")));\n";
        let function = "extern \"C\" __device__ u32 l1(S0  p0, u32 * p1) { return f1(p0, p1); }\n";
        assert_eq!(without_alias(alias).as_deref(), Some(function));
        assert_eq!(without_alias("u32 f1() {}"), None);
    }

    #[test]
    fn no_word_of_the_prelude_or_of_host_code_remains() {
        for seed in 1..20 {
            let program = Program::generate(seed);
            for unit in 0..program.units.len() {
                let text = program.text_for_nvcc(unit);
                for word in ["cudaLaunchKernel", "host_touches", "alias(", "__nvvm_read", "<<<1, 8"]
                {
                    assert!(!text.contains(word), "{word} of seed {seed}");
                }
                assert!(text.contains("static __device__ u32 bits(double x)"));
            }
        }
    }
}
