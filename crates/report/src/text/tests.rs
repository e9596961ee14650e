use super::*;
use crate::data::{
    Comparison, Edge, GoneKernel, Image, Job, JobOrigin, Kernel, KernelValues, Link, Module,
    ModuleChange, Occupancy, Opaque, Removed, RemovedKind, Sizes,
};
use crate::names::NameTable;

const LONG: &str = "_ZN9transport12_GLOBAL__N_120a_name_that_is_long_INS_7another20name_that_is_long_\
                    tooEEEvPf";

/// Returns a report that has something for every section.
pub(crate) fn report() -> BuildReport {
    let mut names = NameTable::default();
    let occupancy = |warps| {
        let limited_by = "registers".to_owned();
        Some(Occupancy { block_threads: 256, warps, of_warps: 64, limited_by })
    };
    let long = Kernel {
        name: names.number("_ZN9transport12_GLOBAL__N_19fold_bodyINS_8ResponseEEEvPf"),
        registers: 48,
        stack: 24,
        spill_stores: Some(8),
        spill_loads: Some(12),
        shared: 4096,
        constant: [("0".to_owned(), 560), ("2".to_owned(), 16)].into(),
        occupancy: occupancy(40),
        instructions: 1234,
        calls: vec![names.number("_Z7outsidei")],
        more: [("compile_seconds".to_owned(), 0.0123), ("textures".to_owned(), 2.0)].into(),
        before: Some(KernelValues {
            registers: 40,
            stack: 24,
            spills: Some(0),
            shared: 4096,
            instructions: 1200,
            calls: 0,
            warps: Some(48),
        }),
        change: "worse".to_owned(),
        ..Kernel::default()
    };
    let plain = Kernel {
        name: names.number("plain"),
        module: 1,
        registers: 12,
        spill_stores: Some(0),
        occupancy: occupancy(64),
        change: "new".to_owned(),
        ..Kernel::default()
    };
    let sizes = |functions, calls, instructions| {
        Some(Sizes { functions, instructions, calls, ..Sizes::default() })
    };
    let modules = vec![
        Module {
            id: "src/detector/with/a/long/path/to/response.cu".to_owned(),
            imports: vec![Edge { source: 1, symbols: 2, copies: 1 }],
            before: sizes(4, 5, 200),
            after: sizes(1, 1, 170),
            imported_inlined: Some(1),
            cubin_bytes: Some(12_345),
            ..Module::default()
        },
        Module { id: "src/plain.cu".to_owned(), empty: true, ..Module::default() },
    ];
    let link = link(&mut names);
    let job = |phase: &str, module, start, took| Job {
        phase: phase.to_owned(),
        module,
        start,
        took,
        ..Job::default()
    };
    let against = comparison(&mut names);
    BuildReport {
        kernels: vec![long, plain],
        modules,
        links: vec![link],
        images: vec![Image {
            cubin_bytes: 12_345,
            cubin_bytes_before: Some(10_000),
            ..Image::default()
        }],
        jobs: vec![
            Job { subject: "program".to_owned(), ..job("thinlink", None, 0, 6_000) },
            job("codegen", Some(0), 6_000, 1_500_000),
            Job { origin: JobOrigin::Cache, earlier: true, ..job("codegen", Some(1), 1, 700) },
        ],
        critical_path: vec![0, 1],
        texts: vec!["ptxas warning: something \u{1b}[31m".to_owned()],
        messages: vec![(0, 0)],
        against: Some(against),
        names: names.into_names(),
        ..BuildReport::new("program")
    }
}

fn link(names: &mut NameTable) -> Link {
    Link {
        architecture: "sm_90".to_owned(),
        options: [("ftz".to_owned(), 1)].into(),
        notes: vec!["mode: whole, as all device code is bitcode".to_owned()],
        warnings: vec!["a warning".to_owned()],
        removed: vec![
            Removed { name: names.number("_Z4deadPi"), ..Removed::default() },
            Removed {
                kind: RemovedKind::Variable,
                name: names.number("unused"),
                ..Removed::default()
            },
        ],
        opaque: vec![Opaque {
            unit: "vendor.o".to_owned(),
            kinds: vec!["cubin".to_owned()],
            keeps: vec![names.number("_Z7outsidei")],
        }],
        ..Link::default()
    }
}

fn comparison(names: &mut NameTable) -> Comparison {
    Comparison {
        title: "before.json".to_owned(),
        worse: 1,
        new: 1,
        gone: vec![GoneKernel {
            name: names.number("_Z4gonev"),
            architecture: "sm_90".to_owned(),
            before: KernelValues { registers: 7, ..KernelValues::default() },
        }],
        modules: vec![ModuleChange {
            id: "src/plain.cu".to_owned(),
            architecture: "sm_90".to_owned(),
            change: "plan".to_owned(),
            cubin_bytes_before: Some(900),
        }],
        cubin_bytes: Some((10_000, 12_345)),
        ..Comparison::default()
    }
}

/// Also the form of tables, so a change of them shows here.
#[test]
fn the_text_has_a_section_for_everything() {
    let expected = include_str!("tests/whole.txt");
    let made = text(&report(), TextOptions { form: Form::Short, width: DEFAULT_WIDTH });
    assert!(made == expected, "{made}");
}

#[test]
fn lines_fit_unless_names_are_for_scripts() {
    let mut report = report();
    let mut names = NameTable::of(std::mem::take(&mut report.names));
    report.kernels[1].name = names.number(LONG);
    report.names = names.into_names();
    for width in [60, 80, 100, 160] {
        let made = text(&report, TextOptions { form: Form::Short, width });
        let most = made.lines().map(|line| line.chars().count()).max();
        assert!(most.is_some_and(|most| most <= width), "{width}: {made}");
    }
    let narrow = |width| text(&report, TextOptions { form: Form::Short, width });
    assert_eq!(narrow(1), narrow(60));
    let scripts = text(&report, TextOptions { form: Form::Mangled, width: 60 });
    assert!(scripts.contains(LONG) && scripts.contains("_Z4deadPi"), "{scripts}");
}

#[test]
fn several_architectures_are_told_apart() {
    let mut report = report();
    report.links.push(Link { architecture: "sm_120a".to_owned(), ..Link::default() });
    report.modules[1].link = 1;
    let made = text(&report, TextOptions { form: Form::Short, width: DEFAULT_WIDTH });
    for part in
        ["program: 2 kernels, 2 units, sm_90 and sm_120a", "  sm_120a  plain", "dead (sm_90)"]
    {
        assert!(made.contains(part), "{part:?} is not in {made}");
    }
}

#[test]
fn a_report_of_nothing_says_so() {
    let made = text(&BuildReport::new(""), TextOptions { form: Form::Short, width: 80 });
    assert_eq!(made, "0 kernels\n\nNo kernels.\n");
}
