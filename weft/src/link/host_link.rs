//! The files that a host link command reads and writes.

use std::path::{Path, PathBuf};

use weft_cli::{Fault, failure};

use super::libraries::Libraries;
use crate::drivers::{Driver, divided, linker_option};
use crate::guard::is_shared_library;
use crate::words::{Word, words};

/// A command that links a program or a shared library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct HostLink {
    /// Objects and archives that are linked, in their order.
    pub(super) inputs: Vec<HostInput>,
    /// Place of the first of them among the words of the command.
    pub(super) place: usize,
    /// File that the command writes.
    pub(super) output: PathBuf,
    /// Whether that is a shared library.
    pub(super) is_shared: bool,
    /// Options that hide symbols of a shared library.
    pub(super) hiding: Hiding,
    /// Options that give symbols of host code other names.
    pub(super) renames: Vec<String>,
    /// Whether the command compiles sources as well.
    pub(super) has_sources: bool,
}

impl HostLink {
    /// Returns the shared libraries among the inputs.
    pub(super) fn shared_libraries(&self) -> impl Iterator<Item = &Path> {
        let paths = self.inputs.iter().map(|input| input.path.as_path());
        paths.filter(|path| is_shared_library(path))
    }
}

/// Options of the host linker that hide symbols of a shared library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Hiding {
    /// Version scripts.
    pub(super) scripts: Vec<PathBuf>,
    /// Names of archives whose symbols are hidden, or `ALL`.
    pub(super) archives: Vec<String>,
}

/// A file that is linked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HostInput {
    pub(super) path: PathBuf,
    /// Whether all members of an archive are linked, as the command says.
    pub(super) is_whole: bool,
}

/// Extensions of sources that compilers take.
const SOURCES: [&str; 14] =
    ["C", "S", "c", "c++", "cc", "cp", "cpp", "cu", "cxx", "i", "ii", "m", "mm", "s"];

/// The result that a command is expected to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A program or shared library.
    Program,
    /// An object with linked device code, which nvcc makes.
    DeviceCode,
}

/// Options of nvcc for the link of device code alone.
const DEVICE_LINK: [&str; 2] = ["--device-link", "-dlink"];

/// Returns what the command links; `None` if it does not link what is `wanted`.
pub(super) fn host_link(
    command: &[String],
    wanted: Wanted,
    system_folders: &[PathBuf],
) -> anyhow::Result<Option<HostLink>> {
    let Some((program, _)) = command.split_first() else { return Ok(None) };
    let driver = Driver::of(program);
    let all = words(command, driver)?;
    let mut reader = Reader {
        driver,
        result: wanted,
        link: HostLink { output: PathBuf::from("a.out"), ..HostLink::default() },
        libraries: Libraries::default(),
        named: Vec::new(),
        is_whole: false,
        is_static: false,
        links: true,
        open: None,
    };
    let mut rest = all[1..].iter();
    while let Some(word) = rest.next() {
        let value = driver.takes_next(&word.text).then(|| rest.next()).flatten();
        let value = value.map(|word| word.text.as_str());
        if driver == Driver::Linker {
            reader.linker_word(&word.text, value, word.place)?;
        } else {
            reader.word(word, value)?;
        }
    }
    if !reader.links || reader.named.is_empty() {
        return Ok(None);
    }
    Ok(Some(reader.finish(system_folders)))
}

/// A file or library in the order of the command.
enum Named {
    File(PathBuf),
    Library { name: String, is_static: bool },
}

struct Reader {
    driver: Driver,
    result: Wanted,
    link: HostLink,
    libraries: Libraries,
    /// Inputs, with their places and whether all members are taken.
    named: Vec<(Named, usize, bool)>,
    is_whole: bool,
    is_static: bool,
    links: bool,
    /// Option of the linker whose value is still to come.
    open: Option<String>,
}

