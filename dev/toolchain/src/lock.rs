//! Reads `toolchain.lock`, whose header describes the format.

use std::fs;
use std::path::Path;

use crate::probe::Probe;
use crate::scope::Scope;
use dev_process::{Error, Result, while_trying};

const NAME: &str = "toolchain.lock";

/// Content of the file.
#[derive(Debug, Default)]
pub(crate) struct Lock {
    /// Major version of LLVM.
    pub(crate) llvm: String,
    /// Major version of CUDA.
    pub(crate) cuda: String,
    /// Programs that are built from source, by name and version.
    pub(crate) crates: Vec<(String, String)>,
    pub(crate) packages: Vec<Part>,
    pub(crate) wheels: Vec<Part>,
    /// Code that tests and benches compile.
    pub(crate) samples: Vec<Part>,
    /// Servers that tests start and talk to, and tools that they run.
    pub(crate) servers: Vec<Part>,
    /// Packages of npm with scripts that tests run in a browser.
    pub(crate) scripts: Vec<Part>,
}

/// A package, a wheel, a sample, a server, a tool or a script.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) name: String,
    /// Version of the part; empty for a package, as the distribution decides.
    pub(crate) version: String,
    pub(crate) file: String,
    pub(crate) size: u64,
    pub(crate) sha256: String,
    pub(crate) holds: Vec<Probe>,
    /// Whether npm has the part, and not pip.
    pub(crate) is_of_npm: bool,
    /// Whether only tests need the package.
    pub(crate) is_for_tests: bool,
    /// Platform whose wheel is taken; empty for this one.
    pub(crate) platform: String,
    /// Tag of the Python whose wheel is taken; empty for this one.
    pub(crate) python: String,
    /// Folder of a sample.
    pub(crate) folder: String,
    /// Folders that are unpacked, each with its place.
    pub(crate) keeps: Vec<(String, String)>,
}

/// The lists of parts.
#[derive(Clone, Copy)]
enum List {
    Packages,
    Wheels,
    Samples,
    Servers,
    Scripts,
}

impl Lock {
    /// Reads the lock of the checkout at `root`.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let path = root.join(NAME);
        let text = fs::read_to_string(&path).map_err(while_trying("read", &path))?;
        Self::parse(&text)
    }

    /// Removes the packages that are not in a scope.
    pub(crate) fn keep_packages_of(&mut self, scope: Scope) {
        self.packages.retain(|package| scope == Scope::Tests || !package.is_for_tests);
    }

    fn parse(text: &str) -> Result<Self> {
        let mut lock = Self::default();
        // Statements about a part follow it, so this is the list of the last part.
        let mut list = List::Packages;
        for (index, line) in text.lines().enumerate() {
            let statement = line.split('#').next().unwrap_or_default();
            let words: Vec<&str> = statement.split_whitespace().collect();
            match words.split_first() {
                None => {}
                Some((&"package", [name])) => {
                    list = List::Packages;
                    lock.packages.push(Part { name: (*name).to_owned(), ..Part::default() });
                }
                Some((&"wheel", [name, version])) => {
                    list = List::Wheels;
                    lock.wheels.push(Part::new(name, version));
                }
                Some((&"sample", [name, version])) => {
                    list = List::Samples;
                    lock.samples.push(Part::new(name, version));
                }
                Some((&"server" | &"tool", [name, version])) => {
                    list = List::Servers;
                    lock.servers.push(Part::new(name, version));
                }
                Some((&"script", [name, version])) => {
                    list = List::Scripts;
                    lock.scripts.push(Part { is_of_npm: true, ..Part::new(name, version) });
                }
                Some((&"llvm", [major])) => (*major).clone_into(&mut lock.llvm),
                Some((&"cuda", [major])) => (*major).clone_into(&mut lock.cuda),
                Some((&"crate", [name, version])) => {
                    lock.crates.push(((*name).to_owned(), (*version).to_owned()));
                }
                Some((keyword, rest)) => {
                    let parts = match list {
                        List::Packages => &mut lock.packages,
                        List::Wheels => &mut lock.wheels,
                        List::Samples => &mut lock.samples,
                        List::Servers => &mut lock.servers,
                        List::Scripts => &mut lock.scripts,
                    };
                    let known = parts.last_mut().and_then(|part| part.take(keyword, rest));
                    known.ok_or_else(|| {
                        Error::new(format!("{NAME}:{}: cannot read {:?}", index + 1, line.trim()))
                    })?;
                }
            }
        }
        lock.check()
    }

    /// Checks that each part is whole: a wheel without a digest would be installed unverified.
    fn check(self) -> Result<Self> {
        let is_whole = |part: &&Part| {
            let gives_something = !part.holds.is_empty() || !part.keeps.is_empty();
            part.sha256.len() == 64 && !part.file.is_empty() && gives_something
        };
        let has_place = |part: &&Part| is_whole(part) && !part.folder.is_empty();
        let wheels = self.wheels.iter().chain(&self.servers).chain(&self.scripts);
        let wheels = wheels.filter(|part| !is_whole(part));
        let samples = self.samples.iter().filter(|part| !has_place(part));
        match wheels.chain(samples).next() {
            None if self.llvm.is_empty() || self.cuda.is_empty() => {
                Err(Error::new(format!("{NAME}: needs a statement llvm and a statement cuda")))
            }
            None => Ok(self),
            Some(Part { name, .. }) => Err(Error::new(format!(
                "{NAME}: part {name} needs file, size, sha256, and holds or, in a folder, keeps"
            ))),
        }
    }

    /// Returns the wheels as pip's requirements, one a line, each with the one digest that pip
    /// accepts.
    pub(crate) fn requirements(&self) -> String {
        self.wheels.iter().map(Part::requirement).collect()
    }
}

