//! A Python wheel: a zip archive with a small module, and files that pip puts below the prefix of
//! its environment.
//!
//! The executables are scripts of the wheel, so that they are in the `bin` of an environment, and
//! the CMake package lies beside it, as in any other prefix.

use std::io::{self, Cursor, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::{DESCRIPTION, LICENSE, SUMMARY, Style};
use crate::tree::{File, Tree};

const MODULE: &str = include_str!("../python/module.py");
const COMMAND: &str = include_str!("../python/command.py");

/// Returns the platform in the name of a wheel that needs this glibc.
pub(crate) fn platform((major, minor): (u32, u32)) -> String {
    format!("manylinux_{major}_{minor}_x86_64")
}

/// Returns the wheel of the files of a prefix, whose documents are below `documents`.
pub(crate) fn wheel(
    tree: &Tree,
    documents: &str,
    version: &str,
    glibc: (u32, u32),
    style: Style,
) -> io::Result<Vec<u8>> {
    let (data, about) = (format!("weft-{version}.data"), format!("weft-{version}.dist-info"));
    let mut files = tree.placed(|path| {
        Some(match (path.strip_prefix("bin/"), path.strip_prefix(documents)) {
            (Some(name), _) => format!("{data}/scripts/{name}"),
            (_, Some(name)) if name.ends_with(".cdx.json") => format!("{about}/sboms/{name}"),
            (_, Some(name)) => format!("{about}/licenses/{name}"),
            _ => format!("{data}/data/{path}"),
        })
    });
    let licenses: Vec<String> = files
        .0
        .keys()
        .filter_map(|path| path.strip_prefix(&format!("{about}/licenses/")).map(str::to_owned))
        .collect();
    files.add("weft/__init__.py", File::text(MODULE));
    files.add("weft/__main__.py", File::text(COMMAND));
    files.add(format!("{about}/METADATA"), File::text(metadata(version, &licenses)));
    let kind = format!(
        "Wheel-Version: 1.0\nGenerator: weft\nRoot-Is-Purelib: false\nTag: py3-none-{}\n",
        platform(glibc)
    );
    files.add(format!("{about}/WHEEL"), File::text(kind));
    let record = format!("{about}/RECORD");
    let lines = files.0.iter().map(|(path, file)| {
        let digest = URL_SAFE_NO_PAD.encode(Sha256::digest(&file.content));
        format!("{path},sha256={digest},{}\n", file.content.len())
    });
    let lines = lines.collect::<Vec<_>>().concat() + &record + ",,\n";
    files.add(record, File::text(lines));
    zipped(&files, style)
}

fn metadata(version: &str, licenses: &[String]) -> String {
    let licenses = licenses.iter().map(|name| format!("License-File: {name}\n"));
    let licenses = licenses.collect::<Vec<_>>().concat();
    format!(
        "Metadata-Version: 2.4\n\
         Name: weft\n\
         Version: {version}\n\
         Summary: {SUMMARY}\n\
         License-Expression: {LICENSE}\n\
         {licenses}\
         Requires-Python: >=3.8\n\
         Description-Content-Type: text/markdown\n\
         \n\
         {DESCRIPTION}\n"
    )
}

/// Returns the archive with the files in the order of their paths, but the folder about the wheel
/// at its end, as the format wishes. Zip knows no time before 1980, which all files have.
fn zipped(files: &Tree, style: Style) -> io::Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let is_about =
        |path: &str| path.split('/').next().is_some_and(|top| top.ends_with(".dist-info"));
    let (about, other): (Vec<_>, Vec<_>) = files.0.iter().partition(|(path, _)| is_about(path));
    for (path, file) in other.into_iter().chain(about) {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(if style.small { 9 } else { 1 }))
            .last_modified_time(DateTime::default())
            .unix_permissions(file.mode());
        archive.start_file(path.as_str(), options)?;
        archive.write_all(&file.content)?;
    }
    Ok(archive.finish()?.into_inner())
}
