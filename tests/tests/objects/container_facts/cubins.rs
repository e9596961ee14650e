//! Kernels of cubins: their resources, code and costs, and the cubins' symbols.

use std::collections::BTreeMap;

use weft_container::{
    ExtensibleError, KernelResources, cubin_architecture, cubin_symbols, has_costly_functions,
    is_cubin, is_relocatable_cubin, kernel_code, kernel_costs, kernel_resources, relocatable,
};
use weft_tests::reference::build_tools;

use crate::container_facts::files::{CUBINS, built, cuda, section, section_header, symbol_field};

/// Offsets of the fields of a symbol.
const INFO: u64 = 4;
const VALUE: u64 = 8;
const SIZE: u64 = 16;

/// Symbol types of textures and samplers.
const TEXTURE: u8 = 10;
const SAMPLER: u8 = 11;

fn resources(cubin: &[u8]) -> BTreeMap<String, KernelResources> {
    let kernels = kernel_resources(cubin).unwrap();
    kernels.into_iter().map(|kernel| (kernel.name.clone(), kernel)).collect()
}

/// Returns the number in front of `unit` in a list of numbers with units.
fn number_of(text: &str, unit: &str) -> u64 {
    let part = text.split(',').map(str::trim).find_map(|part| part.strip_suffix(unit));
    part.and_then(|part| part.split_whitespace().next_back()?.parse().ok()).unwrap_or(0)
}

#[test]
fn the_resources_of_a_kernel_are_those_that_ptxas_prints() {
    for (name, said) in &built().kernels {
        let resources = resources(&built().bench.read(name));
        let lines: Vec<&str> = said.lines().collect();
        let global =
            number_of(lines.iter().find(|line| line.contains("gmem")).unwrap(), "bytes gmem");
        let mut kernels = 0;
        for (at, line) in lines.iter().enumerate() {
            let Some(rest) = line.strip_prefix("ptxas info    : Compiling entry function '") else {
                continue;
            };
            let kernel = &resources[rest.split('\'').next().unwrap()];
            let (frame, used) = (lines[at + 2], lines[at + 3]);
            assert_eq!(
                u64::from(kernel.stack_bytes),
                number_of(frame, "bytes stack frame"),
                "{line}"
            );
            assert_eq!(u64::from(kernel.barriers), number_of(used, "barriers"), "{line}");
            assert_eq!(kernel.shared_bytes, number_of(used, "bytes smem"), "{line}");
            assert_eq!(kernel.global_bytes, global, "{line}");
            let own = number_of(used, "registers");
            let has_costly_callees = matches!(&*kernel.name, "calling" | "dividing");
            if has_costly_callees && *name != "whole.cubin" {
                assert!(u64::from(kernel.registers) > own, "{line}");
            } else {
                assert_eq!(u64::from(kernel.registers), own, "{line}");
            }
            kernels += 1;
        }
        assert_eq!((kernels, resources.len()), (11, 11), "{said}");
        let bounds = resources.values().map(|kernel| (kernel.name == "shared", kernel.max_threads));
        let expected = |is_bounded: bool| is_bounded.then_some(96);
        assert!(bounds.clone().all(|(is_bounded, threads)| threads == expected(is_bounded)));
    }
}

/// Returns the resources that cuobjdump prints of each kernel, by their keys.
fn usage(cubin: &str) -> BTreeMap<String, BTreeMap<String, u64>> {
    let printed = cuda(&built().bench, "cuobjdump", &["-res-usage", cubin]);
    let lines: Vec<&str> = printed.lines().map(str::trim).collect();
    let values = |line: &str| -> BTreeMap<String, u64> {
        let pairs = line.split_whitespace().filter_map(|word| word.rsplit_once(':'));
        pairs.map(|(key, value)| (key.to_owned(), value.parse().unwrap())).collect()
    };
    let mut all = BTreeMap::new();
    for pair in lines.windows(2) {
        if let Some(function) = pair[0].strip_prefix("Function ") {
            all.insert(function.trim_end_matches(':').to_owned(), values(pair[1]));
        } else if pair[0] == "Common:" {
            all.insert(String::new(), values(pair[1]));
        }
    }
    all
}

