//! Known answers, from the PTX manual's definitions.

use super::operation;

/// Fails unless each instruction computes its answer. A row is a name, the operands and the answer.
fn check(rows: &[(&str, &[u64], u64)]) {
    for (name, operands, expected) in rows {
        let found = operation(name).unwrap_or_else(|| panic!("{name} is unknown"));
        assert_eq!(found.operands, operands.len(), "operands of {name}");
        let mut values = [0; 4];
        values[..operands.len()].copy_from_slice(operands);
        let answer = (found.compute)(&values);
        assert_eq!(answer, *expected, "{name} {operands:x?} is {answer:#x}, not {expected:#x}");
    }
}

fn f(value: f32) -> u64 {
    u64::from(value.to_bits())
}

fn d(value: f64) -> u64 {
    value.to_bits()
}

const MINUS_ONE: u64 = 0xFFFF_FFFF;
const NAN: u64 = 0x7FC0_0000;

#[test]
fn whole_numbers() {
    check(&[
        ("add.u32", &[MINUS_ONE, 2], 1),
        ("add.sat.s32", &[0x7FFF_FFFF, 1], 0x7FFF_FFFF),
        ("sub.sat.s32", &[0x8000_0000, 1], 0x8000_0000),
        ("sub.s16", &[0, 1], 0xFFFF),
        ("mul.lo.s32", &[MINUS_ONE, 3], 0xFFFF_FFFD),
        ("mul.hi.s32", &[MINUS_ONE, 3], MINUS_ONE),
        ("mul.hi.u32", &[MINUS_ONE, 3], 2),
        ("mul.wide.s32", &[MINUS_ONE, 3], u64::MAX - 2),
        ("mul.wide.u32", &[MINUS_ONE, 3], 0x2_FFFF_FFFD),
        ("mul.wide.u16", &[0xFFFF, 0xFFFF], 0xFFFE_0001),
        ("mul.hi.u64", &[u64::MAX, u64::MAX], u64::MAX - 1),
        ("mul.hi.s64", &[u64::MAX, u64::MAX], 0),
        ("mad.lo.s32", &[3, 4, 5], 17),
        ("mad.hi.sat.s32", &[0x4000_0000, 4, 0x7FFF_FFFF], 0x7FFF_FFFF),
        ("mad.wide.u32", &[MINUS_ONE, 2, 1], 0x1_FFFF_FFFF),
        ("mul24.lo.u32", &[0x0100_0003, 2], 6),
        ("mul24.hi.u32", &[0x00FF_FFFF, 0x0001_0000], 0x00FF_FFFF),
        ("mad24.lo.s32", &[0x00FF_FFFF, 2, 5], 3),
        ("sad.s32", &[MINUS_ONE, 2, 10], 13),
        ("sad.u32", &[5, 2, 10], 13),
        ("div.s32", &[0xFFFF_FFF9, 2], 0xFFFF_FFFD),
        ("div.u32", &[7, 0], MINUS_ONE),
        ("div.s32", &[0x8000_0000, MINUS_ONE], 0x8000_0000),
        ("rem.s32", &[0xFFFF_FFF9, 2], MINUS_ONE),
        ("rem.u64", &[7, 4], 3),
        ("abs.s32", &[0x8000_0000], 0x8000_0000),
        ("neg.s64", &[1], u64::MAX),
        ("min.s32", &[MINUS_ONE, 1], MINUS_ONE),
        ("min.u32", &[MINUS_ONE, 1], 1),
        ("max.s32", &[MINUS_ONE, 1], 1),
        ("dp4a.s32.s32", &[0xFF02_0304, 0x0201_0101, 10], 17),
        ("dp4a.u32.s32", &[0xFF02_0304, 0x0201_0101, 10], 529),
        ("dp2a.lo.u32.u32", &[0xFFFF_0003, 0x04FF_0102, 10], 65_551),
        ("dp2a.hi.s32.u32", &[0xFFFF_0003, 0x04FF_0102, 10], 771),
        ("cvt.s64.s32", &[MINUS_ONE], u64::MAX),
        ("cvt.u64.u32", &[MINUS_ONE], MINUS_ONE),
        ("cvt.sat.u8.s32", &[300], 255),
        ("cvt.sat.s8.s32", &[0xFFFF_FF00], 0x80),
        ("cvt.u16.u32", &[0x1_2345], 0x2345),
    ]);
}

