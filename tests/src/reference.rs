//! The device image of `examples/transport` as `cargo xtask demo` makes it. The image of every
//! integration must equal it byte for byte.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use dev_builds::{Program, Settings, Target, Tools, Variant};

use crate::{Run, tools, workspace_root};

/// Returns the image. The first call in a test program makes it. The objects that clang makes are
/// kept below Cargo's target folder as long as the sources stay the same, and the outputs of Weft
/// are always made anew.
pub fn transport_image() -> &'static [u8] {
    static IMAGE: OnceLock<Vec<u8>> = OnceLock::new();
    IMAGE.get_or_init(|| build().unwrap_or_else(|error| panic!("the reference image: {error}")))
}

/// Copies the objects of the example's units below `folder`. Returns the source paths of the units,
/// which are their module ids. The object of `src/a.cu` is `src/a.cu.o`.
pub fn transport_objects(folder: &Path) -> Result<Vec<String>, String> {
    let copied = with_program(|program| {
        program.write_ninja(Variant::Weft, &Settings::default())?;
        program.build(Variant::Weft, Target::Objects, 2)?;
        let units: Vec<_> =
            [&program.units().cuda, &program.units().host].into_iter().flatten().cloned().collect();
        for unit in &units {
            let object = format!("{unit}.o");
            let to = folder.join(&object);
            fs::create_dir_all(to.parent().unwrap_or(folder))?;
            fs::copy(program.output(Variant::Weft, &object), to)?;
        }
        Ok(units)
    });
    copied.map_err(|error| format!("the objects of the example: {error}"))
}

/// Copies the example to `folder`, with the objects that clang makes and the build file of Weft's
/// build, in which nothing else is made yet. Ninja knows the objects there.
pub fn copy_with_objects(folder: &Path) -> Result<(), String> {
    let copied = with_program(|program| {
        forget(&program.output(Variant::Weft, ""))?;
        program.write_ninja(Variant::Weft, &Settings::default())?;
        program.build(Variant::Weft, Target::Objects, 2)?;
        // Ninja compares times, which `fs::copy` does not keep.
        Run::new("cp", program.folder()).args(["--archive", "."]).arg(folder).attempt()?;
        Ok(())
    });
    copied.map_err(|error| format!("a copy of the example: {error}"))
}

fn build() -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    with_program(|program| {
        forget(&program.output(Variant::Weft, ""))?;
        program.write_ninja(Variant::Weft, &Settings::default())?;
        program.build(Variant::Weft, Target::Image, 2)?;
        Ok(fs::read(program.image(Variant::Weft)?)?)
    })
}

/// Returns the tools of builds, with Weft's executables of this test run.
pub fn build_tools() -> &'static Tools {
    static TOOLS: OnceLock<Tools> = OnceLock::new();
    TOOLS.get_or_init(|| {
        // Weft's executables are looked up first, because their absence has a separate message.
        for executable in ["summarize", "thinlink", "backend-job", "weft"] {
            tools().weft(executable);
        }
        let toolchain = dev_toolchain::ensure(workspace_root(), dev_toolchain::Scope::Builds);
        Tools {
            toolchain: toolchain.unwrap_or_else(|error| panic!("the toolchain: {error}")),
            executables: tools().executables().to_owned(),
        }
    })
}

/// Calls `with` with a copy of the example that no other test program uses at the same time.
fn with_program<T>(
    with: impl FnOnce(&Program<'_>) -> Result<T, Box<dyn std::error::Error>>,
) -> Result<T, Box<dyn std::error::Error>> {
    let build_tools = build_tools();
    let folder = tools().executables().join("weft-tests");
    fs::create_dir_all(&folder)?;
    // Test programs may run at the same time.
    let lock = File::create(folder.join("lock"))?;
    lock.lock()?;
    let source = workspace_root().join("examples/transport");
    let copy = folder.join("transport");
    let program = if same_files(&source, &copy)? {
        Program::open(&copy, build_tools)?
    } else {
        Program::copy(&source, &copy, build_tools)?
    };
    with(&program)
}

/// Returns whether the copy has exactly the files of the source, apart from the folder `build`.
fn same_files(source: &Path, copy: &Path) -> std::io::Result<bool> {
    Ok(copy.is_dir() && contents(source)? == contents(copy)?)
}

fn contents(folder: &Path) -> std::io::Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut contents = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            let name = path.strip_prefix(folder).unwrap_or(&path).to_owned();
            if path.is_dir() {
                if name != Path::new("build") {
                    folders.push(path);
                }
            } else {
                contents.insert(name, fs::read(&path)?);
            }
        }
    }
    Ok(contents)
}

/// Removes the outputs of a build except for objects and Ninja's own records.
fn forget(build: &Path) -> std::io::Result<()> {
    if !build.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(build)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            forget(&path)?;
        } else if path.extension().is_none_or(|extension| extension != "o")
            && !name.starts_with(".ninja")
        {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}
