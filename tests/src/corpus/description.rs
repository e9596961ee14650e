//! Parser and checks of `program.txt`, as far as they need no compiler.

use std::collections::BTreeMap;

use super::words::{Line, lines};
use crate::oracle::LinkInputKind;

/// The content of one `program.txt`.
#[derive(Clone, Debug, Default)]
pub(super) struct Description {
    pub reason: String,
    /// Whether clang compiles CUDA units with `small.h` instead of CUDA's headers.
    pub has_small_headers: bool,
    /// Whether nvcc compiles the units of clang as well.
    pub is_for_both: bool,
    /// Steps that make the files of the link, in the order in which they run.
    pub steps: Vec<Step>,
    /// Names of the linked files, in link order.
    pub link: Vec<String>,
    pub summarize: Vec<String>,
    pub thinlink: Vec<String>,
    pub codegen: Vec<String>,
    /// Patterns of the symbols of kernels that host code launches.
    pub launched: Vec<String>,
    pub touched: Vec<String>,
    pub removed: Vec<String>,
    pub refused: Option<String>,
    kinds: BTreeMap<String, LinkInputKind>,
}

/// A command that makes one file.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub maker: Maker,
    /// Source that the step compiles, or members that it puts together.
    pub inputs: Vec<String>,
    pub output: String,
    pub options: Vec<String>,
}

/// The tool that a step runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Maker {
    /// clang for the host and the device side of a CUDA unit, with device bitcode in the object.
    Clang,
    /// clang for the device side alone, down to a cubin.
    Cubin,
    /// clang for the device side alone, down to bitcode.
    Bitcode,
    /// clang for a unit without device code.
    Host,
    /// GCC for a unit without device code.
    Gcc,
    /// `nvcc`, NVIDIA's compiler.
    Nvcc,
    /// `llvm-ar`.
    Archive,
    /// `ld -r`.
    Relocatable,
    /// A copy of a library in the CUDA root.
    Library,
}

impl Maker {
    const NAMES: [(&str, Self); 9] = [
        ("clang", Self::Clang),
        ("cubin", Self::Cubin),
        ("bitcode", Self::Bitcode),
        ("host", Self::Host),
        ("gcc", Self::Gcc),
        ("nvcc", Self::Nvcc),
        ("archive", Self::Archive),
        ("relocatable", Self::Relocatable),
        ("library", Self::Library),
    ];

    /// Returns the extension of an output that the description does not name.
    fn extension(self) -> &'static str {
        match self {
            Self::Cubin => "cubin",
            Self::Bitcode => "bc",
            _ => "o",
        }
    }

    fn of(key: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(name, _)| *name == key).map(|(_, maker)| maker)
    }
}