#[test]
fn bits() {
    check(&[
        ("and.b32", &[12, 10], 8),
        ("or.pred", &[0, 1], 1),
        ("xor.b64", &[12, 10], 6),
        ("not.b16", &[0], 0xFFFF),
        ("not.pred", &[1], 0),
        ("cnot.b32", &[0], 1),
        ("shl.b32", &[1, 31], 0x8000_0000),
        ("shl.b32", &[1, 32], 0),
        ("shr.s32", &[0x8000_0000, 40], MINUS_ONE),
        ("shr.u32", &[0x8000_0000, 32], 0),
        ("shf.l.wrap.b32", &[0x8000_0000, 1, 33], 3),
        ("shf.l.clamp.b32", &[5, 1, 40], 5),
        ("shf.r.wrap.b32", &[2, 1, 33], 0x8000_0001),
        ("shf.r.clamp.b32", &[2, 1, 40], 1),
        ("popc.b64", &[u64::MAX], 64),
        ("clz.b32", &[1], 31),
        ("clz.b32", &[0], 32),
        ("clz.b64", &[1], 63),
        ("brev.b32", &[1], 0x8000_0000),
        ("bfind.u32", &[0x100], 8),
        ("bfind.shiftamt.u32", &[0x100], 23),
        ("bfind.s32", &[MINUS_ONE], MINUS_ONE),
        ("fns.b32", &[0b1011_0000, 5, 2], 7),
        ("fns.b32", &[0b1011_0000, 5, 0xFFFF_FFFE], 4),
        ("fns.b32", &[0b1011_0000, 6, 0], MINUS_ONE),
        ("bfe.u32", &[0xABCD, 4, 8], 0xBC),
        ("bfe.s32", &[0xABCD, 4, 8], 0xFFFF_FFBC),
        ("bfe.s32", &[0x8000_0000, 28, 8], 0xFFFF_FFF8),
        ("bfe.u32", &[1, 0, 0], 0),
        ("bfe.u64", &[u64::MAX, 60, 8], 15),
        ("bfi.b32", &[0xF, 0xFFFF_0000, 8, 4], 0xFFFF_0F00),
        ("bfi.b32", &[0xF, 5, 32, 4], 5),
        ("bmsk.clamp.b32", &[4, 8], 0xFF0),
        ("szext.clamp.s32", &[0xFF, 8], MINUS_ONE),
        ("prmt.b32", &[0x3322_1100, 0x7766_5544, 0x0527], 0x0055_2277),
        ("prmt.b32", &[0x80, 0, 0x8888], MINUS_ONE),
        ("prmt.b32.f4e", &[0x3322_1100, 0x7766_5544, 1], 0x4433_2211),
        ("prmt.b32.b4e", &[0x3322_1100, 0x7766_5544, 1], 0x6677_0011),
        ("prmt.b32.rc8", &[0x3322_1100, 0, 2], 0x2222_2222),
        ("prmt.b32.rc16", &[0x3322_1100, 0, 1], 0x3322_3322),
        ("lop3.b32", &[0xF0F0_F0F0, 0xCCCC_CCCC, 0xAAAA_AAAA, 0xE8], 0xE8E8_E8E8),
        ("lop3.b32", &[1, 2, 4, 0xFE], 7),
        ("selp.b32", &[1, 2, 0], 2),
        ("slct.u32.s32", &[1, 2, MINUS_ONE], 2),
        ("slct.u32.f32", &[1, 2, 0x8000_0000], 1),
        ("set.lt.u32.s32", &[MINUS_ONE, 0], MINUS_ONE),
        ("set.eq.f32.u32", &[4, 4], 0x3F80_0000),
        ("set.neu.u32.f32", &[NAN, NAN], MINUS_ONE),
        ("set.lt.and.u32.s32", &[0, 1, 0], 0),
    ]);
}