impl Reader {
    /// Reads a word of a compiler's command, with its value if that is a separate word.
    fn word(&mut self, word: &Word, value: Option<&str>) -> anyhow::Result<()> {
        let text = word.text.as_str();
        if !text.starts_with('-') || text == "-" {
            self.file(text, word.place);
            return Ok(());
        }
        let is_wanted = self.result == Wanted::DeviceCode && DEVICE_LINK.contains(&text);
        if self.driver.links_nothing(text) && !is_wanted {
            self.links = false;
            return Ok(());
        }
        let (name, joined) = match text.split_once('=') {
            Some((name, joined)) if name.starts_with("--") || self.driver == Driver::Nvcc => {
                (name, Some(joined))
            }
            _ => (text, None),
        };
        let value = value.or(joined);
        match (name, value) {
            ("-o" | "--output-file" | "--output", Some(file)) => self.link.output = file.into(),
            ("-L" | "--library-path", Some(folder)) => self.libraries.add(folder),
            ("-l" | "--library", Some(name)) => self.library(name, word.place),
            ("-Xlinker" | "--linker-options", Some(options)) => match self.driver {
                Driver::Nvcc => self.linker_words(options.split(','), word.place)?,
                Driver::Compiler | Driver::Linker => {
                    self.linker_words([options].into_iter(), word.place)?;
                }
            },
            // The option says nothing about device code: CMake gives it for programs as well.
            ("-shared" | "--shared", _) => self.link.is_shared = self.result == Wanted::Program,
            ("-static" | "-static-pie", _) => self.is_static = true,
            ("-r", _) => self.links = false,
            _ => self.joined(text, word.place)?,
        }
        Ok(())
    }

    /// Reads an option with its value in the same word.
    fn joined(&mut self, text: &str, place: usize) -> anyhow::Result<()> {
        if let Some(options) = text.strip_prefix("-Wl,") {
            return self.linker_words(options.split(','), place);
        }
        let value = |option: &str| text.strip_prefix(option).filter(|rest| !rest.is_empty());
        if let Some(folder) = value("-L") {
            self.libraries.add(folder);
        } else if let Some(name) = value("-l") {
            self.library(name, place);
        } else if let Some(file) = value("-o").filter(|_| self.driver == Driver::Compiler) {
            self.link.output = file.into();
        }
        Ok(())
    }

    /// Reads words for the linker. The value of an option may come with the next ones.
    fn linker_words<'a>(
        &mut self,
        words: impl Iterator<Item = &'a str>,
        place: usize,
    ) -> anyhow::Result<()> {
        for text in words {
            if let Some(option) = self.open.take() {
                self.linker_word(&option, Some(text), place)?;
            } else if Driver::Linker.takes_next(text) {
                self.open = Some(text.to_owned());
            } else {
                self.linker_word(text, None, place)?;
            }
        }
        Ok(())
    }

    fn linker_word(&mut self, text: &str, value: Option<&str>, place: usize) -> anyhow::Result<()> {
        let Some(option) = linker_option(text).filter(|_| text != "-") else {
            self.file(text, place);
            return Ok(());
        };
        let (name, joined) = divided(option);
        match (name, value.or(joined)) {
            ("-whole-archive", _) => self.is_whole = true,
            ("-no-whole-archive", _) => self.is_whole = false,
            ("-Bstatic" | "-dn" | "-non_shared" | "-static", _) => self.is_static = true,
            ("-Bdynamic" | "-dy" | "-call_shared", _) => self.is_static = false,
            ("-shared" | "-Bshareable", _) => self.link.is_shared = true,
            ("-r" | "-relocatable", _) => self.links = false,
            ("-o" | "-output", Some(file)) => self.link.output = file.into(),
            ("-L" | "-library-path", Some(folder)) => self.libraries.add(folder),
            ("-l" | "-library", Some(name)) => self.library(name, place),
            ("-defsym" | "-wrap", Some(value)) => {
                self.link.renames.push(format!("-Wl,-{name}={value}"));
            }
            ("-version-script", Some(script)) => self.link.hiding.scripts.push(script.into()),
            ("-exclude-libs", Some(archives)) => {
                let names = archives.split([',', ':']).map(str::to_owned);
                self.link.hiding.archives.extend(names);
            }
            ("-T" | "-script", Some(script)) => return Err(is_script(Path::new(script))),
            _ if self.driver == Driver::Linker => self.joined(text, place)?,
            _ => {}
        }
        Ok(())
    }

    fn file(&mut self, path: &str, place: usize) {
        let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
        if extension.is_some_and(|extension| SOURCES.contains(&extension)) {
            self.link.has_sources = true;
        } else {
            self.named.push((Named::File(path.into()), place, self.is_whole));
        }
    }

    fn library(&mut self, name: &str, place: usize) {
        // nvcc takes several, with commas between them.
        for name in name.split(',') {
            let library = Named::Library { name: name.to_owned(), is_static: self.is_static };
            self.named.push((library, place, self.is_whole));
        }
    }

    /// Finds the libraries in all folders of the command, as folders count regardless of position.
    fn finish(mut self, system_folders: &[PathBuf]) -> HostLink {
        self.link.place = self.named.first().map_or(1, |(_, place, _)| *place);
        for (named, _, is_whole) in self.named {
            let path = match named {
                Named::File(path) => Some(path),
                Named::Library { name, is_static } => {
                    self.libraries.find(&name, is_static, system_folders)
                }
            };
            self.link.inputs.extend(path.map(|path| HostInput { path, is_whole }));
        }
        self.link
    }
}

