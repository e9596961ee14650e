//! Plain relocatable linking: each module is compiled alone, and nvlink links the cubins.

use std::collections::BTreeSet;
use std::path::Path;

use super::generator::{assemble, constants_without_identity, nvlink, ptx_of};
use super::image::Image;
use super::inputs::{LinkInput, LinkInputKind, LinkInputs};
use super::only_read::only_read;
use super::prevailing::{prevailing_only, without_aliases};
use super::ptx::Declarations;
use super::reach::Program;
use super::relocatable::shared_alignments;
use crate::{ARCHITECTURE, Run, Workbench, tools};

/// A program that was linked plainly.
#[derive(Debug)]
pub(super) struct Plain {
    /// Linked image.
    pub(super) image: Image,
    /// Declarations in the PTX of each module, in link order.
    pub(super) declarations: Vec<Declarations>,
    /// Images of the same files with another file in front, one for each file that declares dynamic
    /// shared memory. nvlink takes the alignment of the first declaration, and a kernel may count
    /// on the largest.
    pub(super) rotated: Vec<Image>,
    /// Symbols that host code registers.
    pub(super) registered: Vec<String>,
    /// Constants that may have any number of copies.
    pub(super) without_identity: BTreeSet<String>,
    /// Facts about the memory that each kernel can reach, with the files in several orders: of
    /// equal inline functions a link may take any, and compilers know more about one than about
    /// another. Empty if the program has opaque files, whose code is not read.
    reach: Vec<Program>,
}

impl Plain {
    /// Returns an image of this link in which no kernel has more shared memory than it can reach in
    /// a program that has exactly the kernels and variables of `ours`.
    pub(super) fn bounded(&self, image: &Image, ours: &Image) -> Image {
        let mut image = image.clone();
        for reach in &self.reach {
            let variables = ours.variables.iter().map(|variable| variable.symbol.as_str());
            let alive = reach.alive(ours.kernels.keys().map(String::as_str).chain(variables));
            for (name, kernel) in &mut image.kernels {
                let reached = reach.reached_by(name, &alive);
                kernel.shared_bytes = kernel.shared_bytes.min(reached.bytes);
                kernel.shared_alignment = kernel.shared_alignment.min(reached.alignment);
            }
        }
        image
    }
}

/// A file of the link.
enum Part {
    /// Device code that is linked unchanged.
    File(String),
    /// PTX of a module, and the name of the cubin that it becomes.
    Module(String, String),
}

/// Links `inputs` plainly. Files go below `plain`.
pub(super) fn link(bench: &Workbench, inputs: &LinkInputs) -> Result<Plain, String> {
    folder(bench, "plain")?;
    let mut parts = Vec::new();
    let (mut registered, mut without_identity) = (Vec::new(), BTreeSet::new());
    for (number, file) in inputs.files.iter().enumerate() {
        if file.kind == LinkInputKind::Opaque {
            let files = opaque_files(bench, file, &format!("plain/opaque{number}"))?;
            parts.extend(files.into_iter().map(Part::File));
            continue;
        }
        for (member, object) in objects(bench, file, number)?.into_iter().enumerate() {
            if inputs.by_nvcc {
                let texts = ptx_of_nvcc(bench, &object)?.into_iter().enumerate();
                parts.extend(texts.map(|(position, text)| {
                    Part::Module(text, format!("plain/m{number}.{member}.{position}.cubin"))
                }));
                continue;
            }
            registered.extend(entries(bench, &object)?);
            for code in device_code(bench, &object, &format!("plain/m{number}.{member}"))? {
                parts.push(Part::Module(ptx_of(bench, &code)?, format!("{code}.cubin")));
                without_identity.extend(constants_without_identity(bench, &code));
            }
        }
    }
    let texts = parts.iter().filter_map(|part| match part {
        Part::Module(ptx, _) => Some(ptx.clone()),
        Part::File(_) => None,
    });
    let texts: Vec<String> = texts.collect();
    if inputs.by_nvcc {
        without_identity.extend(only_read(&texts));
        without_identity.retain(|name| !inputs.touched.contains(name));
    }
    let declarations = texts.iter().map(|text| Declarations::read(text)).collect();
    let texts = without_aliases(&texts);
    let has_files = parts.iter().any(|part| matches!(part, Part::File(_)));
    let orders = if has_files { 0 } else { texts.len() };
    let reach = (0..orders).map(|first| {
        let mut order = texts.clone();
        order.rotate_left(first);
        Program::read(&prevailing_only(&order))
    });
    let reach = reach.collect();
    let texts = prevailing_only(&texts);
    let mut texts = texts.into_iter();
    let mut linked = Vec::new();
    for part in &parts {
        linked.push(match part {
            Part::File(file) => file.clone(),
            Part::Module(_, cubin) => {
                assemble(bench, &texts.next().unwrap_or_default(), cubin)?;
                cubin.clone()
            }
        });
    }
    let image = nvlink(bench, &linked, "plain/image.cubin", true)?;
    let rotated = rotated(bench, &linked)?;
    if inputs.by_nvcc {
        // Host code of nvcc registers all kernels.
        registered.extend(image.kernels.keys().cloned());
        // Nothing compares the addresses of virtual tables.
        let tables = image.variables.iter().map(|variable| &variable.symbol);
        without_identity.extend(tables.filter(|name| name.starts_with("_ZTV")).cloned());
    }
    registered.sort();
    registered.dedup();
    Ok(Plain { image, declarations, rotated, registered, without_identity, reach })
}

