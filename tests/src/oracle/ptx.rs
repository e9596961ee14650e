//! Facts about kernels and variables that PTX declares, and that images do not show exactly.

use std::collections::BTreeMap;

/// Directives of a kernel that a launch may rely on.
const BOUNDS: [&str; 8] = [
    ".maxntid",
    ".reqntid",
    ".minnctapersm",
    ".maxnctapersm",
    ".maxnreg",
    ".reqnctapercluster",
    ".maxclusterrank",
    ".explicitcluster",
];
/// State spaces of variables that have initial bytes.
const MEMORIES: [&str; 2] = [".global", ".const"];

/// Declarations of a PTX file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarations {
    /// Kernels that the file defines, by symbol.
    pub kernels: BTreeMap<String, Entry>,
    /// Global and constant variables that the file defines, by symbol.
    pub variables: BTreeMap<String, Declared>,
}

/// A kernel as PTX declares it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Types of the parameters, with alignment and length but without the targets of pointers.
    pub parameters: Vec<String>,
    /// Launch bounds with their values.
    pub bounds: BTreeMap<String, Vec<u32>>,
    /// Whether another definition may replace this one.
    pub is_weak: bool,
}

/// A variable as PTX declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Alignment in bytes.
    pub alignment: u64,
    /// Whether another definition may replace this one.
    pub is_weak: bool,
    /// Whether host and device share the variable.
    pub is_managed: bool,
}

impl Declarations {
    /// Reads the declarations of a PTX file.
    pub fn read(text: &str) -> Self {
        let mut declarations = Self::default();
        for statement in statements(text) {
            let words: Vec<&str> = statement.split_whitespace().collect();
            if words.contains(&".entry") {
                let (name, entry) = entry(&statement);
                declarations.kernels.insert(name, entry);
            } else if words.iter().take(2).any(|word| MEMORIES.contains(word))
                && words.first() != Some(&".extern")
                && let Some((name, declared)) = variable(&words)
            {
                declarations.variables.insert(name, declared);
            }
        }
        declarations
    }
}

/// Returns the statements outside of bodies, without bodies, initial values and comments.
fn statements(text: &str) -> Vec<String> {
    let mut statements = Vec::new();
    let mut current = String::new();
    let mut depth = 0_usize;
    for line in text.lines() {
        let line = line.split_once("//").map_or(line, |(code, _)| code);
        let is_directive_of_its_own = [".version", ".target", ".address_size", ".file"]
            .iter()
            .any(|directive| line.starts_with(directive));
        if is_directive_of_its_own {
            continue;
        }
        for character in line.chars() {
            match character {
                '{' => depth += 1,
                '}' => {
                    depth = depth.saturating_sub(1);
                    // A body ends its function, and a semicolon follows an initial value.
                    if depth == 0 && !current.contains('=') {
                        statements.push(std::mem::take(&mut current));
                    }
                }
                ';' if depth == 0 => statements.push(std::mem::take(&mut current)),
                _ if depth == 0 => current.push(character),
                _ => {}
            }
        }
        if depth == 0 {
            current.push(' ');
        }
    }
    statements
}

/// Returns the name and the declaration of a kernel.
fn entry(statement: &str) -> (String, Entry) {
    let (linkage, rest) = statement.split_once(".entry").unwrap_or_default();
    let (name, rest) = rest.split_once('(').unwrap_or((rest, ""));
    let (parameters, directives) = rest.split_once(')').unwrap_or((rest, ""));
    let mut entry = Entry { is_weak: linkage.contains(".weak"), ..Entry::default() };
    for parameter in parameters.split(',').filter(|parameter| !parameter.trim().is_empty()) {
        entry.parameters.push(parameter_type(parameter));
    }
    let mut current = String::new();
    for word in directives.replace(',', " ").split_whitespace() {
        if word.starts_with('.') {
            word.clone_into(&mut current);
            if BOUNDS.contains(&word) {
                entry.bounds.insert(current.clone(), Vec::new());
            }
        } else if let (Some(values), Ok(value)) = (entry.bounds.get_mut(&current), word.parse()) {
            values.push(value);
        }
    }
    for (bound, values) in &mut entry.bounds {
        // Omitted dimensions are one.
        if bound.ends_with("ntid") || bound == ".reqnctapercluster" {
            values.resize(3, 1);
        }
    }
    (name.trim().to_owned(), entry)
}

/// Returns the type of a parameter: `.align 8 .b8 [24]` for `.param .align 8 .b8 k_param_0[24]`.
fn parameter_type(parameter: &str) -> String {
    let words: Vec<&str> = parameter.split_whitespace().filter(|word| *word != ".param").collect();
    let Some((name, kind)) = words.split_last() else { return String::new() };
    let mut kind: Vec<&str> = kind.to_vec();
    // The optimizer infers the target of a pointer, and infers more if it knows more.
    if let Some(start) = kind.iter().position(|word| *word == ".ptr") {
        kind.truncate(start);
    }
    let length = name.find('[').map_or("", |start| &name[start..]);
    // Types of one size are passed alike.
    let kind = kind.join(" ").replace(['u', 's', 'f'], "b");
    format!("{kind} {length}").trim_end().to_owned()
}

fn variable(words: &[&str]) -> Option<(String, Declared)> {
    let declaration: Vec<&str> = words.iter().copied().take_while(|word| *word != "=").collect();
    let name = declaration.last()?;
    let name = name.split_once('[').map_or(*name, |(name, _)| name);
    let align = declaration.iter().position(|word| *word == ".align")?;
    let alignment = declaration.get(align + 1)?.parse().ok()?;
    let is_weak = declaration.first() == Some(&".weak");
    let is_managed = declaration.iter().any(|word| word.contains(".managed"));
    Some((name.to_owned(), Declared { alignment, is_weak, is_managed }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
.version 8.8
.target sm_90
.extern .func  (.param .b32 func_retval0) helper
(
    .param .b32 helper_param_0
)
;
.visible .global .align 8 .u64 table[2] = {helper, helper};
.weak .global .align 16 .b8 weak[4];
.extern .const .align 4 .u32 elsewhere;
.global .attribute(.managed) .align 4 .u32 both = 3; // a comment
.extern .shared .align 1024 .b8 dyn[];
.visible .entry k(
    .param .align 8 .b8 k_param_0[24],
    .param .u64 .ptr .align 1 k_param_1
)
.maxntid 128
.minnctapersm 2
{
    .reg .b32     %r<26>;
    { .param .b32 x; }
}
.weak .entry plain()
{
    ret;
}
";

    #[test]
    fn declarations_are_read_and_bodies_are_not() {
        let Declarations { kernels, variables } = Declarations::read(TEXT);
        let names: Vec<_> = kernels.keys().map(String::as_str).collect();
        assert_eq!(names, ["k", "plain"]);
        assert_eq!(kernels["k"].parameters, [".align 8 .b8 [24]", ".b64"]);
        let bounds =
            [(".maxntid".to_owned(), vec![128, 1, 1]), (".minnctapersm".to_owned(), vec![2])];
        assert_eq!(kernels["k"].bounds, BTreeMap::from(bounds));
        assert_eq!(kernels["plain"], Entry { is_weak: true, ..Entry::default() });
        let declared = |alignment, is_weak, is_managed| Declared { alignment, is_weak, is_managed };
        let expected = [
            ("both".to_owned(), declared(4, false, true)),
            ("table".to_owned(), declared(8, false, false)),
            ("weak".to_owned(), declared(16, true, false)),
        ];
        assert_eq!(variables, BTreeMap::from(expected));
    }
}
