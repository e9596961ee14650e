//! Kernels and variables that are in the images of two files of one process.
//!
//! Each file's image has its own copy of such a kernel or variable. Where both files export its
//! host symbol, the loader makes the two symbols one, and a launch or a copy reaches one of the
//! copies. The same happens to a variable where both files export a function of host code, as they
//! do if one unit was linked into both: the function of one file writes that file's copy for both.
//!
//! Large libraries are read in part: their exported symbols first, and the rest only if these show
//! a possible conflict. A library that cannot be read is not this program's fault, and the loader
//! reports it.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use weft_cli::{Blame as _, Fault, files};
use weft_container::{
    DeviceImage, Exports, LinkedProgram, RegisteredEntry, device_images, exports, linked_program,
};

/// Largest number of names in a warning.
const MOST_NAMES: usize = 3;

/// A linked file with its images.
pub(super) struct Linked<'data> {
    pub(super) linked: &'data LinkedProgram<'data>,
    pub(super) images: &'data [DeviceImage<'data>],
}

/// Returns a warning about each library that shares device code with the program of the name and
/// the content given. `libraries` is called only for a program that may share some.
pub(super) fn warnings(
    name: &str,
    content: &[u8],
    program: &Linked<'_>,
    libraries: impl FnOnce() -> anyhow::Result<BTreeSet<PathBuf>>,
) -> anyhow::Result<Vec<String>> {
    let exported = exports(Cursor::new(content)).blame(Fault::Input, || name.to_owned())?;
    let Some(exported) = exported.filter(|exported| !exported.names.is_empty()) else {
        return Ok(Vec::new());
    };
    let own = program.entries();
    if own.is_empty() {
        return Ok(Vec::new());
    }
    let libraries = libraries()?;
    let warning = |library: &PathBuf| warning(name, (program, &own, &exported), library);
    Ok(libraries.iter().filter_map(warning).collect())
}

/// Returns the warning about one library, if there is one.
fn warning(
    name: &str,
    (program, own, exported): (&Linked<'_>, &BTreeSet<RegisteredEntry>, &Exports),
    path: &Path,
) -> Option<String> {
    let others = exports(File::open(path).ok()?).ok()??;
    let is_in_both = |symbol: &&str| {
        let [own, other] = [&exported.names, &others.names].map(|names| names.contains(*symbol));
        own && other
    };
    let has_a_unit_of_both = !exported.strong.is_disjoint(&others.strong);
    let may_be_one = |entry: &RegisteredEntry| program.host_symbols(entry).iter().any(is_in_both);
    if others.binds_own || !(has_a_unit_of_both || own.iter().any(may_be_one)) {
        return None;
    }
    let content = files::read(path).ok()?;
    let linked = linked_program(&content).ok()??;
    let images = device_images(linked.fatbins).ok()?;
    let library = Linked { linked: &linked, images: &images };
    let is_mixed_up = |entry: &&RegisteredEntry| {
        let has_one_symbol = || {
            let symbols = program.host_symbols(entry);
            symbols.intersection(&library.host_symbols(entry)).any(is_in_both)
        };
        has_a_unit_of_both && is_variable(entry) || has_one_symbol()
    };
    let of_library = library.entries();
    let mut mixed_up = own.intersection(&of_library).filter(is_mixed_up);
    let first: Vec<String> = mixed_up.by_ref().take(MOST_NAMES).map(named).collect();
    if first.is_empty() {
        return None;
    }
    let more = match mixed_up.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "{name} and {} each have {}{more} in their images, and host code of both reaches one of \
         the two: link the unit into one of the files alone, or hide its symbols \
         (-fvisibility=hidden)",
        path.display(),
        first.join(", ")
    ))
}

/// Whether the entry is a variable of the source, and not one that a compiler made.
fn is_variable(entry: &RegisteredEntry) -> bool {
    let name = entry.device_name.as_str();
    !entry.is_kernel && !name.contains(['$', '.']) && !name.starts_with("_ZT")
}

fn named(entry: &RegisteredEntry) -> String {
    let kind = if entry.is_kernel { "kernel" } else { "variable" };
    format!("{kind} {}", entry.device_name)
}

impl Linked<'_> {
    /// Returns the kernels and variables of the images.
    fn entries(&self) -> BTreeSet<RegisteredEntry> {
        // The symbols of PTX may be those of functions.
        let images = self.images.iter().filter(|image| !image.is_ptx);
        images.flat_map(DeviceImage::entries).collect()
    }

    /// Returns the names that the host symbol of `entry` may have. nvcc gives it the name of the
    /// device symbol.
    fn host_symbols<'entry>(&'entry self, entry: &'entry RegisteredEntry) -> BTreeSet<&'entry str> {
        let mut names = self.linked.names_of(entry);
        names.insert(&entry.device_name);
        names
    }
}