/// Returns the images of the same files with another file in front, one for each file but the first
/// that declares dynamic shared memory.
fn rotated(bench: &Workbench, linked: &[String]) -> Result<Vec<Image>, String> {
    let mut images = Vec::new();
    for (number, file) in linked.iter().enumerate().skip(1) {
        let is_cubin = Path::new(file).extension().is_some_and(|extension| extension == "cubin");
        if is_cubin && !shared_alignments(&bench.read(file))?.is_empty() {
            let mut order = linked.to_vec();
            order[..=number].rotate_right(1);
            images.push(nvlink(bench, &order, "plain/rotated.cubin", true)?);
        }
    }
    Ok(images)
}

/// Returns the files that the final link gets for an opaque file: the file itself, or the images
/// that clang embedded in it, which nvlink does not see.
pub(super) fn opaque_files(
    bench: &Workbench,
    file: &LinkInput,
    name: &str,
) -> Result<Vec<String>, String> {
    if !has_offloading(bench, &file.path)? {
        return Ok(vec![file.path.clone()]);
    }
    device_code(bench, &file.path, name)
}

/// Returns the objects of a file: the file itself, or the members of an archive.
fn objects(bench: &Workbench, file: &LinkInput, number: usize) -> Result<Vec<String>, String> {
    if file.kind != LinkInputKind::Archive {
        return Ok(vec![file.path.clone()]);
    }
    let list = bench.llvm("llvm-ar").args(["t", &file.path]).attempt()?.stdout;
    let members: Vec<&str> = list.lines().collect();
    let mut objects = Vec::new();
    for (position, member) in members.iter().enumerate() {
        // Members may share a name. `llvm-ar` extracts each by its count among the members of that
        // name.
        let count = members[..=position].iter().filter(|other| *other == member).count();
        let folder_name = format!("plain/a{number}.{position}");
        folder(bench, &folder_name)?;
        let archive = bench.file(&file.path);
        let run = Run::new(tools().llvm("llvm-ar"), bench.file(&folder_name));
        run.args(["xN", &count.to_string()]).arg(archive).arg(*member).attempt()?;
        let base = Path::new(member).file_name().unwrap_or_default().to_string_lossy();
        objects.push(format!("{folder_name}/{base}"));
    }
    Ok(objects)
}

/// Extracts the device code of an object into files. An object that `ld -r` made may hold several
/// modules.
fn device_code(bench: &Workbench, object: &str, name: &str) -> Result<Vec<String>, String> {
    let content = bench.read(object);
    if content.starts_with(b"BC\xC0\xDE") {
        let file = format!("{name}.bc");
        bench.write(&file, content);
        return Ok(vec![file]);
    }
    if !has_offloading(bench, object)? {
        return Ok(Vec::new());
    }
    // Files that an earlier link wrote are no part of the object.
    if bench.file(name).exists() {
        std::fs::remove_dir_all(bench.file(name)).map_err(|error| format!("{name}: {error}"))?;
    }
    folder(bench, name)?;
    let run = Run::new(tools().llvm("llvm-offload-binary"), bench.file(name));
    let image = format!("--image=triple=nvptx64-nvidia-cuda,arch={ARCHITECTURE},kind=cuda");
    run.arg(bench.file(object)).arg(image).attempt()?;
    let entries = std::fs::read_dir(bench.file(name)).map_err(|error| error.to_string())?;
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| error.to_string())?;
        files.push(format!("{name}/{}", entry.file_name().to_string_lossy()));
    }
    files.sort();
    Ok(files)
}

fn has_offloading(bench: &Workbench, object: &str) -> Result<bool, String> {
    if !bench.read(object).starts_with(b"\x7FELF") {
        return Ok(false);
    }
    let headers = bench.llvm("llvm-readelf").args(["-S", "-W", object]).attempt()?.stdout;
    Ok(headers.contains(" .llvm.offloading "))
}

/// Returns the symbols that clang gives to the entries that host code registers.
pub(crate) fn entries(bench: &Workbench, object: &str) -> Result<Vec<String>, String> {
    // clang 16 calls them by the other name.
    const PREFIXES: [&str; 2] = [".offloading.entry.", ".omp_offloading.entry."];
    if !bench.read(object).starts_with(b"\x7FELF") {
        return Ok(Vec::new());
    }
    let symbols = bench.llvm("llvm-nm").args(["--format=just-symbols", object]).attempt()?.stdout;
    Ok(symbols
        .lines()
        .filter_map(|symbol| PREFIXES.iter().find_map(|prefix| symbol.strip_prefix(prefix)))
        .map(str::to_owned)
        .collect())
}

fn folder(bench: &Workbench, name: &str) -> Result<(), String> {
    std::fs::create_dir_all(bench.file(name)).map_err(|error| format!("{name}: {error}"))
}

/// Returns the PTX in an object of nvcc, of each unit that it was made from.
fn ptx_of_nvcc(bench: &Workbench, object: &str) -> Result<Vec<String>, String> {
    const HEADING: &str = "Fatbin ptx code:";
    const START: &str = ".version ";
    if !bench.read(object).starts_with(b"\x7FELF") {
        return Ok(Vec::new());
    }
    let listing =
        Run::new(tools().cuda("cuobjdump"), bench.path()).args(["-ptx", object]).outcome();
    let parts = listing.stdout.split(HEADING).skip(1);
    let text = |part: &str| {
        let start = part.find(START).ok_or_else(|| format!("{object}: PTX without a version"))?;
        // The next heading follows a line of blanks and one of signs.
        let end = part.find("\nFatbin ").unwrap_or(part.len());
        Ok(part[start..end].to_owned())
    };
    parts.map(text).collect()
}
