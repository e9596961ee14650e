use super::*;
use crate::data::{Kernel, Link, Occupancy};

const NOW: KernelValues = KernelValues {
    registers: 40,
    stack: 8,
    spills: Some(16),
    shared: 1024,
    instructions: 100,
    calls: 2,
    warps: Some(48),
};

fn change(edit: impl Fn(&mut KernelValues)) -> &'static str {
    let mut now = NOW;
    edit(&mut now);
    judged(&NOW, &now)
}

#[test]
fn a_kernel_is_judged_by_the_values_that_count() {
    assert_eq!(change(|_| {}), "same");
    assert_eq!(change(|now| now.instructions = 900), "same");
    assert_eq!(change(|now| now.stack += 8), "worse");
    assert_eq!(change(|now| now.calls -= 1), "better");
    assert_eq!(change(|now| now.spills = Some(0)), "better");
    assert_eq!(change(|now| now.spills = None), "same");
    assert_eq!(change(|now| now.warps = Some(40)), "worse");
    // Registers that cost no warp count, and registers that gain or cost warps count as warps.
    assert_eq!(change(|now| now.registers += 1), "worse");
    assert_eq!(change(|now| now.shared -= 1), "better");
    assert_eq!(change(|now| (now.registers, now.warps) = (48, Some(40))), "worse");
    assert_eq!(change(|now| (now.registers, now.warps) = (48, Some(64))), "better");
    assert_eq!(change(|now| (now.registers, now.warps) = (48, None)), "worse");
    assert_eq!(change(|now| (now.registers, now.stack) = (32, 16)), "mixed");
}

/// Returns a report with kernels as `(module, name, registers)`, of modules as `(id, plan, code)`.
fn report(
    architecture: &str,
    modules: &[(&str, &str, &str)],
    kernels: &[(u32, &str, u32)],
) -> BuildReport {
    let mut names = NameTable::default();
    let module = |(id, plan, code): &(&str, &str, &str)| Module {
        id: (*id).to_owned(),
        plan_digest: (*plan).to_owned(),
        code_digest: (*code).to_owned(),
        cubin_bytes: Some(10),
        ..Module::default()
    };
    let kernel = |(module, name, registers): &(u32, &str, u32)| Kernel {
        name: names.number(name),
        module: *module,
        registers: *registers,
        occupancy: Some(Occupancy { warps: 48, of_warps: 64, ..Occupancy::default() }),
        ..Kernel::default()
    };
    let kernels = kernels.iter().map(kernel).collect();
    BuildReport {
        links: vec![Link { architecture: architecture.to_owned(), ..Link::default() }],
        modules: modules.iter().map(module).collect(),
        kernels,
        names: names.into_names(),
        images: vec![Image { link: 0, cubin_bytes: 10 * modules.len() as u64, ..Image::default() }],
        ..BuildReport::new("")
    }
}

#[test]
fn kernels_are_found_by_name_and_architecture_and_modules_by_their_ids() {
    let old = report(
        "sm_90",
        &[("a", "1", "1"), ("b", "1", "1"), ("c", "1", "1"), ("d", "1", "1")],
        &[(0, "k", 40), (1, "twice", 10), (0, "twice", 20), (0, "_Z4gonev", 7)],
    );
    let mut new = report(
        "sm_90a",
        &[("a", "1", "2"), ("b", "2", "2"), ("c", "1", "1"), ("e", "1", "1")],
        &[(0, "k", 48), (0, "twice", 20), (1, "twice", 10), (2, "twice", 1)],
    );
    compare(&mut new, &old, "old.json");
    let changes: Vec<_> = new.kernels.iter().map(|kernel| kernel.change.as_str()).collect();
    assert_eq!(changes, ["worse", "same", "same", "new"]);
    let against = new.against.unwrap();
    assert_eq!((against.title.as_str(), against.worse, against.same), ("old.json", 1, 2));
    assert_eq!((against.new, against.cubin_bytes), (1, Some((40, 40))));
    assert_eq!(new.images[0].cubin_bytes_before, Some(40));
    let gone: Vec<_> = against
        .gone
        .iter()
        .map(|gone| (new.names.short(gone.name), gone.architecture.as_str(), gone.before.registers))
        .collect();
    assert_eq!(gone, [("gone", "sm_90", 7)]);
    let modules: Vec<_> = against
        .modules
        .iter()
        .map(|module| (module.id.as_str(), module.change.as_str(), module.architecture.as_str()))
        .collect();
    let now = "sm_90a";
    let expected =
        [("a", "code", now), ("b", "plan", now), ("e", "new", now), ("d", "gone", "sm_90")];
    assert_eq!(modules, expected);
}

#[test]
fn plain_cubins_say_nothing_about_modules() {
    let mut old = report("sm_90", &[("image.cubin", "", "")], &[(0, "k", 40)]);
    (old.images[0].cubin_bytes, old.images[0].image_bytes) = (0, Some(50));
    let mut new = report("sm_90", &[("a", "1", "2")], &[(0, "k", 40)]);
    compare(&mut new, &old, "image.cubin");
    let against = new.against.clone().unwrap();
    assert_eq!((against.same, against.cubin_bytes, against.image_bytes), (1, None, None));
    assert!(against.modules.is_empty() && against.gone.is_empty());
    assert!(against.note.contains("--image makes them so"), "{}", against.note);

    new.images[0].image_bytes = Some(55);
    compare(&mut new, &old, "image.cubin");
    let against = new.against.unwrap();
    assert_eq!((against.image_bytes, against.note.as_str()), (Some((50, 55)), ""));
}

/// Positions in a report of somebody else's may be out of range.
#[test]
fn a_report_whose_positions_are_wrong_is_compared_all_the_same() {
    let mut old = report("sm_90", &[("a", "1", "1")], &[(0, "k", 40)]);
    old.kernels[0].module = 9;
    old.kernels[0].name = 9;
    old.modules[0].link = 9;
    let mut new = report("sm_90", &[("a", "1", "1")], &[(0, "k", 40)]);
    compare(&mut new, &old, "old.json");
    assert_eq!(new.against.map(|against| (against.new, against.gone.len())), Some((1, 1)));
}
