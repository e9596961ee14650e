//! Whole or partial, libcudadevrt, and names that nobody defines.

use thinlink::{ModeChoice, Policy};
use weft_artifact::LinkMode::{Partial, Whole};
use weft_artifact::Linkage::{External, ExternalWeak};
use weft_artifact::Resolution::Internalize;

use crate::support::{Module, TestResult, complete, fate, link, link_by};

fn program() -> Module {
    Module::new("a.cu").launched("k", &["f"]).function("f", External, &[])
}

fn runtime() -> Module {
    Module::new("libcudadevrt.a/cuda_device_runtime.o")
        .cubin(&["cudaDeviceSynchronize", "__cudaCDP2Free"], &["k"])
        .lto_ir()
}

fn policy(mode: ModeChoice) -> Policy {
    Policy { mode, ..complete() }
}

#[test]
fn the_mode_is_what_the_inputs_and_the_user_make_it() -> TestResult {
    use ModeChoice::{Automatic, ForcePartial, ForceWhole};
    let opaque = || Module::new("b.o").cubin(&["g"], &[]);
    let cases: [(&str, &[Module], _, _, usize); 9] = [
        ("bitcode", &[program()], Automatic, Whole, 0),
        ("bitcode, forced", &[program()], ForceWhole, Whole, 0),
        ("bitcode, partial", &[program()], ForcePartial, Partial, 0),
        ("runtime", &[program(), runtime()], Automatic, Partial, 0),
        ("runtime, forced", &[program(), runtime()], ForceWhole, Whole, 0),
        ("runtime, partial", &[program(), runtime()], ForcePartial, Partial, 0),
        ("opaque", &[program(), opaque()], Automatic, Partial, 1),
        ("opaque, forced", &[program(), opaque()], ForceWhole, Partial, 2),
        ("opaque, partial", &[program(), opaque()], ForcePartial, Partial, 0),
    ];
    for (case, modules, choice, mode, warnings) in cases {
        let link = link_by(&policy(choice), modules)?;
        assert_eq!(link.mode, mode, "{case}");
        assert_eq!(link.warnings.len(), warnings, "{case}: {:?}", link.warnings);
        let word = if mode == Whole { "mode: whole, as " } else { "mode: partial, as " };
        assert!(link.log[0].starts_with(word), "{case}: {:?}", link.log);
    }
    Ok(())
}

#[test]
fn a_forced_partial_link_leaves_visible_what_others_can_see() -> TestResult {
    let whole = link(&[program()])?;
    assert_eq!(fate(&whole, "a.cu", "f"), Some(Internalize));
    let partial = link_by(&policy(ModeChoice::ForcePartial), &[program()])?;
    assert_eq!(fate(&partial, "a.cu", "f"), None);
    Ok(())
}

#[test]
fn nvidias_runtime_keeps_nothing_and_stays_only_while_someone_needs_it() -> TestResult {
    let idle = link(&[program(), runtime()])?;
    assert_eq!(fate(&idle, "a.cu", "f"), Some(Internalize), "its LTO IR is not held against us");
    assert!(!idle.device_runtime);
    assert_eq!(idle.log[1], "libcudadevrt: not needed");
    let caller = |linkage| {
        Module::new("b.cu").launched("l", &["sync"]).function(
            "sync",
            linkage,
            &["cudaDeviceSynchronize"],
        )
    };
    for modules in [&[caller(External), runtime()][..], &[caller(External)]] {
        let link = link(modules)?;
        assert!(link.device_runtime, "with the library among the inputs or not");
        assert_eq!(link.log[1], "libcudadevrt: needed, as device code calls cudaDeviceSynchronize");
        assert!(link.warnings.is_empty(), "{:?}", link.warnings);
    }
    let dead = Module::new("b.cu").function("sync", External, &["cudaDeviceSynchronize"]);
    assert!(!link(&[program(), dead, runtime()])?.device_runtime, "only dead code calls it");
    let cubin = Module::new("b.o").cubin(&[], &["__cudaCDP2Free"]);
    let by_cubin = link(&[program(), cubin, runtime()])?;
    assert_eq!(by_cubin.log[1], "libcudadevrt: needed, as b.o.summary needs __cudaCDP2Free");
    assert!(
        link(&[program(), Module::new("b.o").lto_ir()])?.device_runtime,
        "it may need anything"
    );
    Ok(())
}

#[test]
fn names_that_nobody_defines_are_reported_with_who_needs_them() -> TestResult {
    let module = || {
        Module::new("a.cu")
            .launched("k", &["gone", "vprintf", "image_defines_it"])
            .function("unused", External, &["also_gone"])
            .refers("k", &["dynamic_shared", "weak"])
            .variable("dynamic_shared", ExternalWeak, crate::support::device_variable())
    };
    let image = Module::new("b.o").cubin(&["image_defines_it"], &[]);
    let with_weak = module().declaration("weak");
    let mut built = crate::support::units(&[with_weak, image])?;
    for symbol in built
        .iter_mut()
        .filter_map(|unit| unit.summary.device.as_mut())
        .flat_map(|it| &mut it.symbols)
    {
        if symbol.name == "weak" {
            symbol.linkage = ExternalWeak;
        }
    }
    let link = thinlink::link(&built, &complete())?;
    let undefined: Vec<_> = link.warnings.iter().filter(|it| it.contains("undefined")).collect();
    assert_eq!(
        undefined,
        [&"undefined symbol 'gone': 'k' of a.cu.summary refers to it, and no input defines it"]
    );
    assert!(link_by(&Policy::default(), &[module()])?.warnings.is_empty(), "not all is known");
    let unknown = thinlink::link(
        &crate::support::units(&[module(), Module::new("c.o").lto_ir()])?,
        &complete(),
    )?;
    assert!(unknown.warnings.iter().all(|it| !it.contains("undefined")), "it may define anything");
    Ok(())
}
