//! Names of kernels as the source has them, the same for all compilers.

use std::collections::BTreeMap;

use dev_process::{Error, Process, Result};
use dev_toolchain::Toolchain;

/// Returns the names of kernels from their symbols, in the same order, without the parts that tell
/// local kernels of several units apart, without namespaces and without parameters:
/// `fold<Response>`.
pub fn short_names(toolchain: &Toolchain, symbols: &[&str]) -> Result<Vec<String>> {
    Ok(demangled(toolchain, symbols)?.iter().map(|name| short_name(name)).collect())
}

/// Returns the short and whole names of kernels, any of which an image may use.
pub fn all_names(toolchain: &Toolchain, symbols: &[&str]) -> Result<Vec<String>> {
    let whole = demangled(toolchain, symbols)?;
    Ok(whole.iter().map(|name| short_name(name)).chain(whole.iter().cloned()).collect())
}

/// Returns [`short_names`], with whole names and parameters for kernels whose short names are
/// equal, and with numbers, from the second kernel on, where the whole names are equal, too.
///
/// Local kernels of several units can have one whole name. Symbols do not tell which of them is
/// which in the image of another compiler, so these are compared in the order of their symbols.
pub(super) fn distinct_names(toolchain: &Toolchain, symbols: &[&str]) -> Result<Vec<String>> {
    Ok(distinct(&demangled(toolchain, symbols)?))
}

fn distinct(demangled: &[String]) -> Vec<String> {
    let short: Vec<String> = demangled.iter().map(|name| short_name(name)).collect();
    let mut with_short_name = BTreeMap::new();
    for name in &short {
        *with_short_name.entry(name).or_insert(0_usize) += 1;
    }
    let mut with_whole_name = BTreeMap::new();
    let names = demangled.iter().zip(&short).map(|(whole, short)| {
        if with_short_name[short] == 1 {
            return short.clone();
        }
        let number = with_whole_name.entry(whole).or_insert(0_usize);
        *number += 1;
        if *number == 1 { whole.clone() } else { format!("{whole} #{number}") }
    });
    names.collect()
}

fn demangled(toolchain: &Toolchain, symbols: &[&str]) -> Result<Vec<String>> {
    if symbols.is_empty() {
        return Ok(Vec::new());
    }
    let mangled = symbols.iter().map(|symbol| source_symbol(symbol));
    let output = Process::new(&toolchain.cxxfilt).args(mangled).quietly().capture()?;
    let names: Vec<String> = output.lines().map(str::to_owned).collect();
    if names.len() == symbols.len() {
        return Ok(names);
    }
    let message = format!("c++filt answered {} symbols of {}", names.len(), symbols.len());
    Err(Error::new(message))
}

/// Removes the part of a symbol that tells local kernels of several units apart: nvcc puts
/// `__nv_static_N__UNIT_` before the name, clang `__intern__HASH` or `__static__HASH` behind it.
fn source_symbol(symbol: &str) -> &str {
    let start = match symbol.strip_prefix("__nv_static_") {
        Some(_) => symbol.find("__Z").map_or(0, |at| at + 1),
        None => 0,
    };
    let added = ["__intern__", "__static__"].iter().filter_map(|mark| symbol.rfind(mark)).min();
    &symbol[start..added.unwrap_or(symbol.len())]
}

/// Removes result, namespaces and parameters: `void a::f<a::T>(int)` becomes `f<T>`.
fn short_name(demangled: &str) -> String {
    let named = demangled.replace("(anonymous namespace)::", "");
    let parameters = outside_of_brackets(&named, '(').next().unwrap_or(named.len());
    let result = outside_of_brackets(&named[..parameters], ' ').last().map_or(0, |at| at + 1);
    let mut name = String::new();
    let mut rest = &named[result..parameters];
    while let Some((before, after)) = rest.split_once("::") {
        name.push_str(before);
        let qualifier = name.rfind(|c: char| !c.is_alphanumeric() && c != '_');
        name.truncate(qualifier.map_or(0, |at| at + 1));
        rest = after;
    }
    name + rest
}

/// Returns the positions of `wanted` outside of `<` and `>`.
fn outside_of_brackets(text: &str, wanted: char) -> impl Iterator<Item = usize> {
    let mut depth = 0_u32;
    text.char_indices().filter_map(move |(at, c)| {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0 && c == wanted).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_result_namespaces_and_parameters() {
        for (demangled, short) in [
            ("a::tally(a::View, unsigned long long*)", "tally"),
            ("void a::fold<a::b::Fast>(a::View, unsigned long long*)", "fold<Fast>"),
            ("void fold<int, a::T, &(a::f(int))>(int)", "fold<int, T, &(f(int))>"),
            ("a::(anonymous namespace)::scale(int*)", "scale"),
            ("plain_c_kernel", "plain_c_kernel"),
        ] {
            assert_eq!(short_name(demangled), short);
        }
    }

    #[test]
    fn kernels_that_differ_in_parameters_keep_their_whole_names() {
        let whole = ["a::f(int)", "a::f(float)", "a::g(int)"].map(str::to_owned);
        assert_eq!(distinct(&whole), ["a::f(int)", "a::f(float)", "g"]);
    }

    #[test]
    fn local_kernels_of_one_name_in_several_units_are_numbered() {
        let whole = ["a::f(int)", "a::g(int)", "a::f(int)", "a::f(int)"].map(str::to_owned);
        assert_eq!(distinct(&whole), ["a::f(int)", "g", "a::f(int) #2", "a::f(int) #3"]);
    }

    #[test]
    fn symbols_lose_what_compilers_add_to_local_ones() {
        for (symbol, source) in [
            ("__nv_static_35__40f5c8c6_5_p_cu_564f2992__ZN1a5scaleEv", "_ZN1a5scaleEv"),
            (
                "_ZN1a12_GLOBAL__N_15scaleEv__intern__89ed254690b6ca2c",
                "_ZN1a12_GLOBAL__N_15scaleEv",
            ),
            ("_Z6kernelv", "_Z6kernelv"),
        ] {
            assert_eq!(source_symbol(symbol), source);
        }
    }
}
