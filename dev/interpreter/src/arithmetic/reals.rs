//! Arithmetic of floats.

use std::cmp::Ordering;

use rustc_apfloat::Round;

use super::approximate;
use super::float::{Real, flushed, rounding, saturated, with_real};
use super::operation::Operation;
use super::words::Words;
use crate::types::Type;

/// Changes of operands and results.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub(super) round: Round,
    /// Denormal operands and results become zero.
    pub(super) flush: bool,
    /// Results are clamped to the numbers from zero to one.
    pub(super) saturates: bool,
    /// Negative results become zero.
    pub(super) relu: bool,
}

impl Style {
    /// Returns the bits of a result.
    fn finish<F: Real>(self, value: F) -> u64 {
        let mut value = flushed(value, self.flush);
        if self.saturates {
            value = saturated(value);
        }
        if self.relu && value.is_negative() && !value.is_nan() {
            value = F::ZERO;
        }
        value.bits()
    }

    fn read<F: Real>(self, bits: u64) -> F {
        flushed(F::of_bits(bits), self.flush)
    }
}

/// Returns what an instruction on floats computes.
pub(super) fn operation(words: &mut Words<'_>, of: Type) -> Option<Operation> {
    if approximate::is_approximate(words) {
        return approximate::operation(words, of);
    }
    let found = with_real!(of, exact(words, of))?;
    words.of()?;
    words.are_all_read().then_some(found)
}

fn exact<F: Real>(words: &mut Words<'_>, of: Type) -> Option<Operation> {
    let name = words.name;
    let style = Style {
        flush: words.take("ftz"),
        saturates: words.take("sat"),
        round: rounding(words),
        relu: words.take("relu"),
    };
    // Half precision has no `.ftz` in the names of some instructions, but `.noftz` in atomic ones.
    let one = move |compute: fn(F, Style) -> F| {
        Operation::new(of, 1, move |[a, ..]| style.finish(compute(style.read(*a), style)))
    };
    let two = move |compute: fn(F, F, Style) -> F| {
        Operation::new(of, 2, move |[a, b, ..]| {
            style.finish(compute(style.read(*a), style.read(*b), style))
        })
    };
    Some(match name {
        "add" => two(|a, b, style| a.add_r(b, style.round).value),
        "sub" => two(|a, b, style| a.sub_r(b, style.round).value),
        "mul" => two(|a, b, style| a.mul_r(b, style.round).value),
        "div" => two(|a, b, style| a.div_r(b, style.round).value),
        "fma" | "mad" => Operation::new(of, 3, move |[a, b, c, _]| {
            let [a, b, c] = [*a, *b, *c].map(|bits| style.read::<F>(bits));
            style.finish(a.mul_add_r(b, c, style.round).value)
        }),
        "rcp" => one(|a, style| F::from_u128(1).value.div_r(a, style.round).value),
        "sqrt" => one(|a, style| root(a, style.round)),
        "abs" => bits(of, style, |a: F| a.abs()),
        "neg" => bits(of, style, |a: F| -a),
        "copysign" => Operation::new(of, 2, move |[sign, a, ..]| {
            F::of_bits(*a).copy_sign(F::of_bits(*sign)).raw_bits()
        }),
        "min" | "max" => {
            let wanted = if name == "min" { Ordering::Less } else { Ordering::Greater };
            let (propagates, xors) = (words.take("NaN"), words.take("xorsign"));
            if xors != words.take("abs") {
                return None;
            }
            Operation::new(of, 2, move |[a, b, ..]| {
                let (a, b): (F, F) = (style.read(*a), style.read(*b));
                if !xors {
                    return style.finish(extreme(a, b, wanted, propagates));
                }
                let sign = a.is_negative() != b.is_negative();
                let chosen = extreme(a.abs(), b.abs(), wanted, propagates);
                style.finish(if sign { -chosen } else { chosen })
            })
        }
        "testp" => {
            let test = words.one_of(&[
                "finite",
                "infinite",
                "number",
                "notanumber",
                "normal",
                "subnormal",
            ])?;
            let test: fn(F) -> bool = match test {
                "finite" => |a| a.is_finite(),
                "infinite" => |a| a.is_infinite(),
                "number" => |a| !a.is_nan(),
                "notanumber" => |a| a.is_nan(),
                "normal" => |a| a.is_normal(),
                _ => |a| a.is_denormal(),
            };
            Operation::new(of, 1, move |[a, ..]| u64::from(test(F::of_bits(*a))))
        }
        _ => return None,
    })
}

/// Returns an operation on the sign, which keeps the payload of what is not a number.
fn bits<F: Real>(of: Type, style: Style, compute: fn(F) -> F) -> Operation {
    Operation::new(of, 1, move |[a, ..]| compute(style.read::<F>(*a)).raw_bits())
}

/// Returns the smaller or larger of two numbers. Zeros are ordered by their signs.
fn extreme<F: Real>(a: F, b: F, wanted: Ordering, propagates: bool) -> F {
    if propagates && (a.is_nan() || b.is_nan()) {
        return F::of_bits(F::NOT_A_NUMBER);
    }
    match a.partial_cmp(&b) {
        None if a.is_nan() => b,
        None => a,
        Some(Ordering::Equal) => {
            let a_is_less = a.is_negative();
            if a_is_less == (wanted == Ordering::Less) { a } else { b }
        }
        Some(order) => {
            if order == wanted {
                a
            } else {
                b
            }
        }
    }
}

/// Returns the square root. The nearest double is at most half a unit away, and the sign of the
/// exact error says whether its neighbor is wanted.
fn root<F: Real>(value: F, round: Round) -> F {
    let double = value.double();
    let nearest = double.sqrt();
    if F::BITS < 64 {
        // A root of a single that is a double's tie would need more bits than a square of it has,
        // so rounding twice to nearest is exact. Other modes need the error's sign.
        if round == Round::NearestTiesToEven || !nearest.is_finite() {
            return F::of_double(nearest, round);
        }
    } else if round == Round::NearestTiesToEven || !nearest.is_finite() || nearest == 0.0 {
        return F::of_double(nearest, round);
    }
    let error = nearest.mul_add(nearest, -double);
    // The error of a tiny number may vanish: scale such numbers first.
    let (nearest, error) = if double < f64::MIN_POSITIVE * 2.0_f64.powi(110) {
        let scaled = double * 2.0_f64.powi(200);
        let root = scaled.sqrt();
        (root * 2.0_f64.powi(-100), root.mul_add(root, -scaled))
    } else {
        (nearest, error)
    };
    // The exact root is a little below or above `nearest`.
    let rounds_down = matches!(round, Round::TowardZero | Round::TowardNegative);
    let bound = if error > 0.0 && rounds_down {
        nearest.next_down()
    } else if error < 0.0 && !rounds_down {
        nearest.next_up()
    } else {
        nearest
    };
    F::of_double(bound, round)
}
