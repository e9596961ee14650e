//! Archives of tar. Owners, times and modes do not depend on the packager.

use std::io::{self, Write};

use super::Style;
use crate::tree::Tree;

/// Levels of zstd for small packages and for quick ones.
const LEVELS: [i32; 2] = [19, 1];
/// Match window, as a power of two: two of the executables hold LLVM. A larger window would have to
/// be allowed when the archive is unpacked.
const WINDOW: u32 = 27;

/// Returns the archive of the files below `prefix`, compressed with zstd.
pub(crate) fn zstd(tree: &Tree, prefix: &str, style: Style) -> io::Result<Vec<u8>> {
    let [small, quick] = LEVELS;
    let mut encoder = zstd::Encoder::new(Vec::new(), if style.small { small } else { quick })?;
    encoder.long_distance_matching(true)?;
    encoder.window_log(WINDOW)?;
    encoder.include_checksum(true)?;
    plain(tree, prefix, style, encoder)?.finish()
}

/// Writes the archive of the files below `prefix`, which is empty or ends with `/`, with their
/// folders.
pub(crate) fn plain<W: Write>(tree: &Tree, prefix: &str, style: Style, to: W) -> io::Result<W> {
    let mut archive = tar::Builder::new(to);
    let outer = prefix.trim_end_matches('/');
    let inner = tree.folders().into_iter().map(|folder| format!("{prefix}{folder}"));
    for folder in [outer.to_owned()].into_iter().filter(|outer| !outer.is_empty()).chain(inner) {
        let mut header = header(tar::EntryType::Directory, 0o755, 0, style);
        archive.append_data(&mut header, format!("{folder}/"), io::empty())?;
    }
    for (path, file) in &tree.0 {
        let size = file.content.len() as u64;
        let mut header = header(tar::EntryType::Regular, file.mode(), size, style);
        archive.append_data(&mut header, format!("{prefix}{path}"), file.content.as_slice())?;
    }
    archive.into_inner()
}

fn header(kind: tar::EntryType, mode: u32, size: u64, style: Style) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_size(size);
    header.set_mtime(style.time);
    header.set_uid(0);
    header.set_gid(0);
    header
}
