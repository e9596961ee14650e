//! Reading inputs, writing outputs and printing, with errors that name the file.

use std::fs::File;
use std::io::{self, BufWriter, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use weft_artifact::file::{write_framed, write_if_different, write_large_if_different};

use crate::fault::{Blame as _, Fault};
use crate::output_place::{Place, unless_closed};

/// Reads a whole input.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).blame(Fault::Environment, || format!("cannot read {}", path.display()))
}

/// Puts the lines of FILE, one path each, in the place of every argument `@FILE`.
pub fn expand_responses(arguments: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut paths = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let Some(file) = argument.to_str().and_then(|it| it.strip_prefix('@')) else {
            paths.push(argument.clone());
            continue;
        };
        let text = std::fs::read_to_string(file)
            .blame(Fault::Environment, || format!("cannot read response file {file}"))?;
        paths.extend(text.lines().filter(|line| !line.is_empty()).map(PathBuf::from));
    }
    Ok(paths)
}

/// Writes an output unless it holds that content already: then its time stays, and a build system
/// that looks at times need not run what depends on it.
///
/// A device, a pipe or a descriptor such as `/dev/stdout` is written in place, and links are followed.
/// A folder is an error.
pub fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    written(path, |place| match place {
        Place::File(file) => write_if_different(&file, content).map(drop),
        Place::Stream(stream) => stream.write(|it| it.write_all(content)),
    })
}

/// As [`write()`], for content that tells by itself whether it is whole.
pub fn write_artifact(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    written(path, |place| match place {
        Place::File(file) => write_framed(&file, content).map(drop),
        Place::Stream(stream) => stream.write(|it| it.write_all(content)),
    })
}

/// As [`write()`], for content that is too large to be in memory: `write` writes it, and may go back in
/// it, which a pipe cannot.
pub fn write_large(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> anyhow::Result<()> {
    written(path, |place| match place {
        Place::File(file) => write_large_if_different(&file, write).map(drop),
        Place::Stream(stream) => {
            let mut whole = BufWriter::new(tempfile::tempfile()?);
            write(&mut whole)?;
            let mut whole = whole.into_inner().map_err(io::IntoInnerError::into_error)?;
            whole.rewind()?;
            stream.write(|it| io::copy(&mut whole, it).map(drop))
        }
    })
}

fn written(path: &Path, write: impl FnOnce(Place) -> io::Result<()>) -> anyhow::Result<()> {
    let written = Place::of(path).and_then(write);
    written.blame(Fault::Environment, || format!("cannot write {}", path.display()))
}

/// Prints `content` to standard output. A reader that has seen enough, such as `head`, has closed its
/// end: that is no failure.
pub fn print(content: &[u8]) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    unless_closed(stdout.write_all(content).and_then(|()| stdout.flush()))
        .blame(Fault::Environment, || "cannot write to standard output".to_owned())
}

/// Prints `text` to standard error. Where nobody reads that, there is nobody to tell.
pub fn say(text: impl AsRef<[u8]>) {
    let _ = io::stderr().write_all(text.as_ref());
}