#[test]
fn floats() {
    check(&[
        ("add.f32", &[f(1.5), f(2.25)], f(3.75)),
        ("add.rz.f32", &[f(1.0), f(1.0e-10)], f(1.0)),
        ("add.rp.f32", &[f(1.0), f(1.0e-10)], 0x3F80_0001),
        ("add.rm.f32", &[f(1.0), f(-1.0e-10)], 0x3F7F_FFFF),
        ("sub.f32", &[f(f32::INFINITY), f(f32::INFINITY)], 0x7FFF_FFFF),
        ("sub.rn.f64", &[d(1.0), d(0.25)], d(0.75)),
        ("mul.ftz.f32", &[1, f(1.0)], 0),
        ("mul.f32", &[1, f(-1.0)], 0x8000_0001),
        ("mul.sat.f32", &[f(2.0), f(3.0)], f(1.0)),
        ("add.sat.f32", &[NAN, 0], 0),
        ("fma.rn.f32", &[0x3F80_0001, 0x3F80_0001, f(-1.0)], 0x3480_0000),
        ("fma.rp.f32", &[0x3F80_0001, 0x3F80_0001, f(-1.0)], 0x3480_0001),
        ("fma.rz.f64", &[d(3.0), d(4.0), d(0.5)], d(12.5)),
        ("mad.rn.f32", &[f(2.0), f(3.0), f(1.0)], f(7.0)),
        ("div.rn.f32", &[f(1.0), f(3.0)], 0x3EAA_AAAB),
        ("div.rz.f32", &[f(1.0), f(3.0)], 0x3EAA_AAAA),
        ("div.full.f32", &[f(1.0), f(4.0)], f(0.25)),
        ("div.approx.ftz.f32", &[f(1.0), f(4.0)], f(0.25)),
        ("rcp.rn.f64", &[d(8.0)], d(0.125)),
        ("sqrt.rn.f32", &[f(2.0)], f(2.0_f32.sqrt())),
        ("sqrt.rp.f32", &[f(2.0)], 0x3FB5_04F4),
        ("sqrt.rm.f32", &[f(2.0)], 0x3FB5_04F3),
        ("sqrt.rz.f64", &[d(2.0)], 0x3FF6_A09E_667F_3BCC),
        ("sqrt.rp.f64", &[d(2.0)], 0x3FF6_A09E_667F_3BCD),
        ("sqrt.rp.f64", &[d(4.0)], d(2.0)),
        ("sqrt.rm.f64", &[1], 0x1E60_0000_0000_0000),
        ("rsqrt.approx.f32", &[f(4.0)], f(0.5)),
        ("ex2.approx.ftz.f32", &[f(3.0)], f(8.0)),
        ("lg2.approx.f32", &[f(8.0)], f(3.0)),
        ("sin.approx.f32", &[0], 0),
        ("cos.approx.f32", &[0], f(1.0)),
        ("abs.f32", &[f(-1.0)], f(1.0)),
        ("neg.f64", &[d(0.0)], d(-0.0)),
        ("copysign.f32", &[f(-1.0), f(2.0)], f(-2.0)),
        ("min.f32", &[NAN, f(1.0)], f(1.0)),
        ("min.NaN.f32", &[NAN, f(1.0)], 0x7FFF_FFFF),
        ("max.f32", &[f(-0.0), f(0.0)], f(0.0)),
        ("min.f32", &[f(0.0), f(-0.0)], f(-0.0)),
        ("testp.subnormal.f32", &[1], 1),
        ("testp.normal.f32", &[1], 0),
        ("add.f16", &[0x3C00, 0x3C00], 0x4000),
        ("add.f16x2", &[0x3C00_4000, 0x3C00_3C00], 0x4000_4200),
        ("fma.rn.bf16", &[0x4000, 0x4040, 0x3F80], 0x40E0),
    ]);
}