#[test]
fn the_resources_in_a_linked_image_are_those_that_cuobjdump_prints() {
    let usage = usage("linked.cubin");
    let resources = resources(&built().bench.read("linked.cubin"));
    assert_eq!(resources.len(), 11);
    for (name, kernel) in &resources {
        let (own, common) = (&usage[name], &usage[""]);
        assert_eq!(u64::from(kernel.registers), own["REG"], "{name}");
        assert_eq!(kernel.shared_bytes, own["SHARED"], "{name}");
        let banks = own.iter().chain(common).filter_map(|(key, value)| {
            let bank = key.strip_prefix("CONSTANT[")?.strip_suffix(']')?;
            Some((bank.parse().unwrap(), *value))
        });
        assert_eq!(kernel.constant_bytes, banks.collect(), "{name}");
        assert_eq!(kernel.global_bytes, common["GLOBAL"], "{name}");
        assert_eq!((kernel.textures, kernel.surfaces, kernel.samplers), (0, 0, 0));
    }
    // The frame is the kernel's own, while cuobjdump prints what callees need as well.
    let stack = |name: &str| (u64::from(resources[name].stack_bytes), usage[name]["STACK"]);
    assert_eq!(stack("spilling"), (184, 184));
    assert_eq!(stack("outside"), (0, 64));
}

#[test]
fn textures_and_surfaces_are_counted_where_functions_name_them() {
    for name in ["images.cubin", "old.cubin"] {
        let resources = resources(&built().bench.read(name));
        let counts = |name: &str| {
            let kernel = &resources[name];
            (kernel.textures, kernel.surfaces, kernel.samplers, kernel.max_threads)
        };
        assert_eq!(counts("itself"), (1, 1, 0, None), "{name}");
        assert_eq!(counts("through"), (2, 0, 0, None), "{name}");
        assert_eq!(counts("neither"), (0, 0, 0, Some(64)), "{name}");
    }
    // A sampler is a symbol of another type.
    let mut cubin = built().bench.read("images.cubin");
    let info = symbol_field(&cubin, "one", INFO);
    cubin[info] += SAMPLER - TEXTURE;
    let resources = resources(&cubin);
    let counts = |name: &str| (resources[name].textures, resources[name].samplers);
    assert_eq!((counts("itself"), counts("through")), ((0, 1), (1, 1)));
}

#[test]
fn functions_are_costly_if_they_take_more_registers_than_a_kernel() {
    let is_costly = |name: &str| has_costly_functions(&built().bench.read(name)).unwrap();
    assert!(is_costly("sm_90.cubin") && is_costly("sm_80.cubin"));
    // Kernel and function take 24 registers each, as few as calls allow.
    assert!(!is_costly("images.cubin"));
    let list = cuda(&built().bench, "cuobjdump", &["-elf", "images.cubin"]);
    for function in ["sampled", "through"] {
        let is_count = |line: &&str| line.contains("register count") && line.contains(function);
        assert!(list.lines().find(is_count).unwrap().ends_with(": 24"), "{list}");
    }
}

#[test]
fn code_is_counted_as_the_disassembler_counts_it() {
    // The newest disassembler does not take the form of CUDA 12.
    for name in CUBINS.into_iter().filter(|name| *name != "old.cubin") {
        let cubin = built().bench.read(name);
        let sass = dev_sass::read(&build_tools().toolchain, &built().bench.file(name)).unwrap();
        let (costs, codes) = (kernel_costs(&cubin).unwrap(), kernel_code(&cubin).unwrap());
        let names: Vec<_> = costs.keys().collect();
        assert_eq!(names, sass.kernels.keys().collect::<Vec<_>>(), "{name}");
        assert_eq!(names, codes.keys().collect::<Vec<_>>(), "{name}");
        let symbols = built().bench.llvm("llvm-readelf").args(["-s", "-W", name]).succeed().stdout;
        for (kernel, counted) in &sass.kernels {
            let (cost, code) = (costs[kernel], &codes[kernel]);
            let what = format!("{kernel} of {name}");
            // The disassembler knows no callee behind a pointer, and assumes the most expensive
            // one.
            if kernel != "indirect" {
                assert_eq!(cost.cycles, counted.cycles, "{what}");
                assert_eq!(cost.instructions, counted.instructions, "{what}");
            }
            if counted.calls == 0 {
                assert_eq!(code.instructions, counted.instructions, "{what}");
                assert!(code.calls.is_empty() && cost.functions == 0, "{what}");
            }
            let line = symbols.lines().find(|line| line.ends_with(&format!(" {kernel}"))).unwrap();
            let size = line.split_whitespace().nth(2).unwrap();
            assert_eq!(code.code_bytes, size.parse::<u64>().unwrap(), "{what}");
            let calls_indirectly = kernel == "indirect";
            assert_eq!(code.calls_indirectly, calls_indirectly, "{what}");
            // Without a loop, each access counts once.
            if kernel == "spilling" {
                assert_eq!(cost.local, counted.local_accesses, "{what}");
                assert_eq!(cost.local, 52, "{what}");
            }
        }
    }
}

