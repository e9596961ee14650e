//! Finds the kernel over which ptxas failed.
//!
//! ptxas names a position in the PTX, or a function, or nothing at all if it crashes, because it
//! writes its messages at its end. With only one kernel in the PTX there is no doubt.

/// Returns the function of `ptx` that ptxas's `messages` are about, if that can be known.
pub(crate) fn blamed_function(ptx: &str, messages: &str) -> Option<String> {
    let mut says_why = false;
    for error in messages.lines().filter(|line| is_error(line)) {
        says_why = true;
        if let Some(name) = quoted_function(error) {
            return Some(name.to_owned());
        }
        if let Some(line) = line_number(error) {
            return function_around(ptx, line).map(str::to_owned);
        }
    }
    if says_why {
        return None;
    }
    let started = messages.lines().filter(|line| line.contains("Compiling entry function"));
    let last = started.filter_map(quoted_function).next_back().map(str::to_owned);
    last.or_else(|| only_kernel(ptx).map(str::to_owned))
}

fn is_error(line: &str) -> bool {
    line.starts_with("ptxas") && (line.contains(" error ") || line.contains(" fatal "))
}

/// Returns the name in `… function 'NAME' …`, where ptxas writes the `f` in both cases.
fn quoted_function(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once("unction '")?;
    rest.split_once('\'').map(|(name, _)| name)
}

/// Returns the number in `ptxas FILE, line NUMBER; …`.
fn line_number(message: &str) -> Option<usize> {
    let (_, rest) = message.split_once(", line ")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Returns the function around `line`, which is counted from 1.
fn function_around(ptx: &str, line: usize) -> Option<&str> {
    let mut current = None;
    for (number, text) in (1..).zip(ptx.lines()) {
        if let Some(name) = declared_name(text) {
            current = Some(name);
        }
        if number >= line {
            return current;
        }
        if text.starts_with('}') {
            current = None;
        }
    }
    None
}

fn only_kernel(ptx: &str) -> Option<&str> {
    let mut kernels = ptx.lines().filter(|line| line.contains(".entry ")).filter_map(declared_name);
    kernels.next().filter(|_| kernels.next().is_none())
}

/// Returns the name that a line such as `.visible .entry NAME(` or `.func (.param .b32 r) NAME(`
/// declares.
fn declared_name(line: &str) -> Option<&str> {
    let line = line.trim_start();
    if !line.starts_with('.') {
        return None;
    }
    let rest = line.split_once(".entry ").or_else(|| line.split_once(".func "))?.1.trim_start();
    let rest = match rest.strip_prefix('(') {
        Some(result) => result.split_once(')')?.1.trim_start(),
        None => rest,
    };
    rest.split(|c: char| !c.is_ascii_alphanumeric() && !"_$%".contains(c))
        .next()
        .filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = "\
.version 8.8
.visible .func  (.param .b32 r) helper(.param .b32 x)
{
\tret;
}
\t// .globl one
.visible .entry one(
\t.param .u64 one_param_0
)
{
\tnonsense;
}
.visible .entry two()
{
}
";

    #[test]
    fn the_function_around_a_line_is_blamed() {
        let blamed = |line: usize| {
            let message = format!("ptxas module.ptx, line {line}; error   : Unknown symbol 'x'");
            blamed_function(PTX, &message)
        };
        assert_eq!(blamed(4).as_deref(), Some("helper"));
        assert_eq!(blamed(11).as_deref(), Some("one"));
        assert_eq!(blamed(6), None);
        assert_eq!(blamed(1), None);
    }

    #[test]
    fn a_function_that_the_messages_name_is_blamed() {
        let error = "ptxas error   : Entry function 'two' uses too much shared data (0x1 bytes)";
        assert_eq!(blamed_function(PTX, error).as_deref(), Some("two"));
        let killed = "ptxas info    : Compiling entry function 'one' for 'sm_90'\n";
        assert_eq!(blamed_function(PTX, killed).as_deref(), Some("one"));
    }

    #[test]
    fn without_a_word_only_a_single_kernel_is_blamed() {
        assert_eq!(blamed_function(PTX, ""), None);
        let single = PTX.replace(".entry two", ".func two");
        assert_eq!(blamed_function(&single, "").as_deref(), Some("one"));
        let reason = "ptxas fatal   : Value 'sm_1' is not defined for option 'gpu-name'";
        assert_eq!(blamed_function(&single, reason), None);
    }
}
