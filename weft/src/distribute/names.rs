//! The names that the files of a job have in its action.
//!
//! The linker's names contain its process id, and names of temporary files that a compiler made up.
//! With them, no two links would have an action in common. So an action has its own names. LLVM
//! imports from modules in the order of their names, and the order of imported functions shows in
//! an object. So the new names have the order of the old ones.

use std::collections::{BTreeMap, BTreeSet};

/// Option that names the index of the module.
const INDEX_OPTION: &str = "-fthinlto-index=";
/// Longest extension of a file's name that an action keeps, with its dot.
const LONGEST_EXTENSION: usize = 8;

/// The files of one job.
#[derive(Debug)]
pub(crate) struct JobNames<'job> {
    /// The module that the job compiles.
    pub(crate) module: Option<&'job str>,
    /// The index of that module.
    pub(crate) index: Option<&'job str>,
    /// All files that the job reads, in the order of their names.
    pub(crate) inputs: BTreeSet<&'job str>,
}

impl<'job> JobNames<'job> {
    /// Finds the module and the index among `inputs` by the arguments that name them.
    pub(crate) fn new(arguments: &[&'job str], inputs: BTreeSet<&'job str>) -> Self {
        let index = arguments.iter().find_map(|word| word.strip_prefix(INDEX_OPTION));
        let is_module = |word: &&str| Some(*word) != index && inputs.contains(word);
        let module = arguments.iter().copied().find(is_module);
        Self { module, index: index.filter(|index| inputs.contains(index)), inputs }
    }

    /// Returns the name of the job in messages. A member of an archive is named as the linker names
    /// it, without what follows: the number of the linker's process.
    pub(crate) fn subject(&self) -> &'job str {
        let name = self.module.unwrap_or_default();
        name.rfind(')').map_or(name, |end| &name[..=end])
    }
}

/// New names by old ones.
#[derive(Debug)]
pub(crate) struct NewNames<'job>(BTreeMap<&'job str, String>);

impl<'job> NewNames<'job> {
    /// Names the files of a job, the modules that its index knows, and its `outputs`.
    pub(crate) fn new(
        job: &JobNames<'job>,
        modules: impl Iterator<Item = &'job str>,
        outputs: &'job [String],
    ) -> Self {
        let mut others = job.inputs.clone();
        others.extend(modules);
        let is_other = |name: &&str| ![job.module, job.index].contains(&Some(name));
        let mut names: BTreeMap<&str, String> = others
            .into_iter()
            .filter(is_other)
            .enumerate()
            .map(|(rank, name)| (name, format!("import/{rank:08}{}", extension(name))))
            .collect();
        names.extend(job.module.map(|name| (name, format!("module{}", extension(name)))));
        names.extend(job.index.map(|name| (name, "module.thinlto.bc".to_owned())));
        names.extend(outputs.iter().enumerate().map(|(number, name)| {
            let number = if number == 0 { String::new() } else { format!("-{number}") };
            (name.as_str(), format!("object{number}{}", extension(name)))
        }));
        Self(names)
    }

    /// Returns the new name of a file.
    pub(crate) fn of<'names>(&'names self, name: &'names str) -> &'names str {
        self.0.get(name).map_or(name, String::as_str)
    }

    /// Returns an argument with the new name of the file that it is, or that follows its `=`.
    pub(crate) fn argument(&self, word: &str) -> String {
        let renamed = |(option, name)| Some(format!("{option}={}", self.0.get(name)?));
        match self.0.get(word) {
            Some(name) => name.clone(),
            None => word.split_once('=').and_then(renamed).unwrap_or_else(|| word.to_owned()),
        }
    }

    /// Returns a text with the old names, for messages.
    pub(crate) fn for_people(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (old, new) in &self.0 {
            text = text.replace(new, old);
        }
        text
    }
}

/// Returns the end of a file's name by which a compiler tells what the file is.
fn extension(name: &str) -> &str {
    let start = name.rfind('.').unwrap_or(name.len());
    let is_short = name.len() - start <= LONGEST_EXTENSION;
    let is_plain = name[start..].bytes().skip(1).all(|byte| byte.is_ascii_alphanumeric());
    if is_short && is_plain { &name[start..] } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_order_and_lose_the_process() {
        let named = |process: &str| {
            let member = format!("lib.a(m.o at 106).4.{process}.o");
            let index = format!("{INDEX_OPTION}z.{process}.thinlto.bc");
            let arguments = ["-O2", "z.o", &index, "-o", &format!("z.{process}.o")];
            let inputs = ["z.o", &index[INDEX_OPTION.len()..], &member, "b/b.o"];
            let names = JobNames::new(&arguments, inputs.into());
            assert_eq!(names.subject(), "z.o");
            let outputs = [arguments[4].to_owned()];
            let modules = ["a.o", "z.o"];
            let new = NewNames::new(&names, modules.into_iter(), &outputs);
            let words = arguments.map(|word| new.argument(word));
            let told = format!("{}: it is bad", new.of(&member));
            assert_eq!(new.for_people(&told), format!("{member}: it is bad"));
            (words, [new.of("a.o"), new.of("b/b.o"), new.of(&member)].map(str::to_owned))
        };
        let expected = (
            ["-O2", "module.o", "-fthinlto-index=module.thinlto.bc", "-o", "object.o"],
            ["import/00000000.o", "import/00000001.o", "import/00000002.o"],
        );
        for process in ["1", "FFFFFF"] {
            let (words, imports) = named(process);
            assert_eq!((words.each_ref().map(String::as_str)), expected.0);
            assert_eq!((imports.each_ref().map(String::as_str)), expected.1);
        }
    }

    #[test]
    fn members_of_archives_are_named_by_their_place() {
        let member = "out/lib.a(m.o at 106).4.537.o";
        let names = JobNames::new(&[member], [member].into());
        assert_eq!((names.subject(), names.index), ("out/lib.a(m.o at 106)", None));
        assert_eq!(extension("a.native.o"), ".o");
        assert_eq!(extension("a.o at 5)"), "");
        assert_eq!(extension("a"), "");
    }
}
