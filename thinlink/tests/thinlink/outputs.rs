//! Plans and manifest as files.

use std::error::Error;
use std::path::Path;

use thinlink::{Packing, Policy};
use weft_artifact::Linkage::External;
use weft_artifact::{Artifact as _, JobClasses, LinkMode, Manifest, ManifestModule, Plan, digest};

use crate::links::{complete, link, link_by, open};
use crate::support::{Module, TestResult};

#[test]
fn the_manifest_lists_each_job_with_its_plan_and_its_sources() -> TestResult {
    let modules = [
        Module::new("src/b.cu").function("f", External, &[]),
        Module::new("src/a.cu").launched("k", &["f"]).kernel("dead", &[]),
        Module::new("main.cpp"),
    ];
    let link = link(&modules)?;
    let files = &link.files;
    let paths: Vec<&Path> = files.iter().map(|file| file.path.as_path()).collect();
    assert_eq!(
        paths,
        ["src/a.cu.plan", "src/b.cu.plan", "decisions.weft", "manifest.json"].map(Path::new)
    );

    let manifest: Manifest = serde_json::from_slice(&files[3].content)?;
    assert_eq!(files[3].content.last(), Some(&b'\n'));
    assert_eq!(manifest.architecture, "sm_90");
    assert_eq!(manifest.removed_kernels, ["dead"]);
    assert_eq!(manifest.modules.len(), 2);
    assert_eq!(manifest.modules[0].module_id, "src/a.cu");
    assert_eq!(manifest.modules[0].import_sources, ["src/b.cu"]);
    assert!(manifest.modules[1].import_sources.is_empty());
    assert_eq!(manifest.modules[0].estimated_cost, 20, "k and the imported f");
    assert_eq!(manifest.modules[1].estimated_cost, 0, "only the copy of f is used");
    let kernels = |module: &ManifestModule| (module.closed_kernels, module.open_kernels);
    assert_eq!(manifest.modules.iter().map(kernels).collect::<Vec<_>>(), [(1, 0), (0, 0)]);
    let classes: Vec<JobClasses> = manifest.modules.iter().map(|module| module.classes).collect();
    assert_eq!(classes, [JobClasses::of(20), JobClasses::of(0)]);
    let json = String::from_utf8_lossy(&files[3].content);
    assert!(json.contains("\"memory_mib\": 512"), "{json}");
    assert_eq!((manifest.mode, manifest.device_runtime), (LinkMode::Whole, false));
    assert_eq!(manifest.decisions, "decisions.weft");
    for ((module, file), plan) in manifest.modules.iter().zip(files).zip(&link.plans) {
        assert_eq!(Path::new(&module.plan), file.path);
        assert_eq!(module.plan_digest, digest(&file.content).to_hex().as_str());
        assert_eq!(&Plan::decode(&file.content)?, plan);
    }
    Ok(())
}

#[test]
fn the_manifest_lists_the_members_of_a_job_with_its_first_module() -> TestResult {
    let kernel = |unit: &str, name: &str| Module::new(unit).launched(name, &[]);
    let modules = [kernel("a.cu", "a"), kernel("b.cu", "b"), kernel("c.cu", "c")];
    let policy = Policy { packing: Packing::Number(2), ..complete() };
    let manifest = link_by(&policy, &modules)?.files.pop().ok_or("no manifest")?;
    let manifest: Manifest = serde_json::from_slice(&manifest.content)?;
    let [a, b, c] = &manifest.modules[..] else { return Err("three modules".into()) };
    assert_eq!((&*a.members, a.emits_code, a.estimated_cost), (&["b.cu".to_owned()][..], true, 20));
    assert_eq!((&*b.members, b.emits_code, b.estimated_cost), (&[][..], false, 0));
    assert_eq!((&*c.members, c.emits_code), (&[][..], true));
    Ok(())
}

#[test]
fn a_program_without_device_code_has_a_manifest_without_modules() -> TestResult {
    let files = link(&[Module::new("main.cpp")])?.files;
    assert_eq!(files.len(), 2);
    let manifest: Manifest = serde_json::from_slice(&files[1].content)?;
    assert!(manifest.modules.is_empty() && manifest.architecture.is_empty());
    Ok(())
}

#[test]
fn tallies_count_what_happens_to_a_modules_definitions() -> TestResult {
    let modules = [
        Module::new("a.cu").launched("k", &["f", "own"]).function("own", External, &[]),
        Module::new("b.cu")
            .function("f", External, &["local"])
            .function("local", weft_artifact::Linkage::Internal, &[])
            .function("dead", External, &[]),
    ];
    let tallies = |policy: &Policy| -> Result<Vec<_>, Box<dyn Error>> {
        let tallies = link_by(policy, &modules)?.tallies.into_iter();
        Ok(tallies
            .map(|counts| {
                [
                    counts.imports,
                    counts.copied,
                    counts.kept,
                    counts.removed,
                    counts.internalized,
                    counts.promoted,
                ]
            })
            .collect())
    };
    assert_eq!(tallies(&open())?, [[2, 0, 2, 0, 1, 0], [0, 0, 2, 1, 0, 1]]);
    assert_eq!(tallies(&complete())?, [[2, 2, 2, 0, 1, 0], [0, 0, 0, 3, 0, 0]]);
    Ok(())
}