#[test]
fn conversions_of_floats() {
    check(&[
        ("cvt.rn.f32.s32", &[MINUS_ONE], f(-1.0)),
        ("cvt.rn.f32.u32", &[MINUS_ONE], f(4_294_967_296.0)),
        ("cvt.rz.f32.u32", &[MINUS_ONE], 0x4F7F_FFFF),
        ("cvt.rn.f64.s64", &[u64::MAX], d(-1.0)),
        ("cvt.rzi.s32.f32", &[f(-2.7)], 0xFFFF_FFFE),
        ("cvt.rni.s32.f32", &[f(2.5)], 2),
        ("cvt.rmi.s32.f32", &[f(-2.1)], 0xFFFF_FFFD),
        ("cvt.rpi.s32.f32", &[f(2.1)], 3),
        ("cvt.rzi.u32.f32", &[f(-5.0)], 0),
        ("cvt.rzi.s32.f32", &[f(1.0e20)], 0x7FFF_FFFF),
        ("cvt.rzi.s32.f32", &[NAN], 0),
        ("cvt.rzi.s64.f32", &[NAN], 1 << 63),
        ("cvt.rzi.u8.f32", &[f(300.0)], 255),
        ("cvt.f64.f32", &[f(1.5)], d(1.5)),
        ("cvt.rn.f32.f64", &[d(1.0 + 1.0e-12)], f(1.0)),
        ("cvt.rp.f32.f64", &[d(1.0 + 1.0e-12)], 0x3F80_0001),
        ("cvt.rn.f16.f32", &[f(65_520.0)], 0x7C00),
        ("cvt.rz.f16.f32", &[f(65_520.0)], 0x7BFF),
        ("cvt.f32.f16", &[1], f(5.960_464_5e-8)),
        ("cvt.rn.bf16.f32", &[f(1.0)], 0x3F80),
        ("cvt.rn.f16x2.f32", &[f(1.0), f(2.0)], 0x3C00_4000),
        ("cvt.rzi.f32.f32", &[f(-0.5)], f(-0.0)),
        ("cvt.rni.f64.f64", &[d(3.5)], d(4.0)),
        ("cvt.sat.f32.f32", &[f(7.0)], f(1.0)),
        ("cvt.ftz.f64.f32", &[1], 0),
    ]);
}

type Real = fn(f64, f64) -> f64;

/// Every nearest result of the processor is the interpreter's.
#[test]
fn nearest_results_are_the_processors() {
    let mut seed = 1_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from_bits(seed ^ seed >> 29)
    };
    let operations: [(&str, Real); 4] = [
        ("add.rn.f64", |a, b| a + b),
        ("mul.rn.f64", |a, b| a * b),
        ("div.rn.f64", |a, b| a / b),
        ("sqrt.rn.f64", |a, _| a.sqrt()),
    ];
    for (name, expected) in operations {
        let found = operation(name).unwrap();
        for _ in 0..2000 {
            let (a, b) = (next(), next());
            let (expected, answer) = (expected(a, b), (found.compute)(&[d(a), d(b), 0, 0]));
            let is_same = answer == d(expected) || expected.is_nan();
            assert!(is_same, "{name} {a:e} {b:e} is {answer:#x}, not {:#x}", d(expected));
        }
    }
}

#[test]
fn unknown_names_and_modifiers_are_refused() {
    for name in [
        "frobnicate.b32",
        "add.relaxed.u32",
        "add.sat.u16",
        "mul.u32",
        "cvt.pack.sat.u8.s32",
        "selp.b32.f32.wrong",
        "sin.f32",
        "shf.l.wrap.b64",
    ] {
        assert!(operation(name).is_none(), "{name}");
    }
}
