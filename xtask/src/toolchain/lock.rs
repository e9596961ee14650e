//! Reads `toolchain.lock`. Its own header describes the format.

use std::fs;
use std::path::Path;

use crate::error::{Error, Result, while_trying};
use crate::toolchain::probe::Probe;

const NAME: &str = "toolchain.lock";

/// The whole file.
#[derive(Debug, Default)]
pub(crate) struct Lock {
    /// The major version of LLVM.
    pub(crate) llvm: String,
    /// The major version of CUDA.
    pub(crate) cuda: String,
    /// Programs that are built from source, by name and version.
    pub(crate) crates: Vec<(String, String)>,
    pub(crate) packages: Vec<Part>,
    pub(crate) wheels: Vec<Part>,
}

/// A package or a wheel.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) name: String,
    /// Empty for a package: the distribution decides.
    pub(crate) version: String,
    pub(crate) file: String,
    pub(crate) size: u64,
    pub(crate) sha256: String,
    pub(crate) holds: Vec<Probe>,
}

impl Lock {
    /// Reads the lock of the checkout at `root`.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let path = root.join(NAME);
        let text = fs::read_to_string(&path).map_err(while_trying("read", &path))?;
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self> {
        let mut lock = Self::default();
        // Which list the last part went to: statements about a part follow it.
        let mut in_wheels = false;
        for (index, line) in text.lines().enumerate() {
            let statement = line.split('#').next().unwrap_or_default();
            let words: Vec<&str> = statement.split_whitespace().collect();
            match words.split_first() {
                None => {}
                Some((&"package", [name])) => {
                    in_wheels = false;
                    lock.packages.push(Part { name: (*name).to_owned(), ..Part::default() });
                }
                Some((&"wheel", [name, version])) => {
                    in_wheels = true;
                    let (name, version) = ((*name).to_owned(), (*version).to_owned());
                    lock.wheels.push(Part { name, version, ..Part::default() });
                }
                Some((&"llvm", [major])) => (*major).clone_into(&mut lock.llvm),
                Some((&"cuda", [major])) => (*major).clone_into(&mut lock.cuda),
                Some((&"crate", [name, version])) => {
                    lock.crates.push(((*name).to_owned(), (*version).to_owned()));
                }
                Some((keyword, rest)) => {
                    let parts = if in_wheels { &mut lock.wheels } else { &mut lock.packages };
                    let known = parts.last_mut().and_then(|part| part.take(keyword, rest));
                    known.ok_or_else(|| {
                        Error::new(format!("{NAME}:{}: cannot read {:?}", index + 1, line.trim()))
                    })?;
                }
            }
        }
        lock.check()
    }

    /// A wheel without a digest would be installed unverified.
    fn check(self) -> Result<Self> {
        let whole = |wheel: &Part| {
            wheel.sha256.len() == 64 && !wheel.file.is_empty() && !wheel.holds.is_empty()
        };
        match self.wheels.iter().find(|wheel| !whole(wheel)) {
            None if self.llvm.is_empty() || self.cuda.is_empty() => {
                Err(Error::new(format!("{NAME}: needs a statement llvm and a statement cuda")))
            }
            None => Ok(self),
            Some(Part { name, .. }) => {
                Err(Error::new(format!("{NAME}: wheel {name} needs file, size, sha256 and holds")))
            }
        }
    }

    /// The wheels as pip's requirements, one a line, each with the one digest it accepts.
    pub(crate) fn requirements(&self) -> String {
        let line = |part: &Part| {
            format!("{}=={} --hash=sha256:{}\n", part.name, part.version, part.sha256)
        };
        self.wheels.iter().map(line).collect()
    }
}

impl Part {
    /// Takes one statement about this part; `None` if there is no such statement.
    fn take(&mut self, keyword: &str, words: &[&str]) -> Option<()> {
        match (keyword, words) {
            ("file", [file]) => (*file).clone_into(&mut self.file),
            ("size", [bytes]) => self.size = bytes.parse().ok()?,
            ("sha256", [digest]) => (*digest).clone_into(&mut self.sha256),
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
            ("llvm 22\ncuda 13\nwheel a 1\n file a.whl\n size 1\n holds cuda:x\n", "wheel a"),
        ] {
            let error = Lock::parse(text).unwrap_err();
            assert!(error.message().contains(place), "{error}");
        }
    }
}
