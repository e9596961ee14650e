//! Reads what `cuobjdump -res-usage` prints: a line `Function NAME:`, then one of `KEY:VALUE`.

use std::collections::BTreeMap;

/// Registers and bytes of stack, by function. Functions other than kernels have 0 of both.
pub(super) fn resources(usage: &str) -> BTreeMap<&str, (u64, u64)> {
    let mut resources = BTreeMap::new();
    let mut function = None;
    for line in usage.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("Function ") {
            function = name.strip_suffix(':');
        } else if let Some(name) = function
            && let (Some(registers), Some(stack)) = (value(line, "REG"), value(line, "STACK"))
        {
            resources.insert(name, (registers, stack));
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
    fn registers_and_stack_are_found() {
        let usage = "
Resource usage:
 Common:
  GLOBAL:400 CONSTANT[3]:472
 Function _Z6kernelv:
  REG:37 STACK:112 SHARED:1024 LOCAL:0 CONSTANT[0]:560 TEXTURE:0 SURFACE:0 SAMPLER:0
 Function helper:
  REG:0 STACK:0 SHARED:0 LOCAL:0 TEXTURE:0 SURFACE:0 SAMPLER:0
";
        assert_eq!(resources(usage), [("_Z6kernelv", (37, 112)), ("helper", (0, 0))].into());
    }
}