#[test]
fn callees_are_those_of_the_source() {
    let double = ["__cuda_sm20_dblrcp_rn_slowpath_v3", "__cuda_sm20_div_rn_f64_full"];
    for (name, functions_outside) in [("sm_90.cubin", 0), ("sm_80.cubin", 0), ("linked.cubin", 1)] {
        let cubin = built().bench.read(name);
        let (costs, codes) = (kernel_costs(&cubin).unwrap(), kernel_code(&cubin).unwrap());
        for (kernel, callees, functions) in [
            ("calling", &["leaf", "middle"][..], 2),
            ("recursive", &["factorial"], 1),
            ("outside", &["other"], functions_outside),
            // The functions of ptxas do not belong to the program.
            ("dividing", &double, 0),
            ("indirect", &[], 0),
            ("loops", &[], 0),
        ] {
            assert_eq!(codes[kernel].calls, callees, "{kernel} of {name}");
            assert_eq!(costs[kernel].functions, functions, "{kernel} of {name}");
        }
    }
    let whole = built().bench.read("whole.cubin");
    assert_eq!(kernel_costs(&whole).unwrap()["calling"].functions, 2);
}

#[test]
fn local_accesses_of_callees_count_at_each_call() {
    // Each call of `other` is in a loop, and the function has two accesses.
    let toolchain = &build_tools().toolchain;
    let sass = dev_sass::read(toolchain, &built().bench.file("linked.cubin")).unwrap();
    let calls = sass.kernels["outside"].calls;
    let costs = kernel_costs(&built().bench.read("linked.cubin")).unwrap();
    assert_eq!(
        (costs["outside"].local, sass.kernels["outside"].local_accesses),
        (2 * 8 * calls, 2)
    );
    let costs = kernel_costs(&built().bench.read("sm_90.cubin")).unwrap();
    assert_eq!(costs["outside"].local, 0);
    assert!(costs["calling"].local > 8 * 8 * 2);
}

#[test]
fn a_call_through_a_pointer_shows_in_the_code_or_in_the_list_of_calls() {
    let cubin = built().bench.read("sm_90.cubin");
    let is_indirect = |cubin: &[u8]| {
        let codes = kernel_code(cubin).unwrap();
        (codes["indirect"].calls_indirectly, codes["calling"].calls_indirectly)
    };
    let graph = section(&cubin, ".nv.callgraph");
    let mut without_list = cubin.clone();
    // A mark that nobody knows takes the place of -3, which begins the list.
    for pair in without_list[graph].chunks_exact_mut(8) {
        if pair[4..] == (-3_i32).to_le_bytes() {
            pair[4..].copy_from_slice(&(-9_i32).to_le_bytes());
        }
    }
    assert_ne!(without_list, cubin);
    assert_eq!((is_indirect(&cubin), is_indirect(&without_list)), ((true, false), (true, false)));
    let mut without_code = cubin.clone();
    let text = section(&cubin, ".text.indirect");
    without_code[text].fill(0);
    assert_eq!(is_indirect(&without_code), (true, false));
}

