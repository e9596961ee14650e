//! The shared memory that a kernel reaches, according to PTX.
//!
//! nvlink 13.5 gives the shared memory of some functions to every kernel of a program, even to an
//! empty kernel. A program from which such functions were removed, or whose other functions come in
//! other files, rightly asks for less. So the memory of a kernel in the plain link is bounded by
//! the memory that the kernel can reach: the shared variables that the kernel or one of its direct
//! and indirect callees names. An indirect call can reach each function of its type whose address
//! is taken by a live definition, one that some kernel or variable of the image reaches.

use std::collections::{BTreeMap, BTreeSet};

/// Shared memory that a launch of a kernel may count on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SharedMemory {
    /// Bytes of all variables, and the system's reserved bytes if there are variables.
    pub(super) bytes: u64,
    /// Largest alignment of a variable, in bytes; 0 without variables.
    pub(super) alignment: u64,
}

/// Bytes that the system reserves at the start of shared memory (`sm_90`).
const RESERVED: u64 = 1024;
/// Directives of definitions that other files can name.
const VISIBLE: [&str; 3] = [".visible", ".weak", ".common"];

/// A function or variable of a file.
#[derive(Debug, Default)]
struct Item {
    /// Words of the initial value, or of the body without the functions that the body calls
    /// directly.
    names: BTreeSet<String>,
    /// Functions that the body calls directly.
    callees: BTreeSet<String>,
    /// Function types of the indirect calls.
    call_types: BTreeSet<String>,
    /// Whether other files can name the item. They may define it as well.
    is_visible: bool,
    /// Type of the item, if it is a function.
    function_type: Option<String>,
    /// Sizes and alignments of shared memory: the variable itself, or the variables inside a
    /// function.
    shared: Vec<(u64, u64)>,
}

/// Live functions and variables, each as the number of its file and its name.
pub(super) type Alive<'a> = BTreeSet<(usize, &'a str)>;

/// Functions and variables of a program.
#[derive(Debug, Default)]
pub(super) struct Program {
    files: Vec<BTreeMap<String, Item>>,
    /// Number of the file that defines each visible symbol.
    visible: BTreeMap<String, usize>,
}

impl Program {
    /// Reads the PTX of a program's modules, in which each visible symbol has one definition.
    pub(super) fn read(texts: &[String]) -> Self {
        let mut program = Self::default();
        for (number, text) in texts.iter().enumerate() {
            let mut items = BTreeMap::new();
            let mut lines = text.lines().filter(|line| !line.starts_with("//"));
            while let Some(line) = lines.next() {
                let is_function = line.contains(".func") || line.contains(".entry");
                let Some(name) = name_of(line, is_function) else { continue };
                let mut item = Item::default();
                if is_function {
                    if !read_function(&mut lines, line, &mut item) {
                        continue;
                    }
                } else {
                    item.names.extend(words(line).filter(|word| *word != name).map(str::to_owned));
                    item.shared.extend(shared(line));
                    // Dynamic shared memory has no definition. Any other extern variable is defined
                    // in another file.
                    let is_dynamic = item.shared.iter().any(|(size, _)| *size == 0);
                    if line.starts_with(".extern") && !is_dynamic {
                        continue;
                    }
                }
                item.is_visible = VISIBLE.iter().any(|word| line.starts_with(word));
                if item.is_visible {
                    program.visible.entry(name.to_owned()).or_insert(number);
                }
                items.insert(name.to_owned(), item);
            }
            program.files.push(items);
        }
        program
    }

    /// Returns all items that are reachable by name from the symbols `roots`.
    pub(super) fn alive<'a>(&'a self, roots: impl Iterator<Item = &'a str>) -> Alive<'a> {
        let mut alive = BTreeSet::new();
        let of_root = |name| self.visible.get(name).map(|file| (*file, name));
        let mut queue: Vec<(usize, &str)> = roots.filter_map(of_root).collect();
        while let Some((file, name)) = queue.pop() {
            let Some((file, name, item)) = self.find(file, name) else { continue };
            if alive.insert((file, name)) {
                let named = item.names.iter().chain(&item.callees);
                queue.extend(named.map(|word| (file, word.as_str())));
            }
        }
        alive
    }

