//! The values for comparing kernels.

use crate::data::{Kernel, KernelValues};
use crate::shown::count;

/// A value of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Occupancy,
    Registers,
    Spills,
    Stack,
    Shared,
    Calls,
    Instructions,
}

impl Value {
    pub(crate) const ALL: [Self; 7] = [
        Self::Occupancy,
        Self::Registers,
        Self::Spills,
        Self::Stack,
        Self::Shared,
        Self::Calls,
        Self::Instructions,
    ];

    /// Returns the value's word in limits.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Occupancy => "occupancy",
            Self::Registers => "regs",
            Self::Spills => "spills",
            Self::Stack => "stack",
            Self::Shared => "shared",
            Self::Calls => "calls",
            Self::Instructions => "instructions",
        }
    }

    /// Returns the value's name in texts.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Registers => "registers",
            Self::Spills => "spilled bytes",
            Self::Stack => "stack bytes",
            Self::Shared => "shared bytes",
            Self::Occupancy | Self::Calls | Self::Instructions => self.word(),
        }
    }

    /// Returns the value of a kernel; `None` if it is unknown.
    pub(crate) fn of(self, values: &KernelValues) -> Option<u64> {
        match self {
            Self::Occupancy => values.warps,
            Self::Registers => Some(values.registers),
            Self::Spills => values.spills,
            Self::Stack => Some(values.stack),
            Self::Shared => Some(values.shared),
            Self::Calls => Some(values.calls),
            Self::Instructions => Some(values.instructions),
        }
    }

    /// Whether more of the value is better.
    pub(crate) fn is_better_when_more(self) -> bool {
        self == Self::Occupancy
    }
}

impl KernelValues {
    /// Returns the values of a kernel. A call through a pointer counts as one call.
    pub fn of(kernel: &Kernel) -> Self {
        let spills = match (kernel.spill_stores, kernel.spill_loads) {
            (None, None) => None,
            (stores, loads) => Some(stores.unwrap_or(0).saturating_add(loads.unwrap_or(0))),
        };
        Self {
            registers: kernel.registers.into(),
            stack: kernel.stack.into(),
            spills,
            shared: kernel.shared,
            instructions: kernel.instructions,
            calls: kernel.calls.len() as u64 + u64::from(kernel.calls_indirectly),
            warps: kernel.occupancy.as_ref().map(|occupancy| occupancy.warps.into()),
        }
    }
}

/// Returns the values that differ, in words.
pub(crate) fn differences(before: &KernelValues, now: &KernelValues) -> Vec<String> {
    let pairs = Value::ALL.into_iter().filter_map(|value| {
        let (old, new) = value.of(before).zip(value.of(now))?;
        (old != new).then(|| format!("{} {} -> {}", value.title(), count(old), count(new)))
    });
    pairs.collect()
}

/// Returns the values that are not zero, in words.
pub(crate) fn known(values: &KernelValues) -> Vec<String> {
    let known = Value::ALL.into_iter().filter_map(|value| {
        let number = value.of(values).filter(|number| *number > 0)?;
        Some(format!("{} {}", value.title(), count(number)))
    });
    known.collect()
}
