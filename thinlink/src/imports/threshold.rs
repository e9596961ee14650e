//! Thresholds, in single precision and truncated: 1000, 700, 490, 343. LLVM computes them this way,
//! so a function that it would import at the edge of a limit is imported here, too.

use super::decision::Class;
use crate::model::policy::{ImportPolicy, scaled};

/// Returns the import limit that applies to the callees of a module's own body.
pub(super) fn of_own_body(policy: &ImportPolicy, is_kernel: bool) -> u32 {
    if is_kernel { scaled(policy.limit, policy.kernel_multiplier) } else { policy.limit }
}

/// Returns the threshold at a call of `class` from a body whose callees have the import limit
/// `base`.
pub(super) fn at_call(policy: &ImportPolicy, base: u32, class: Class) -> u32 {
    match class {
        // A product with 1 is the number itself, but for numbers that single precision rounds.
        Class::Normal if base <= 1 << f32::MANTISSA_DIGITS => base,
        Class::Normal => scaled(base, 1.0),
        Class::Cold => scaled(base, policy.cold_multiplier),
        Class::Hot => scaled(base, policy.hot_multiplier),
        Class::Critical => scaled(base, policy.critical_multiplier),
    }
}

/// Returns the import limit for the callees of a body that was imported at a call of `class` from a
/// body whose callees have the import limit `base`.
pub(super) fn below(policy: &ImportPolicy, base: u32, class: Class) -> u32 {
    let factor = match class {
        Class::Hot => policy.hot_evolution_factor,
        Class::Normal | Class::Cold | Class::Critical => policy.evolution_factor,
    };
    // Above 2^24 single precision may round up, and a limit that grows would not end on a cycle.
    scaled(base, factor).min(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_has_a_truncated_product() {
        let policy = ImportPolicy::default();
        let next = |limit: &u32| Some(below(&policy, *limit, Class::Normal));
        let limits: Vec<u32> = std::iter::successors(Some(1000), next).take(12).collect();
        // 240 * 0.7 is 168 in decimal, and a little less than that in single precision.
        assert_eq!(limits, [1000, 700, 490, 343, 240, 168, 117, 81, 56, 39, 27, 18]);
        assert_eq!(below(&policy, 1, Class::Normal), 0);
        assert_eq!(below(&policy, 100, Class::Critical), 70, "only hot calls keep the limit");
        assert_eq!(below(&policy, 100, Class::Hot), 100);
    }

    #[test]
    fn classes_multiply() {
        let policy = ImportPolicy::default();
        let at = |class| at_call(&policy, 70, class);
        assert_eq!(
            [Class::Cold, Class::Normal, Class::Hot, Class::Critical].map(at),
            [0, 70, 700, 7000]
        );
        let policy = ImportPolicy { hot_multiplier: 1.45, ..policy };
        assert_eq!(at_call(&policy, 7, Class::Hot), 10, "10.15");
    }

    #[test]
    fn large_limits_neither_wrap_nor_grow() {
        let policy = ImportPolicy { evolution_factor: 1.0, ..ImportPolicy::default() };
        for limit in [u32::MAX, (1 << 24) + 3] {
            assert_eq!(below(&policy, limit, Class::Normal), limit);
        }
        assert_eq!(at_call(&policy, 1 << 30, Class::Critical), u32::MAX);
        assert_eq!(at_call(&policy, u32::MAX, Class::Normal), u32::MAX);
        // Single precision has 24 bits, and LLVM's thresholds are rounded to them at every call.
        let normal = |base| at_call(&policy, base, Class::Normal);
        assert_eq!([1 << 24, (1 << 24) + 1].map(normal), [1 << 24; 2]);
    }
}
