use super::*;
use crate::data::{Comparison, GoneKernel, Image, Kernel, Link, Module, Occupancy};
use crate::names::NameTable;

fn report() -> BuildReport {
    let mut names = NameTable::default();
    let before = |registers, stack, warps| {
        let spills = Some(0);
        KernelValues { registers, stack, spills, warps: Some(warps), ..KernelValues::default() }
    };
    let mut kernel = |name: &str, registers, stack, warps, change: &str, before| Kernel {
        name: names.number(name),
        registers,
        stack,
        spill_stores: Some(0),
        occupancy: Some(Occupancy { warps, of_warps: 64, ..Occupancy::default() }),
        change: change.to_owned(),
        before,
        ..Kernel::default()
    };
    let kernels = vec![
        kernel("_Z5worsev", 42, 16, 40, "worse", Some(before(40, 0, 48))),
        kernel("_Z4samev", 20, 8, 64, "same", Some(before(20, 8, 64))),
        Kernel { calls: vec![0], ..kernel("_Z3newv", 90, 0, 20, "new", None) },
    ];
    let gone = GoneKernel { before: before(0, 100, 64), ..GoneKernel::default() };
    BuildReport {
        kernels,
        names: names.into_names(),
        modules: vec![Module::default()],
        links: vec![Link { architecture: "sm_90".to_owned(), ..Link::default() }],
        images: vec![Image {
            cubin_bytes: 1030,
            cubin_bytes_before: Some(1000),
            ..Image::default()
        }],
        against: Some(Comparison { gone: vec![gone], ..Comparison::default() }),
        ..BuildReport::new("")
    }
}

/// Returns the lines of what passes a limit.
fn lines(gate: &str) -> Vec<String> {
    let gate: Gate = gate.parse().unwrap();
    gate.check(&report(), Form::Short).unwrap().map_or_else(Vec::new, |breach| breach.lines)
}

#[test]
fn a_limit_is_passed_by_what_is_beyond_it() {
    for (gate, expected) in [
        ("regs+5%", None),
        ("regs+4.999%", Some("worse (sm_90): 40 -> 42 registers, +5.0%")),
        ("regs+1", Some("worse (sm_90): 40 -> 42 registers, +5.0%")),
        ("regs+2", None),
        ("regs>89", Some("new (sm_90): 90 registers")),
        ("stack+0", Some("worse (sm_90): 0 -> 16 stack bytes")),
        ("stack+1000%", Some("worse (sm_90): 0 -> 16 stack bytes")),
        ("stack>8", Some("worse (sm_90): 16 stack bytes")),
        ("spills", None),
        ("calls", Some("new (sm_90): 1 calls")),
        ("occupancy-7", Some("worse (sm_90): 48 -> 40 occupancy, -16.7%")),
        ("occupancy-8", None),
        ("occupancy-16%", Some("worse (sm_90): 48 -> 40 occupancy, -16.7%")),
        ("occupancy<21", Some("new (sm_90): 20 occupancy")),
        ("new-calls", Some("new (sm_90): 0 -> 1 calls")),
        (
            "worse",
            Some("worse (sm_90): occupancy 48 -> 40, registers 40 -> 42, stack bytes 0 -> 16"),
        ),
        ("total-stack+0", None),
        ("total-stack>23", Some("all kernels: 24 stack bytes")),
        ("total-regs+91", Some("all kernels: 60 -> 152 registers, +153.3%")),
        ("total-regs+92", None),
        ("image+2%", Some("cubins of sm_90: 1,000 -> 1,030 bytes, +3.0%")),
        ("image+30", None),
        ("image>1029", Some("cubins of sm_90: 1,030 bytes")),
    ] {
        assert_eq!(lines(gate), expected.into_iter().collect::<Vec<_>>(), "{gate}");
    }
}

#[test]
fn what_is_no_limit_is_refused_with_the_reason() {
    for (text, reason) in [
        ("", "'' is nothing that can be limited"),
        ("speed+5%", "'speed' is nothing that can be limited: that are occupancy, regs, "),
        ("regs", "'regs': say how much is allowed: +5, +5% or >5"),
        ("occupancy", "'occupancy': say how much is allowed: -5, -5% or <5"),
        ("regs-5", "'regs-5': more is worse, so a limit is +N, +N% or >N"),
        ("regs<5", "'regs<5': more is worse"),
        ("occupancy+5", "'occupancy+5': more is better, so a limit is -N, -N% or <N"),
        ("stack+", "'stack+': '' is no number"),
        ("stack+1.5", "'stack+1.5': '1.5' is no number"),
        ("stack+1.%", "'stack+1.%': '1.%' is no number"),
        ("stack+99999999999999999999%", "'stack+99999999999999999999%': '9999"),
        ("stack>5%", "'stack>5%': '5%' is no number"),
        ("worse+5", "'worse+5': it takes no number"),
        ("image", "'image': say how much is allowed"),
        ("total-occupancy-5", "'total-occupancy-5': occupancies of several kernels have no sum"),
    ] {
        let reason_given = text.parse::<Gate>().unwrap_err();
        assert!(reason_given.starts_with(reason), "{reason_given}");
    }
}

#[test]
fn a_limit_on_something_unknown_is_refused() {
    let refused = |report: &BuildReport, gate: &str| {
        gate.parse::<Gate>().unwrap().check(report, Form::Short).unwrap_err()
    };
    let alone = BuildReport { against: None, ..report() };
    for gate in ["regs+5%", "occupancy-1", "new-calls", "worse", "image+2%", "total-stack+0"] {
        assert!(refused(&alone, gate).ends_with("which needs --against"), "{gate}");
        assert!(gate.parse::<Gate>().unwrap().needs_comparison());
    }
    let mut cubins = report();
    cubins.kernels[0].before.as_mut().unwrap().spills = None;
    cubins.kernels[1].spill_stores = None;
    cubins.images[0].cubin_bytes_before = None;
    assert_eq!(
        refused(&cubins, "spills+0"),
        "'spills+0': the earlier build says nothing about spilled bytes"
    );
    assert_eq!(refused(&cubins, "spills"), "'spills': this build says nothing about spilled bytes");
    assert_eq!(
        refused(&cubins, "total-spills>3"),
        "'total-spills>3': this build says nothing about spilled bytes"
    );
    assert_eq!(
        refused(&cubins, "image+1"),
        "'image+1': the earlier build of sm_90 says nothing about its size"
    );
    // The linked images come first, if both builds know theirs.
    let mut linked = report();
    (linked.images[0].image_bytes, linked.images[0].image_bytes_before) = (Some(90), Some(80));
    let gate: Gate = "image+10%".parse().unwrap();
    let passed = gate.check(&linked, Form::Short).unwrap().unwrap();
    assert_eq!(passed.lines, ["image of sm_90: 80 -> 90 bytes, +12.5%"]);
}
