//! A call in twelve bytes.

use crate::model::ids::NodeId;
use weft_artifact::Hotness;

/// All direct calls from one function to one callee. Counts saturate at the largest value that fits
/// their bits: decisions do not change beyond it.
#[derive(Clone, Copy)]
pub(crate) struct Call {
    callee: NodeId,
    /// See [`weft_artifact::Call::frequency`].
    pub(crate) frequency: u32,
    parameter_bytes: u16,
    hotness: Hotness,
    /// Call instructions (4 bits), arguments whose size differs from their parameter's (4 bits).
    counts: u8,
}

impl Call {
    /// Packs a call.
    #[inline]
    pub(crate) fn of(call: &weft_artifact::Call) -> Self {
        let cost = call.cost;
        let bytes = cost.argument_bytes.max(cost.parameter_bytes).saturating_add(cost.return_bytes);
        Self {
            callee: NodeId::new(call.callee.0),
            frequency: call.frequency,
            parameter_bytes: u16::try_from(bytes).unwrap_or(u16::MAX),
            hotness: call.hotness,
            counts: low(u64::from(call.count), 15)
                | low(u64::from(cost.coerced_arguments), 15) << 4,
        }
    }

    /// Returns the function called: the number of a symbol of the call's module at first, and the
    /// node that the call binds to once calls are bound.
    #[inline]
    pub(crate) fn callee(self) -> NodeId {
        self.callee
    }

    pub(super) fn bind(&mut self, callee: NodeId) {
        self.callee = callee;
    }

    /// Returns the hottest of the calls.
    pub(crate) fn hotness(self) -> Hotness {
        self.hotness
    }

    /// Returns the bytes that one call moves through `.param` space, arguments and result.
    pub(crate) fn parameter_bytes(self) -> u32 {
        u32::from(self.parameter_bytes)
    }

    /// Returns the number of call instructions.
    pub(crate) fn count(self) -> u32 {
        u32::from(self.counts & 15)
    }

    /// Arguments whose size differs from their parameter's.
    pub(crate) fn coerced_arguments(self) -> u32 {
        u32::from(self.counts >> 4)
    }
}

fn low(value: u64, largest: u8) -> u8 {
    u8::try_from(value).unwrap_or(largest).min(largest)
}

#[cfg(test)]
mod tests {
    use weft_artifact::SymbolIndex;

    use super::*;

    #[test]
    fn what_fits_comes_back_and_what_does_not_is_the_largest() {
        let mut call = weft_artifact::Call::once(SymbolIndex(7));
        call.hotness = Hotness::Critical;
        call.cost.return_bytes = 4;
        call.cost.parameter_bytes = 12;
        call.cost.coerced_arguments = 2;
        let packed = Call::of(&call);
        assert_eq!(size_of::<Call>(), 12);
        assert_eq!((packed.callee(), packed.hotness()), (NodeId::new(7), Hotness::Critical));
        assert_eq!(packed.parameter_bytes(), 16);
        assert_eq!((packed.count(), packed.coerced_arguments()), (1, 2));
        call.cost.argument_bytes = u32::MAX;
        (call.count, call.cost.coerced_arguments) = (300, 300);
        let packed = Call::of(&call);
        assert_eq!(packed.parameter_bytes(), 65_535);
        assert_eq!((packed.count(), packed.coerced_arguments()), (15, 15));
    }
}
