//! The lists of options that CMake and Bazel know, and the check that each option reaches its
//! steps.

/// An option of a list.
#[derive(Clone, Debug)]
pub struct KnownOption {
    /// Name with its hyphens.
    pub name: String,
    /// `none`, `optional`, `wanted`, `after` or `file`.
    pub form: String,
    /// Steps that take it.
    pub steps: Vec<String>,
    /// First of the values that are possible; empty if they are not listed.
    pub choice: String,
}

impl KnownOption {
    fn of(name: &str, row: &str, separator: char) -> Self {
        let mut parts = row.split(separator);
        let mut part = || parts.next().unwrap_or_default().to_owned();
        let (form, steps, choices) = (part(), part(), part());
        Self {
            name: name.to_owned(),
            form,
            steps: steps.split(',').map(str::to_owned).collect(),
            choice: choices.split(',').next().unwrap_or_default().to_owned(),
        }
    }

    /// Returns the option with a value, which is `file` where a file is wanted.
    pub fn word(&self, file: &str) -> String {
        let value = match self.choice.as_str() {
            "" => "7",
            choice => choice,
        };
        match self.form.as_str() {
            "none" => self.name.clone(),
            "after" => format!("{}{value}", self.name),
            "file" => format!("{}={file}", self.name),
            _ => format!("{}={value}", self.name),
        }
    }
}

/// Reads CMake's list.
pub fn of_cmake(text: &str) -> Vec<KnownOption> {
    let known = text.split("  set(${refused}").next().unwrap_or_default();
    let rows = known.lines().filter_map(|line| line.strip_prefix("    \"")?.strip_suffix('"'));
    let rows = rows.filter_map(|row| row.split_once('|'));
    counted(rows.map(|(name, row)| KnownOption::of(name, row, '|')).collect())
}

/// Reads Bazel's list.
pub fn of_bazel(text: &str) -> Vec<KnownOption> {
    let known = text.split("REFUSED_OPTIONS = {").next().unwrap_or_default();
    let rows = known.lines().filter_map(|line| line.strip_prefix("    \"")?.strip_suffix("\","));
    let rows = rows.filter_map(|row| row.split_once("\": \""));
    counted(rows.map(|(name, row)| KnownOption::of(name, row, ' ')).collect())
}

fn counted(known: Vec<KnownOption>) -> Vec<KnownOption> {
    assert!(known.len() > 70, "only {} options were read", known.len());
    known
}

/// Fails unless the command of each step, which `words_of` returns, has the options that go there.
pub fn check<'words>(known: &[KnownOption], words_of: impl Fn(&str) -> Vec<&'words str>) {
    let steps = ["unit", "summarize", "thinlink", "import", "codegen", "assemble"];
    for step in steps {
        let of_step: Vec<_> =
            known.iter().filter(|option| option.steps.iter().any(|own| own == step)).collect();
        if of_step.is_empty() {
            continue;
        }
        let words = words_of(step);
        for option in of_step {
            let wanted = match (step, option.name.as_str()) {
                // Clang compiles by these, and the unit's code shows them.
                ("unit", "--ftz" | "--prec-sqrt") => continue,
                ("unit", "--generate-line-info") => "--option=generate-line-info=1".to_owned(),
                ("unit", name) => format!("--option={}=", name.trim_start_matches("--")),
                (_, _) if option.form == "file" => format!("{}=", option.name),
                _ => option.word(""),
            };
            assert!(
                words.iter().any(|word| word.trim_matches('"').starts_with(&wanted)),
                "{wanted} does not reach {step}: {words:?}"
            );
        }
    }
}
