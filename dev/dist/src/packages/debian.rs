//! A Debian package: an archive of `ar` with two archives of tar, one for dpkg and one with the
//! files.

use std::fmt::Write as _;
use std::io;

use flate2::{Compression, GzBuilder};
use md5::{Digest as _, Md5};

use super::{DESCRIPTION, SUMMARY, Style, archive};
use crate::tree::{File, Tree};

/// Returns the package of the files, which are below `usr`.
pub(crate) fn package(
    tree: &Tree,
    version: &str,
    glibc: (u32, u32),
    style: Style,
) -> io::Result<Vec<u8>> {
    let mut control = Tree::default();
    control.add("control", File::text(description(tree, version, glibc)));
    control.add("md5sums", File::text(digests(tree)));
    let parts = [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", compressed(&control, style)?),
        ("data.tar.gz", compressed(tree, style)?),
    ];
    let mut package = ar::Builder::new(Vec::new());
    for (name, content) in parts {
        let mut header = ar::Header::new(name.into(), content.len() as u64);
        header.set_mode(0o100_644);
        header.set_mtime(style.time);
        package.append(&header, content.as_slice())?;
    }
    package.into_inner()
}

/// Returns the file `control`. Weft's version has no revision, as no Debian source has it.
fn description(tree: &Tree, version: &str, (major, minor): (u32, u32)) -> String {
    let bytes: usize = tree.0.values().map(|file| file.content.len()).sum();
    let paragraphs =
        DESCRIPTION.lines().map(|line| format!(" {line}\n")).collect::<Vec<_>>().concat();
    format!(
        "Package: weft\n\
         Version: {version}\n\
         Architecture: amd64\n\
         Maintainer: The developers of Weft\n\
         Installed-Size: {}\n\
         Depends: libc6 (>= {major}.{minor}), libgcc-s1\n\
         Suggests: clang-22, llvm-22, lld-22, cmake (>= 3.25)\n\
         Section: devel\n\
         Priority: optional\n\
         Description: {SUMMARY}\n\
         {paragraphs}",
        bytes.div_ceil(1024)
    )
}

/// Returns the file `md5sums`, by which dpkg tells changed files.
fn digests(tree: &Tree) -> String {
    let mut lines = String::new();
    for (path, file) in &tree.0 {
        for byte in Md5::digest(&file.content) {
            let _ = write!(lines, "{byte:02x}");
        }
        let _ = writeln!(lines, "  {path}");
    }
    lines
}

fn compressed(tree: &Tree, style: Style) -> io::Result<Vec<u8>> {
    let level = if style.small { Compression::best() } else { Compression::fast() };
    // The header of gzip states neither a time nor a system.
    let encoder = GzBuilder::new().write(Vec::new(), level);
    archive::plain(tree, "", style, encoder)?.finish()
}