impl Part {
    fn new(name: &str, version: &str) -> Self {
        Self { name: name.to_owned(), version: version.to_owned(), ..Self::default() }
    }

    /// Returns the part as a line of pip's requirements, with the one digest that pip accepts.
    pub(crate) fn requirement(&self) -> String {
        format!("{}=={} --hash=sha256:{}\n", self.name, self.version, self.sha256)
    }

    /// Takes one statement about this part; `None` if there is no such statement.
    fn take(&mut self, keyword: &str, words: &[&str]) -> Option<()> {
        match (keyword, words) {
            ("for", ["tests"]) => self.is_for_tests = true,
            ("file", [file]) => (*file).clone_into(&mut self.file),
            ("size", [bytes]) => self.size = bytes.parse().ok()?,
            ("sha256", [digest]) => (*digest).clone_into(&mut self.sha256),
            ("python", [tag]) => (*tag).clone_into(&mut self.python),
            ("platform", [tag]) => (*tag).clone_into(&mut self.platform),
            ("folder", [name]) => (*name).clone_into(&mut self.folder),
            ("keeps", [from, to]) => self.keeps.push(((*from).to_owned(), (*to).to_owned())),
            ("holds", probes) => {
                let probes: Option<Vec<Probe>> =
                    probes.iter().map(|probe| Probe::parse(probe)).collect();
                self.holds.extend(probes?);
            }
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "llvm 22\ncuda 13 # comment\n";

    #[test]
    fn the_checked_in_lock_is_whole() {
        let lock = Lock::parse(include_str!("../../../toolchain.lock")).unwrap();
        assert!(!lock.packages.is_empty() && !lock.wheels.is_empty() && !lock.crates.is_empty());
        assert!(lock.packages.iter().all(|part| !part.holds.is_empty()));
    }

    #[test]
    fn builds_need_no_build_system_or_server_of_the_tests() {
        let mut lock = Lock::parse(include_str!("../../../toolchain.lock")).unwrap();
        lock.keep_packages_of(Scope::Builds);
        let names: Vec<&str> = lock.packages.iter().map(|part| part.name.as_str()).collect();
        assert!(["clang-22", "ninja-build"].iter().all(|name| names.contains(name)), "{names:?}");
        let of_tests = ["bazel-bootstrap", "cmake", "nginx-light", "bubblewrap", "chromium"];
        assert!(!of_tests.iter().any(|name| names.contains(name)), "{names:?}");
    }

    #[test]
    fn a_wheel_becomes_a_requirement_with_its_digest() {
        let digest = "0123456789abcdef".repeat(4);
        let wheel = format!("wheel a 1.2\n file a.whl\n size 3\n sha256 {digest}\n holds cuda:x\n");
        let lock = Lock::parse(&format!("{HEAD}{wheel}")).unwrap();
        assert_eq!(lock.requirements(), format!("a==1.2 --hash=sha256:{digest}\n"));
    }

    #[test]
    fn what_is_not_understood_is_refused_with_its_line() {
        for (text, place) in [
            ("llvm 22\ncuda 13\nholds program:x\n", ":3:"),
            ("package x\n holds nowhere:x\n", ":2:"),
            ("package x y\n", ":1:"),
            ("llvm 22\ncuda 13\nwheel a 1\n file a.whl\n size 1\n holds cuda:x\n", "part a needs"),
            ("llvm 22\ncuda 13\nscript b 1\n file b.tgz\n keeps x y\n", "part b needs"),
        ] {
            let error = Lock::parse(text).unwrap_err();
            assert!(error.message().contains(place), "{error}");
        }
    }
}