impl Description {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut description = Self::default();
        let mut seen = Vec::new();
        for line in lines(text)? {
            match Maker::of(line.key) {
                Some(maker) => description.add_step(maker, &line)?,
                None if seen.contains(&line.key) => return Err(line.error("given twice")),
                None => {
                    seen.push(line.key);
                    description.set(&line)?;
                }
            }
        }
        description.check()?;
        Ok(description)
    }

    fn set(&mut self, line: &Line<'_>) -> Result<(), String> {
        let words = line.words()?;
        match line.key {
            "reason" => self.reason.clone_from(&line.value),
            "refused" => self.refused = Some(line.value.clone()),
            "headers" if line.value == "small" => self.has_small_headers = true,
            "headers" => return Err(line.error("expected small")),
            "both" if line.value == "yes" => self.is_for_both = true,
            "both" => return Err(line.error("expected yes")),
            "link" => self.link = words,
            "summarize" => self.summarize = words,
            "thinlink" => self.thinlink = words,
            "codegen" => self.codegen = words,
            "launched" => self.launched = words,
            "touched" => self.touched = words,
            "removed" => self.removed = words,
            _ => return Err(line.error("no such key")),
        }
        Ok(())
    }

    /// Adds the step of a line. The line holds `SOURCE [-> OUTPUT] [OPTION]…` for a compiler,
    /// `OUTPUT MEMBER…` for a tool that puts files together, or the name of a library.
    fn add_step(&mut self, maker: Maker, line: &Line<'_>) -> Result<(), String> {
        let mut words = line.words()?;
        let first = words.remove(0);
        let step = match maker {
            Maker::Library => Step { maker, inputs: Vec::new(), output: first, options: words },
            Maker::Archive | Maker::Relocatable => {
                Step { maker, inputs: words, output: first, options: Vec::new() }
            }
            _ => {
                let output = if words.first().is_some_and(|word| word == "->") {
                    words.remove(0);
                    if words.is_empty() {
                        return Err(line.error("no output follows ->"));
                    }
                    words.remove(0)
                } else {
                    format!("{}.{}", stem(&first), maker.extension())
                };
                Step { maker, inputs: vec![first], output, options: words }
            }
        };
        let kind = self.kind_of_output(&step).map_err(|error| line.error(error))?;
        let is_taken = self.kinds.keys().any(|known| stem(known) == stem(&step.output));
        if is_taken {
            return Err(line.error(format!("another file is called {}", stem(&step.output))));
        }
        self.kinds.insert(step.output.clone(), kind);
        self.steps.push(step);
        Ok(())
    }

    fn kind_of_output(&self, step: &Step) -> Result<LinkInputKind, String> {
        match step.maker {
            Maker::Clang | Maker::Bitcode | Maker::Host | Maker::Gcc => {
                return Ok(LinkInputKind::Object);
            }
            Maker::Cubin | Maker::Nvcc | Maker::Library => return Ok(LinkInputKind::Opaque),
            Maker::Archive | Maker::Relocatable => {}
        }
        let kinds: Result<Vec<_>, String> =
            step.inputs.iter().map(|input| self.kind(input)).collect();
        match (step.maker, kinds?.as_slice()) {
            (_, []) => Err("no members".to_owned()),
            (_, kinds) if kinds.iter().all(|kind| *kind == LinkInputKind::Opaque) => {
                Ok(LinkInputKind::Opaque)
            }
            (Maker::Archive, kinds) if kinds.iter().all(|kind| *kind == LinkInputKind::Object) => {
                Ok(LinkInputKind::Archive)
            }
            (Maker::Relocatable, kinds)
                if kinds.iter().all(|kind| *kind == LinkInputKind::Object) =>
            {
                Ok(LinkInputKind::Object)
            }
            _ => Err("opaque members and others are mixed".to_owned()),
        }
    }

    /// Returns the kind of the file with this name; an error if no earlier line makes the file.
    pub(super) fn kind(&self, file: &str) -> Result<LinkInputKind, String> {
        self.kinds.get(file).copied().ok_or_else(|| format!("nothing makes {file}"))
    }

    fn check(&self) -> Result<(), String> {
        if self.reason.is_empty() {
            return Err("no reason".to_owned());
        }
        if self.link.is_empty() {
            return Err("no link order".to_owned());
        }
        self.link.iter().try_for_each(|file| self.kind(file).map(drop))?;
        let is_used = |output: &String| {
            self.link.contains(output) || self.steps.iter().any(|step| step.inputs.contains(output))
        };
        let is_of_both = |step: &Step| {
            matches!(step.maker, Maker::Clang | Maker::Host | Maker::Gcc | Maker::Archive)
        };
        if self.is_for_both && !self.steps.iter().all(is_of_both) {
            return Err("nvcc cannot make all of these files".to_owned());
        }
        match self.kinds.keys().find(|output| !is_used(output)) {
            Some(unused) => Err(format!("{unused} is not linked")),
            None => Ok(()),
        }
    }
}

/// Returns a file's name without its last extension. The result is also the file's module id.
pub(super) fn stem(file: &str) -> &str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}
