//! A folder of executables that a machine with a GPU runs, where there may be no compiler.
//!
//! Build machines usually have no GPU, and time on machines with a GPU is scarce. So the programs
//! are built here, and a script in the folder (`run.sh`) does all that needs a GPU: it compares
//! what the builds of a program print, times their kernels with Nsight Compute and the load of an
//! image, looks for wrong accesses with NVIDIA's compute-sanitizer, and compares random programs
//! with what they printed on a processor.

mod load;

use std::fs;
use std::path::Path;

use dev_builds::{Target, Tools, Variant};
use dev_checkout::executables;
use dev_process::{Result, remove, while_trying};
use dev_programs::{Selection, Source};
use dev_toolchain::Scope;

const SCRIPT: &str = include_str!("run.sh");
/// Programs that are whole and can run.
const PROGRAMS: [&str; 4] = ["transport", "generated", "cub", "functors"];
/// Program whose image is loaded in two forms.
const LOADED: &str = "cub";
/// Folder of random programs, which a test writes.
pub const RANDOM: &str = "random";

/// Builds all programs that can run, each of them in the three ways, and writes their executables
/// and the script into `folder`, instead of its content.
pub fn write(root: &Path, folder: &Path) -> Result<()> {
    let toolchain = dev_toolchain::ensure(root, Scope::Builds)?;
    let executables = executables::build(root, &toolchain)?;
    let work = executables::target_folder(root)?.join("gpu");
    let tools = Tools { toolchain, executables };
    remove(folder)?;
    create(folder)?;
    // The generated program is the quick one, because nvcc takes minutes for the other.
    let selection = Selection { names: &PROGRAMS, only: &[], quick: true, seed: 1 };
    for source in dev_programs::all(root, &selection)? {
        add(&source, &work, &tools, &folder.join("programs").join(source.name))?;
        if source.name == LOADED {
            let loads = folder.join("load");
            create(&loads)?;
            let program = source.open(&work, Variant::Weft, &tools)?;
            load::write(&tools.toolchain, &program.image(Variant::Weft)?, &loads)?;
        }
    }
    let script = folder.join("run.sh");
    fs::write(&script, SCRIPT).map_err(while_trying("write", &script))
}

/// Builds a program and puts its executables into a folder, by the names of the variants.
fn add(source: &Source, work: &Path, tools: &Tools, folder: &Path) -> Result<()> {
    create(folder)?;
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    for variant in Variant::ALL {
        println!("{}: {}", source.name, variant.name());
        let program = source.open(work, variant, tools)?;
        program.write_ninja(variant, &source.settings())?;
        program.build(variant, Target::Program, jobs)?;
        let (executable, place) = (program.executable(variant), folder.join(variant.name()));
        fs::copy(&executable, &place).map_err(while_trying("copy", &executable))?;
    }
    Ok(())
}

fn create(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(while_trying("create", folder))
}
