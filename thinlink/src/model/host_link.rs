//! Symbols that options of the host link name.
//!
//! An option can give a host symbol a further name (`--defsym=launch=STUB`), or refer to one
//! (`--undefined=STUB`), which no object shows. So the symbols that such options name count as
//! referenced. A file of options and a linker script can do the same, and they are not read here,
//! so with one of them every host symbol counts as referenced. `--wrap` needs no option: it leads
//! references to other names, from which the objects' own names follow.
//!
//! Options come as the compiler's driver takes them (`-Wl,--defsym,a=b`, `-Xlinker --defsym=a=b`),
//! as CMake writes them (`LINKER:--defsym=a=b`, `SHELL:…`), and as parts of expressions of CMake.

/// Characters between the words of an option. None can be part of a symbol's name.
const BETWEEN: &str = " \t\r\n,;:'\"<>()";
/// Words that only say that options of the linker follow.
const CARRIERS: [&str; 4] = ["-Wl", "-Xlinker", "LINKER", "SHELL"];
/// Options whose value names symbols. With one dash or two, the value follows `=` or is a word.
const NAMING: [&str; 9] = [
    "defsym",
    "undefined",
    "require-defined",
    "entry",
    "init",
    "fini",
    "export-dynamic-symbol",
    "u",
    "e",
];
/// Options of one letter, whose value may follow without a space.
const SHORT: [&str; 2] = ["-u", "-e"];
/// Options that name a file which may define symbols.
const READING: [&str; 6] = ["T", "script", "default-script", "dT", "just-symbols", "mri-script"];
/// Options that begin like `-T` and name no file.
const SECTION_STARTS: [&str; 4] = ["-Ttext", "-Tdata", "-Tbss", "-Trodata"];
/// Endings of the names of linker scripts.
const SCRIPTS: [&str; 4] = [".ld", ".lds", ".lsc", ".lcf"];
/// End of a word that an expression of CMake follows, which begins with `$<`.
const EXPRESSION: char = '$';

/// The host symbols that options of the host link name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostLink {
    /// Names of symbols, and other words in positions where a name may be.
    pub names: Vec<String>,
    /// The first option that may name any symbol.
    pub unreadable: Option<String>,
}

impl HostLink {
    /// Reads `options`, each of which may hold several.
    pub fn of(options: &[String]) -> Self {
        let mut link = Self::default();
        for option in options {
            link.read(option);
        }
        link.names.sort_unstable();
        link.names.dedup();
        link
    }

    fn read(&mut self, option: &str) {
        let words = option.split(|c| BETWEEN.contains(c)).filter(|word| !word.is_empty());
        let mut words = words.filter(|word| !CARRIERS.contains(word));
        let mut names = Vec::new();
        let mut is_unreadable = false;
        while let Some(word) = words.next() {
            let plain = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
            let (name, value) = match plain.and_then(|plain| plain.split_once('=')) {
                Some((name, value)) => (Some(name), Some(value)),
                None => (plain, None),
            };
            let is_start = SECTION_STARTS.iter().any(|start| word.starts_with(start));
            let is_one_of = |options: &[&str]| name.is_some_and(|name| options.contains(&name));
            if is_one_of(&NAMING) {
                let symbol = value.or_else(|| words.next());
                names.extend(symbol);
                // A value in parentheses is a separate word.
                if symbol.is_some_and(|symbol| symbol.ends_with('=')) {
                    names.extend(words.next());
                }
            } else if let Some(short) = SHORT.iter().find(|short| word.starts_with(**short)) {
                names.push(&word[short.len()..]);
            }
            is_unreadable |= is_one_of(&READING)
                || word.starts_with('@')
                || (word.starts_with("-T") && !is_start)
                || SCRIPTS.iter().any(|ending| word.ends_with(ending));
        }
        // Nothing evaluates an expression, and its value may be any name.
        is_unreadable |= names.iter().any(|name| name.ends_with(EXPRESSION));
        if is_unreadable {
            self.unreadable.get_or_insert_with(|| option.to_owned());
        }
        let is_part = |c: char| c.is_alphanumeric() || "_$.".contains(c);
        let symbols = names.into_iter().flat_map(|name| name.split(|c| !is_part(c)));
        // A word that starts with a digit is a number.
        let is_name = |name: &&str| name.starts_with(|c: char| !c.is_ascii_digit());
        self.names.extend(symbols.filter(is_name).map(str::to_owned));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(option: &str) -> Vec<String> {
        let link = HostLink::of(&[option.to_owned()]);
        assert_eq!(link.unreadable, None, "{option}");
        link.names
    }

    #[test]
    fn the_symbols_of_options_are_read_in_every_form() {
        for option in [
            "-Wl,--defsym=launch=_Z4stubPi",
            "-Wl,--defsym,launch=_Z4stubPi",
            "-Wl,-defsym -Wl,launch=_Z4stubPi",
            "-Xlinker --defsym -Xlinker launch=_Z4stubPi",
            "-Xlinker;--defsym=launch=_Z4stubPi",
            "LINKER:--defsym,launch=_Z4stubPi",
            "LINKER:SHELL:--defsym launch=_Z4stubPi",
            "SHELL:-Xlinker \"--defsym=launch=_Z4stubPi\"",
            "--defsym=launch=_Z4stubPi+0",
            "-O2 -Wl,-rpath,/opt/other -Wl,--defsym=launch=(_Z4stubPi) -lm",
        ] {
            assert_eq!(names(option), ["_Z4stubPi", "launch"], "{option}");
        }
        for option in ["-u stub", "-ustub", "-Wl,-u,stub", "--undefined=stub", "-Wl,-init,stub"] {
            assert_eq!(names(option), ["stub"], "{option}");
        }
        for option in ["-Wl,-rpath,/a", "-L/kernel -lk", "-Wl,-Ttext=0x400000", "-O2", ""] {
            assert_eq!(names(option), [""; 0], "{option}");
        }
    }

    #[test]
    fn files_and_expressions_may_name_any_symbol() {
        for option in [
            "@options.txt",
            "-Wl,@options.txt",
            "-T script",
            "-Tscript.x",
            "-Wl,-T,a.x",
            "-Wl,--script=a.x",
            "folder/memory.lds",
            "-Wl,--just-symbols=rom",
            "-Wl,--defsym=launch=$<TARGET_PROPERTY:app,STUB>",
        ] {
            let link = HostLink::of(&["-O2".to_owned(), option.to_owned()]);
            assert_eq!(link.unreadable.as_deref(), Some(option));
        }
        assert_eq!(names("$<$<CONFIG:Debug>:-O2>"), [""; 0]);
        assert_eq!(names("$<LINK_ONLY:lib> $<$<CONFIG:Debug>:-Wl,--defsym=a=b>"), ["a", "b"]);
    }
}
