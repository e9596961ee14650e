//! Reads the output of `cuobjdump -res-usage`: a line `Function NAME:`, then a line of `KEY:VALUE`.

use std::collections::BTreeMap;

/// Resources that a kernel needs; functions other than kernels need none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Resources {
    pub(super) registers: u64,
    /// Bytes of a thread's stack.
    pub(super) stack: u64,
    /// Bytes of a block's shared memory, without those that a launch asks for.
    pub(super) shared: u64,
}

/// Reads the resources of all functions.
pub(super) fn resources(usage: &str) -> BTreeMap<&str, Resources> {
    let mut resources = BTreeMap::new();
    let mut function = None;
    for line in usage.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("Function ") {
            function = name.strip_suffix(':');
        } else if let Some(name) = function
            && let (Some(registers), Some(stack), Some(shared)) =
                (value(line, "REG"), value(line, "STACK"), value(line, "SHARED"))
        {
            resources.insert(name, Resources { registers, stack, shared });
            function = None;
        }
    }
    resources
}

fn value(line: &str, key: &str) -> Option<u64> {
    line.split_whitespace().find_map(|word| word.strip_prefix(key)?.strip_prefix(':')?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_stack_and_shared_memory_are_found() {
        let usage = "
Resource usage:
 Common:
  GLOBAL:400 CONSTANT[3]:472
 Function _Z6kernelv:
  REG:37 STACK:112 SHARED:1024 LOCAL:0 CONSTANT[0]:560 TEXTURE:0 SURFACE:0 SAMPLER:0
 Function helper:
  REG:0 STACK:0 SHARED:0 LOCAL:0 TEXTURE:0 SURFACE:0 SAMPLER:0
";
        let kernel = Resources { registers: 37, stack: 112, shared: 1024 };
        let helper = Resources { registers: 0, stack: 0, shared: 0 };
        assert_eq!(resources(usage), [("_Z6kernelv", kernel), ("helper", helper)].into());
    }
}