    /// Returns the shared memory that the kernel called `name` reaches if only items in `alive`
    /// take addresses.
    pub(super) fn reached_by(&self, name: &str, alive: &Alive<'_>) -> SharedMemory {
        let (mut seen, mut call_types) = (BTreeSet::new(), BTreeSet::new());
        let mut queue: Vec<(usize, &str)> = Vec::new();
        queue.extend(self.visible.get(name).map(|file| (*file, name)));
        let mut found = SharedMemory::default();
        while let Some((file, name)) = queue.pop() {
            let Some((file, name, item)) = self.find(file, name) else { continue };
            if !seen.insert((file, name)) {
                continue;
            }
            for (size, alignment) in &item.shared {
                found.bytes = found.bytes.max(RESERVED) + size;
                found.alignment = found.alignment.max(*alignment).max(self.largest(name));
            }
            queue.extend(item.callees.iter().map(|callee| (file, callee.as_str())));
            let is_shared = |word: &&String| {
                self.find(file, word).is_some_and(|(.., item)| item.function_type.is_none())
            };
            let variables = item.names.iter().filter(|_| item.function_type.is_some());
            queue.extend(variables.filter(is_shared).map(|word| (file, word.as_str())));
            for call_type in &item.call_types {
                if call_types.insert(call_type) {
                    queue.extend(self.address_taken(call_type, alive));
                }
            }
        }
        found
    }

    /// Returns the address-taken functions of a type, each with the number of a file that names it.
    fn address_taken(&self, wanted: &str, alive: &Alive<'_>) -> Vec<(usize, &str)> {
        let mut found = Vec::new();
        for (number, items) in self.files.iter().enumerate() {
            let alive = items.iter().filter(|(name, _)| alive.contains(&(number, name.as_str())));
            for name in alive.flat_map(|(_, item)| &item.names) {
                let item = self.find(number, name).map(|(.., item)| item);
                if item.is_some_and(|item| item.function_type.as_deref() == Some(wanted)) {
                    found.push((number, name.as_str()));
                }
            }
        }
        found
    }

    /// Finds the item that `name` means in a file.
    fn find<'name>(&self, file: usize, name: &'name str) -> Option<(usize, &'name str, &Item)> {
        let own = self.files[file].get(name).filter(|item| !item.is_visible);
        let own = own.map(|item| (file, name, item));
        let other = || {
            let file = *self.visible.get(name)?;
            Some((file, name, self.files[file].get(name)?))
        };
        own.or_else(other)
    }

    /// Returns the largest alignment of the dynamic shared memory called `name`, which each file
    /// declares.
    fn largest(&self, name: &str) -> u64 {
        let declared = self.files.iter().filter_map(|file| file.get(name));
        let dynamic = declared.flat_map(|item| &item.shared).filter(|(size, _)| *size == 0);
        dynamic.map(|(_, alignment)| *alignment).max().unwrap_or(0)
    }
}

/// Reads a function from its first line on. Returns whether it has a body.
fn read_function<'text>(
    lines: &mut impl Iterator<Item = &'text str>,
    first: &str,
    item: &mut Item,
) -> bool {
    let mut head = first.to_owned();
    let mut is_inside = false;
    let mut own = Vec::new();
    if first.trim_end().ends_with(';') {
        return false;
    }
    for line in lines {
        match line {
            "{" => is_inside = true,
            "}" => {
                item.function_type = Some(type_of(&head));
                // The code generator leaves the declaration of a variable in a function after the
                // last use of the variable has gone.
                let used = own.into_iter().filter(|(name, _)| item.names.contains(*name));
                item.shared.extend(used.map(|(_, memory)| memory));
                return true;
            }
            _ if is_inside => match shared(line).zip(name_of(line.trim_start(), false)) {
                Some((memory, name)) => own.push((name, memory)),
                None => read_line(line, item),
            },
            _ if line.trim_end().ends_with(';') => return false,
            _ => head.push_str(line),
        }
    }
    false
}

/// Reads a line of a function's body that declares no shared memory.
fn read_line(line: &str, item: &mut Item) {
    if let Some((_, prototype)) = line.split_once(".callprototype") {
        item.call_types.insert(type_of(prototype));
    } else if line.trim_start().starts_with("call") {
        // The arguments of a call are registers and parameters, and the callee of an indirect call
        // is a register.
        item.callees.extend(words(line).map(str::to_owned));
    } else {
        item.names.extend(words(line).map(str::to_owned));
    }
}