#[test]
fn the_symbols_of_a_cubin_are_those_of_nm() {
    for name in CUBINS {
        let symbols = cubin_symbols(&built().bench.read(name)).unwrap();
        let list = built().bench.llvm("llvm-readelf").args(["-s", "-W", name]).succeed().stdout;
        let (mut defines, mut needs) = (Vec::new(), Vec::new());
        for line in list.lines() {
            let words: Vec<_> = line.split_whitespace().collect();
            let [_, _, _, .., section, symbol] = words[..] else { continue };
            if !words.contains(&"GLOBAL") && !words.contains(&"WEAK") {
                continue;
            }
            let symbol = symbol.to_owned();
            if section != "UND" {
                defines.push(symbol);
            } else if ![".nv.", "__UFT", "__UDT"].iter().any(|own| symbol.starts_with(own)) {
                needs.push(symbol);
            }
        }
        defines.sort();
        needs.sort();
        assert_eq!((symbols.defines, symbols.needs), (defines, needs), "{name}");
    }
    let symbols = cubin_symbols(&built().bench.read("sm_90.cubin")).unwrap();
    assert_eq!(symbols.needs, ["dynamic", "elsewhere", "other", "unsized"]);
}

#[test]
fn dynamic_shared_memory_is_an_unsized_variable_with_an_alignment() {
    let cubin = built().bench.read("sm_90.cubin");
    let shared = |cubin: &[u8]| {
        let shared = cubin_symbols(cubin).unwrap().dynamic_shared.into_iter();
        let texts: Vec<_> = shared.map(|(name, alignment)| format!("{name} {alignment}")).collect();
        texts.join(", ")
    };
    assert_eq!(shared(&cubin), "dynamic 16");
    let changed = |symbol: &str, field: u64| {
        let mut changed = cubin.clone();
        let place = symbol_field(&cubin, symbol, field);
        changed[place] = 4;
        shared(&changed)
    };
    assert_eq!(changed("dynamic", VALUE), "dynamic 4");
    assert_eq!(changed("dynamic", SIZE), "");
    // A function is not a variable, and a sized variable does not have dynamic size.
    assert_eq!(changed("other", VALUE), "dynamic 16");
    assert_eq!(changed("elsewhere", VALUE), "dynamic 16");
    assert_eq!(changed("unsized", VALUE), "dynamic 16, unsized 4");
}

#[test]
fn a_cubin_states_its_architecture_and_its_type() {
    for name in CUBINS {
        let cubin = built().bench.read(name);
        let expected = if name == "sm_80.cubin" { "sm_80" } else { "sm_90" };
        assert_eq!(cubin_architecture(&cubin).unwrap(), expected, "{name}");
        assert!(is_cubin(&cubin), "{name}");
        let is_linked = matches!(name, "linked.cubin" | "whole.cubin");
        assert_eq!(is_relocatable_cubin(&cubin), !is_linked, "{name}");
    }
    // CUDA 12 writes another version of the ABI, which has the architecture elsewhere.
    let versions = ["images.cubin", "old.cubin"].map(|name| built().bench.read(name)[8]);
    assert_eq!(versions, [8, 7]);
    let mut host = built().bench.read("sm_90.cubin");
    host[18] = 62;
    assert!(!is_cubin(&host) && !is_relocatable_cubin(&host));
    assert!(!is_cubin(b"\x7FELF\x02\x01") && !is_cubin(b""));
    assert_eq!(cubin_architecture(&[0; 51]), None);
}

#[test]
fn a_whole_program_becomes_relocatable_without_constants_of_its_own() {
    let whole = built().bench.read("whole.cubin");
    let constants = section(&whole, ".nv.constant3");
    assert_eq!(constants.len(), 20);
    let refused = relocatable(whole.clone()).unwrap_err();
    assert_eq!(refused, ExtensibleError::SharedConstants(".nv.constant3".to_owned()));
    // A section without content does not matter.
    let header = section_header(&whole, ".nv.constant3");
    let mut empty = whole.clone();
    empty[header + 32] = 0;
    let made = relocatable(empty.clone()).unwrap();
    empty[16..18].copy_from_slice(&[1, 0]);
    assert!(is_relocatable_cubin(&made) && made == empty);
    for other in ["sm_90.cubin", "linked.cubin"] {
        let refused = relocatable(built().bench.read(other));
        assert_eq!(refused, Err(ExtensibleError::OtherType), "{other}");
    }
    let mut host = whole;
    host[18] = 62;
    assert_eq!(relocatable(host), Err(ExtensibleError::OtherType));
}
