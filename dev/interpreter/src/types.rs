//! Types of PTX, and how their values lie in 64 bits.

/// The meaning of the bits of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Predicate,
    Bits,
    Unsigned,
    Signed,
    Float,
    /// Float with 8 bits of exponent in 16 bits.
    BrainFloat,
    /// Two halves in 32 bits.
    FloatPair,
    /// Two brain floats in 32 bits.
    BrainFloatPair,
}

/// A type of PTX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Type {
    pub(crate) kind: Kind,
    pub(crate) bits: u32,
}

impl Type {
    pub(crate) const U32: Self = Self { kind: Kind::Unsigned, bits: 32 };
    pub(crate) const U64: Self = Self { kind: Kind::Unsigned, bits: 64 };

    /// Reads a type's name without its dot, such as `u32`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let kind = match name {
            "pred" => return Some(Self { kind: Kind::Predicate, bits: 1 }),
            "bf16" => return Some(Self { kind: Kind::BrainFloat, bits: 16 }),
            "f16x2" => return Some(Self { kind: Kind::FloatPair, bits: 32 }),
            "bf16x2" => return Some(Self { kind: Kind::BrainFloatPair, bits: 32 }),
            _ => match name.get(..1)? {
                "b" => Kind::Bits,
                "u" => Kind::Unsigned,
                "s" => Kind::Signed,
                "f" => Kind::Float,
                _ => return None,
            },
        };
        let bits = match &name[1..] {
            "8" if kind != Kind::Float => 8,
            "16" => 16,
            "32" => 32,
            "64" => 64,
            _ => return None,
        };
        Some(Self { kind, bits })
    }

    /// Size in memory, in bytes.
    pub(crate) fn bytes(self) -> u64 {
        u64::from(self.bits.div_ceil(8))
    }

    pub(crate) fn is_signed(self) -> bool {
        self.kind == Kind::Signed
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self.kind, Kind::Float | Kind::BrainFloat)
    }

    /// Returns whether values are whole numbers or bits.
    pub(crate) fn is_whole(self) -> bool {
        matches!(self.kind, Kind::Bits | Kind::Unsigned | Kind::Signed)
    }

    /// Drops the bits above the type's width.
    pub(crate) fn truncated(self, value: u64) -> u64 {
        if self.bits >= 64 { value } else { value & ((1 << self.bits) - 1) }
    }

    /// Returns the number that the low bits of `value` represent, with its sign if the type has
    /// one.
    pub(crate) fn number(self, value: u64) -> i128 {
        let value = self.truncated(value);
        if self.is_signed() {
            let shift = 64 - self.bits;
            i128::from((value << shift).cast_signed() >> shift)
        } else {
            i128::from(value)
        }
    }

    /// Returns the low bits of a number.
    pub(crate) fn wrapped(self, number: i128) -> u64 {
        #[expect(clippy::cast_possible_truncation, reason = "the low bits are wanted")]
        self.truncated(number.cast_unsigned() as u64)
    }

    /// Returns the nearest number that the type holds, as bits.
    pub(crate) fn saturated(self, number: i128) -> u64 {
        let (low, high) = self.limits();
        self.wrapped(number.clamp(low, high))
    }

    /// Returns the least and the largest number of the type.
    pub(crate) fn limits(self) -> (i128, i128) {
        if self.is_signed() {
            (-(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1)
        } else {
            (0, (1 << self.bits) - 1)
        }
    }
}