/// Returns the type of a function that `head` declares: the types of its parameters, after the type
/// of its result.
fn type_of(head: &str) -> String {
    let clauses = head.split(['(', ',', ')']).map(str::trim);
    let parameters = clauses.filter(|clause| clause.starts_with(".param"));
    let types = parameters.map(|parameter| {
        let (words, length) = match parameter.split_once('[') {
            Some((words, length)) => (words, length),
            None => (parameter, ""),
        };
        // The last word is the name of the parameter.
        let words: Vec<&str> = words.split_whitespace().collect();
        format!("{} {length}", words[..words.len() - 1].join(" "))
    });
    types.collect::<Vec<_>>().join(", ")
}

/// Returns the name that the first line of a definition or declaration holds.
fn name_of(line: &str, is_function: bool) -> Option<&str> {
    if !line.starts_with('.') {
        return None;
    }
    if is_function {
        let (_, rest) = line.split_once(".func").or_else(|| line.split_once(".entry"))?;
        let rest = rest.trim_start();
        let rest = match rest.strip_prefix('(') {
            Some(result) => result.split_once(')')?.1,
            None => rest,
        };
        return words(rest).next();
    }
    [".global", ".const", ".shared"].iter().find(|space| line.contains(*space))?;
    let head = line.split(['=', '[', ';']).next()?;
    head.split_whitespace().next_back()
}

/// Returns size and alignment in bytes of the shared variable that a line declares. The size of
/// dynamic shared memory is 0.
fn shared(line: &str) -> Option<(u64, u64)> {
    let rest = line.trim_start();
    let (_, rest) = rest.starts_with('.').then(|| rest.split_once(".shared .align "))??;
    let (alignment, rest) = rest.split_once(' ')?;
    let alignment = alignment.parse().ok()?;
    let (kind, rest) = rest.split_once(' ')?;
    let element: u64 =
        kind.trim_start_matches(|character: char| !character.is_ascii_digit()).parse().ok()?;
    let count = match rest.split_once('[') {
        Some((_, count)) => count.split(']').next()?.parse().unwrap_or(0),
        None => 1,
    };
    Some((element / 8 * count, alignment))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_of_word =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '$');
    text.split(move |character| !is_of_word(character)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KERNELS: &str = "
.extern .shared .align 16 .b8 dyn[];
.extern .shared .align 8 .u32 fixed;
.weak .shared .align 4 .b8 twice[16];
.extern .func  (.param .b32 func_retval0) helper
(
)
;
.visible .global .align 8 .u64 table[1] = {local};
.visible .entry empty()
{
    ret;
}
.visible .entry direct(
    .param .u64 p
)
{
    .shared .align 4 .b8 own[32];
    .shared .align 4 .b8 unused[32];
    call.uni helper, ();
    st.shared.u32 [own], 2;
    st.shared.u32 [fixed], 2;
    st.shared.u32 [twice], 2;
}
.visible .entry names()
{
    mov.b64 %rd1, table;
}
.visible .entry through()
{
    prototype_0 : .callprototype ()_ (.param .b32 _);
    call %rd1, (param0), prototype_0;
}
.visible .entry another()
{
    prototype_0 : .callprototype ()_ (.param .b64 _);
    call %rd1, (param0), prototype_0;
}
.func local(
    .param .b32 local_param_0
)
{
    mov.b64 %rd1, dyn;
}
";
    const HELPER: &str = "
.extern .shared .align 1024 .b8 dyn[];
.weak .shared .align 4 .b8 twice[16];
.weak .shared .align 8 .u32 fixed;
.weak .func  (.param .b32 func_retval0) helper(
)
{
    st.shared.u32 [fixed], 1;
    st.shared.u32 [twice], 1;
}
";

    #[test]
    fn shared_memory_counts_where_a_kernel_can_reach_it() {
        let program = Program::read(&[KERNELS.to_owned(), HELPER.to_owned()]);
        let alive = program.alive(["empty", "direct", "through", "another", "names"].into_iter());
        let of = |name| {
            let SharedMemory { bytes, alignment } = program.reached_by(name, &alive);
            (bytes, alignment)
        };
        assert_eq!(of("empty"), (0, 0));
        assert_eq!(of("direct"), (1024 + 32 + 4 + 16, 8));
        assert_eq!(of("through"), (1024, 1024));
        assert_eq!([of("names"), of("another")], [(0, 0); 2]);
        let without_table = program.alive(["through"].into_iter());
        assert_eq!(program.reached_by("through", &without_table), SharedMemory::default());
    }
}
