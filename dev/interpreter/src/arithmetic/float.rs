//! Numbers of IEEE 754 with every rounding mode, as bits.

use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

use super::words::Words;
use crate::types::{Kind, Type};

/// Reads the rounding mode; to nearest if there is none.
pub(super) fn rounding(words: &mut Words<'_>) -> Round {
    match words.one_of(&["rn", "rz", "rm", "rp"]) {
        Some("rz") => Round::TowardZero,
        Some("rm") => Round::TowardNegative,
        Some("rp") => Round::TowardPositive,
        _ => Round::NearestTiesToEven,
    }
}

/// A type of floats of `rustc_apfloat`.
pub(super) trait Real: Float + FloatConvert<Double> + Send + Sync + 'static {
    /// The bits of a result that is not a number.
    const NOT_A_NUMBER: u64;

    fn of_bits(bits: u64) -> Self {
        Self::from_bits(u128::from(bits) & ((1 << Self::BITS) - 1))
    }

    fn bits(self) -> u64 {
        if self.is_nan() {
            return Self::NOT_A_NUMBER;
        }
        self.raw_bits()
    }

    /// Returns the bits, also of what is not a number.
    fn raw_bits(self) -> u64 {
        #[expect(clippy::cast_possible_truncation, reason = "no type here has more than 64 bits")]
        (self.to_bits() as u64)
    }

    /// Returns the exact value in double precision.
    fn double(self) -> f64 {
        f64::from_bits(FloatConvert::<Double>::convert(self, &mut false).value.raw_bits())
    }

    /// Rounds a value in double precision.
    fn of_double(value: f64, round: Round) -> Self;
}

impl Real for Half {
    const NOT_A_NUMBER: u64 = 0x7FFF;
    fn of_double(value: f64, round: Round) -> Self {
        Double::of_bits(value.to_bits()).convert_r(round, &mut false).value
    }
}

impl Real for BFloat {
    const NOT_A_NUMBER: u64 = 0x7FFF;
    fn of_double(value: f64, round: Round) -> Self {
        Double::of_bits(value.to_bits()).convert_r(round, &mut false).value
    }
}

impl Real for Single {
    const NOT_A_NUMBER: u64 = 0x7FFF_FFFF;
    fn of_double(value: f64, round: Round) -> Self {
        Double::of_bits(value.to_bits()).convert_r(round, &mut false).value
    }
}

impl Real for Double {
    const NOT_A_NUMBER: u64 = 0x7FF8_0000_0000_0000;
    fn of_double(value: f64, round: Round) -> Self {
        Double::of_bits(value.to_bits()).convert_r(round, &mut false).value
    }
}

/// Calls a generic function with the type of floats that corresponds to a type of PTX.
macro_rules! with_real {
    ($of:expr, $call:ident ( $($argument:expr),* )) => {
        match ($of.kind, $of.bits) {
            (crate::types::Kind::BrainFloat, 16) => {
                $call::<rustc_apfloat::ieee::BFloat>($($argument),*)
            }
            (_, 16) => $call::<rustc_apfloat::ieee::Half>($($argument),*),
            (_, 32) => $call::<rustc_apfloat::ieee::Single>($($argument),*),
            _ => $call::<rustc_apfloat::ieee::Double>($($argument),*),
        }
    };
}
pub(super) use with_real;

/// Replaces a number below the least normal one by zero of the same sign, if `flush` is set.
pub(super) fn flushed<F: Real>(value: F, flush: bool) -> F {
    if flush && value.is_denormal() { F::ZERO.copy_sign(value) } else { value }
}

/// Returns the nearest number from zero to one; zero for what is not a number.
pub(super) fn saturated<F: Real>(value: F) -> F {
    let one = F::from_u128(1).value;
    if value.is_nan() || value.is_negative() {
        F::ZERO
    } else if value > one {
        one
    } else {
        value
    }
}

/// Returns the exact value of any float in double precision.
pub(super) fn double_of(of: Type, bits: u64) -> f64 {
    fn convert<F: Real>(bits: u64) -> f64 {
        F::of_bits(bits).double()
    }
    with_real!(of, convert(bits))
}

fn sum<F: Real>(a: u64, b: u64) -> u64 {
    (F::of_bits(a) + F::of_bits(b)).value.bits()
}

/// Adds two numbers in single precision, as atomic instructions do.
pub(crate) fn f32_sum(a: u64, b: u64) -> u64 {
    sum::<Single>(a, b)
}

/// Adds two numbers in double precision.
pub(crate) fn f64_sum(a: u64, b: u64) -> u64 {
    sum::<Double>(a, b)
}

/// Adds two numbers of 16 bits.
pub(crate) fn half_sum(kind: Kind, a: u64, b: u64) -> u64 {
    if matches!(kind, Kind::BrainFloat | Kind::BrainFloatPair) {
        sum::<BFloat>(a, b)
    } else {
        sum::<Half>(a, b)
    }
}
