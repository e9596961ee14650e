//! Variables that a program only reads, according to nvcc's PTX.
//!
//! Each job of nvcc's LTO IR may have a copy of such a variable, as nothing can tell copies apart.

use std::collections::BTreeSet;

/// Returns the variables in PTX that nothing writes and whose addresses do not escape.
pub(super) fn only_read(texts: &[String]) -> BTreeSet<String> {
    let mut variables = BTreeSet::new();
    let mut others = BTreeSet::new();
    let mut body = Vec::new();
    for line in texts.iter().flat_map(|text| text.lines()) {
        match line {
            "}" => others.extend(written(&std::mem::take(&mut body))),
            _ if is_variable(line) => {
                let (head, value) = line.split_once(" = ").unwrap_or((line, ""));
                let name =
                    head.split(['[', ';']).next().and_then(|head| head.split(' ').next_back());
                variables.extend(name.map(str::to_owned));
                others.extend(words(value).map(str::to_owned));
            }
            _ => body.push(line.trim_start()),
        }
    }
    variables.difference(&others).cloned().collect()
}

fn is_variable(line: &str) -> bool {
    line.starts_with('.')
        && line.split(' ').take(2).any(|word| word == ".global" || word == ".const")
}

/// Returns the names and registers that the instructions of a body write through or let escape,
/// with all sources of those registers.
fn written(body: &[&str]) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = BTreeSet::new();
    loop {
        let before = found.len();
        for line in body {
            let line = line.split_once("//").map_or(*line, |(code, _)| code);
            // A predicate precedes the instruction.
            let line = line
                .strip_prefix('@')
                .and_then(|rest| rest.split_once(' '))
                .map_or(line, |(_, rest)| rest);
            let (operation, operands) = line.split_once([' ', '\t']).unwrap_or((line, ""));
            if operation.starts_with("ld.") || operation.starts_with('.') {
                continue;
            }
            let hands_on = ["st.", "atom.", "red.", "call", "cp."];
            let is_sink = hands_on.iter().any(|start| operation.starts_with(start))
                || !operation.ends_with(|c: char| c.is_ascii_digit());
            let mut of_line = words(operands);
            let target = of_line.next();
            if is_sink {
                found.extend(words(operands).map(str::to_owned));
            } else if target.is_some_and(|target| found.contains(target)) {
                found.extend(of_line.map(str::to_owned));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%');
    text.split(move |c| !is_of_word(c)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_with_an_address_or_a_new_value_have_an_identity() {
        let one = "\
.global .align 4 .u32 read = 6;
.visible .global .align 4 .u32 written;
.const .align 4 .b8 table[8] = {1, 2};
.global .align 8 .u64 at[1] = {pointed};
.global .align 4 .u32 pointed;
.global .align 4 .b8 kept[8];
.global .align 4 .b8 filled[8];
.visible .entry k()
{
\tld.global.u32 %r1, [read];
\tld.global.u32 %r1, [written];
\tmov.u64 %rd1, at;
\tmov.u64 %rd5, table;
\tadd.s64 %rd6, %rd5, %rd2;
\tld.const.u32 %r2, [%rd6+4];
\tmov.u64 %rd3, kept;
\tcvta.global.u64 %rd4, %rd3;
\tst.param.b64 [param0+0], %rd4;
\tmov.u64 %rd7, filled;
\tadd.s64 %rd8, %rd7, %rd2;
\t@%p1 st.global.u32 [%rd8], %r2;
}
";
        let other = ".extern .global .align 4 .u32 written;\n.func f()\n\
                     {\nst.global.u32 [written], %r1;\n}\n";
        let texts = [one, other].map(str::to_owned);
        assert_eq!(only_read(&texts), ["at", "read", "table"].map(str::to_owned).into());
    }
}