/// The error about a linker script, which may name inputs and symbols in its own language.
pub(super) fn is_script(path: &Path) -> anyhow::Error {
    failure(
        Fault::Input,
        format!(
            "{}: a linker script, whose inputs and names Weft does not read: name the files that \
             it links in the command",
            path.display()
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(command: &str) -> Option<HostLink> {
        let command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        host_link(&command, Wanted::Program, &[]).unwrap()
    }

    fn paths(link: &HostLink) -> Vec<&str> {
        link.inputs.iter().filter_map(|input| input.path.to_str()).collect()
    }

    #[test]
    fn inputs_and_outputs_of_each_driver() {
        for (command, inputs, output) in [
            ("g++ -O2 -x c++ a.o -o app b.o -I x.o", &["a.o", "b.o"][..], "app"),
            ("clang++ a.o -oapp -Xlinker -rpath -Xlinker dir.o", &["a.o"], "app"),
            (
                "g++ -Wl,-rpath,dir.o a.o -Wl,--start-group,b.a,--end-group",
                &["a.o", "b.a"],
                "a.out",
            ),
            ("nvcc -arch sm_90 -ccbin g++ a.o -Xcompiler -fPIC --output-file=app", &["a.o"], "app"),
            ("ld -z now -dynamic-linker ld.so a.o --output app -rpath d", &["a.o"], "app"),
        ] {
            let link = parsed(command).unwrap();
            assert_eq!(paths(&link), inputs, "{command}");
            assert_eq!(link.output, Path::new(output), "{command}");
        }
    }

    #[test]
    fn commands_that_link_nothing() {
        for command in [
            "g++ -c a.cpp -o a.o",
            "g++ -E a.cpp",
            "g++ --version",
            "nvcc -dc a.cu",
            "nvcc -dlink a.o -o dlink.o",
            "ld -r a.o b.o -o c.o",
            "clang++ -Wl,-r a.o b.o -o c.o",
            "g++ -v",
        ] {
            assert_eq!(parsed(command), None, "{command}");
        }
    }

    #[test]
    fn what_changes_the_meaning_of_the_link_is_noted() {
        let link = parsed(
            "g++ -shared main.cpp -Wl,--defsym=a=b -Wl,--wrap,c x.o -Wl,--whole-archive y.a \
             -Wl,--no-whole-archive z.a",
        )
        .unwrap();
        assert!(link.is_shared && link.has_sources);
        assert_eq!(link.renames, ["-Wl,--defsym=a=b", "-Wl,--wrap=c"]);
        let whole: Vec<bool> = link.inputs.iter().map(|input| input.is_whole).collect();
        assert_eq!(whole, [false, true, false]);
        // The first word is the program.
        assert_eq!(link.place, 5);
    }

    #[test]
    fn device_links_of_nvcc() {
        let command = "nvcc -shared -dlink -arch=sm_90 a.o -o link.o lib.a -lcudadevrt";
        let command: Vec<String> = command.split(' ').map(str::to_owned).collect();
        let link = host_link(&command, Wanted::DeviceCode, &[]).unwrap().unwrap();
        assert_eq!((paths(&link), link.is_shared), (vec!["a.o", "lib.a"], false));
        assert_eq!(link.output, Path::new("link.o"));
    }

    #[test]
    fn linker_scripts_are_refused() {
        let command = ["g++", "a.o", "-Wl,-T,s.ld"].map(str::to_owned);
        assert!(
            host_link(&command, Wanted::Program, &[])
                .unwrap_err()
                .to_string()
                .starts_with("s.ld: a linker")
        );
    }
}
