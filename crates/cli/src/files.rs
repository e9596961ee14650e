//! Reads inputs, writes outputs and prints, with errors that name the file.

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use weft_action::temporary_folder;
use weft_artifact::file::{write_framed, write_if_different, write_large_if_different};

use crate::destination::{Destination, unless_closed};
use crate::fault::{Blame as _, Fault, failure};
use crate::inputs;

/// Reads a whole input. No output of this process may name the same file.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let read = || {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        let mut content = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
        file.read_to_end(&mut content)?;
        inputs::note(path, &metadata);
        io::Result::Ok(content)
    };
    read().blame(Fault::Environment, || format!("cannot read {}", path.display()))
}

/// Reads a whole input that an output of this process may replace.
pub fn read_to_replace(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).blame(Fault::Environment, || format!("cannot read {}", path.display()))
}

/// Replaces every argument `@FILE` by the lines of FILE, one path each.
pub fn expand_responses(arguments: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut paths = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let Some(file) = argument.to_str().and_then(|text| text.strip_prefix('@')) else {
            paths.push(argument.clone());
            continue;
        };
        let text = std::fs::read_to_string(file)
            .blame(Fault::Environment, || format!("cannot read response file {file}"))?;
        paths.extend(text.lines().filter(|line| !line.is_empty()).map(PathBuf::from));
    }
    Ok(paths)
}

/// Writes an output unless it holds that content already. Its time then stays, and a build system
/// that compares times need not run the jobs that depend on it.
///
/// A device, a pipe or a descriptor such as `/dev/stdout` is written in place, and links are
/// followed. A folder is an error.
pub fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    write_to(path, |destination| match destination {
        Destination::File(file) => write_if_different(&file, content).map(drop),
        Destination::Stream(stream) => stream.write(|file| file.write_all(content)),
    })
}

/// Writes an output as [`write()`] does, for content that shows by itself whether it is whole.
pub fn write_artifact(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    write_to(path, |destination| match destination {
        Destination::File(file) => write_framed(&file, content).map(drop),
        Destination::Stream(stream) => stream.write(|file| file.write_all(content)),
    })
}

/// Writes an output as [`write()`] does, for content that is too large for the memory. `write`
/// writes it, and may seek in it, which a pipe does not allow.
pub fn write_large(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> anyhow::Result<()> {
    write_to(path, |destination| match destination {
        Destination::File(file) => write_large_if_different(&file, write).map(drop),
        Destination::Stream(stream) => {
            let mut whole = BufWriter::new(tempfile::tempfile_in(temporary_folder())?);
            write(&mut whole)?;
            let mut whole = whole.into_inner().map_err(io::IntoInnerError::into_error)?;
            whole.rewind()?;
            stream.write(|file| io::copy(&mut whole, file).map(drop))
        }
    })
}

/// Calls `write` with the destination that `path` names.
fn write_to(path: &Path, write: impl FnOnce(Destination) -> io::Result<()>) -> anyhow::Result<()> {
    if let Some(input) = inputs::read_as(path) {
        let (path, input) = (path.display(), input.display());
        let message = format!("{path} is an output and, as {input}, an input: name another file");
        return Err(failure(Fault::Usage, message));
    }
    let written = Destination::of(path).and_then(write);
    written.blame(Fault::Environment, || format!("cannot write {}", path.display()))
}

/// Prints `content` to standard output. A reader that closes its end early, such as `head`, is no
/// failure.
pub fn print(content: &[u8]) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    unless_closed(stdout.write_all(content).and_then(|()| stdout.flush()))
        .blame(Fault::Environment, || "cannot write to standard output".to_owned())
}

/// Returns the number of characters of a line of the terminal that standard output is; `None` if it
/// is none.
pub fn terminal_width() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// Prints `text` to standard error. A failure is ignored, as it means that nobody reads messages.
pub fn say(text: impl AsRef<[u8]>) {
    let _ = io::stderr().write_all(text.as_ref());
}
