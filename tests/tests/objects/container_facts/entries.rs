//! The offload entries of host objects, nvcc's tables, and the symbols for the host linker.

use weft_artifact::{Guid, HostEntryKind, LinkSymbols, NamedKind};
use weft_container::{HostFactsError, host_facts};
use weft_tests::Workbench;

use crate::container_facts::assembly::{ENTRIES, entry, facts, function, kernel, object, refused};

/// A symbol for each entry, and names that lie at various places of their section. The local symbol
/// `own` is not the first at its offset.
const SYMBOLS: &str = "
.globl stub, shadow
.section .rodata.names,\"a\"
.ascii \"fir\"
elsewhere_at_three: .asciz \"st\"
.Lsecond: .asciz \"second\"
.Llast: .asciz \"last\"
.globl names
names: .ascii \"xx\"
.asciz \"behind\"
.text
earlier: .byte 0
stub: .byte 1, 2
own: .byte 3
.data
.quad 0
shadow: .quad 0
";

fn entries(text: &str) -> Vec<(String, HostEntryKind, u64, bool)> {
    let facts = facts(&format!("{SYMBOLS}\n.text\n{text}"));
    let entries = facts.entries.into_iter();
    entries
        .map(|entry| {
            let local = entry.host_symbol_is_local;
            (entry.device_name, entry.kind, entry.host_symbol.0, local)
        })
        .collect()
}

#[test]
fn entries_tie_host_symbols_to_device_names() {
    let [stub, shadow, own] = ["stub", "shadow", "own"].map(|name| Guid::of_global(name).0);
    let text = [
        entry("stub", ".Lsecond", 0, 0),
        entry("shadow", "names + 2", 0, 4),
        entry("own", ".Llast", 0, 0),
    ];
    let expected = [
        ("behind".to_owned(), HostEntryKind::Variable, shadow, false),
        ("last".to_owned(), HostEntryKind::Kernel, own, true),
        ("second".to_owned(), HostEntryKind::Kernel, stub, false),
    ];
    assert_eq!(entries(&text.concat()), expected);
    // Another language's entry may lack all that CUDA's has.
    let other = format!("{ENTRIES}.quad 0\n.short 1, 1\n.long 0\n.fill 5, 8, 0\n");
    assert_eq!(entries(&format!("{other}{}", text[2])), expected[1..2]);
    // The layout of clang before 20: address, name, size, flags, data.
    let old = ".section cuda_offloading_entries,\"aw\"\n.quad stub, .Lsecond, 0\n.long 0, 0\n\
               .quad shadow, .Llast, 4\n.long 1, 0\n";
    let expected = [
        ("last".to_owned(), HostEntryKind::Variable, shadow, false),
        ("second".to_owned(), HostEntryKind::Kernel, stub, false),
    ];
    assert_eq!(entries(old), expected);
    // clang 20 leaves the later layout in the same section, which a linker may have joined.
    let both = format!("{old}{}{old}", in_early_section(&text[0]));
    assert_eq!(entries(&both), expected);
    let alone = in_early_section(&text.concat());
    assert_eq!(entries(&alone), entries(&text.concat()));
}

/// Returns a text with entries as clang 20 writes them.
fn in_early_section(text: &str) -> String {
    text.replace("llvm_offload_entries", "cuda_offloading_entries")
}

#[test]
fn a_host_symbol_has_an_entry_for_each_of_its_names() {
    let aliases = ".globl other\n.set other, stub\n.weak third\n.set third, other\n\
                   .symver stub, versioned@@V1\n.set hidden, stub\n";
    let all = entries(&format!("{aliases}{}", entry("stub", ".Lsecond", 0, 0)));
    let mut expected: Vec<_> = ["stub", "other", "third", "versioned", "hidden"]
        .map(|name| (Guid::of_global(name).0, name == "hidden"))
        .into();
    expected.sort_unstable();
    let found: Vec<_> = all.iter().map(|(.., guid, local)| (*guid, *local)).collect();
    assert_eq!(found, expected);
    assert!(all.iter().all(|(name, ..)| name == "second"));
    // A name at another place is not counted, and neither is one that marks code in objects for
    // Arm.
    let apart = ".globl apart\n.set apart, earlier\n.set $x, stub\n";
    assert_eq!(entries(&format!("{apart}{}", entry("stub", ".Lsecond", 0, 0))).len(), 1);
}

#[test]
fn size_and_flags_state_the_kind_of_an_entry() {
    for (flags, size, kind) in [
        (0, 0, HostEntryKind::Kernel),
        (8, 0, HostEntryKind::Kernel),
        (0, 1, HostEntryKind::Variable),
        (0, 1 << 32, HostEntryKind::Variable),
        (1, 0, HostEntryKind::Variable),
        (1, 8, HostEntryKind::Variable),
        (9, 8, HostEntryKind::Variable),
        (2, 0, HostEntryKind::Other),
        (3, 4, HostEntryKind::Other),
        (7, 0, HostEntryKind::Other),
    ] {
        let found = entries(&entry("shadow", ".Llast", flags, size));
        assert_eq!(found[0].1, kind, "flags {flags}, size {size}");
    }
}

#[test]
fn an_entry_that_cannot_be_read_is_named() {
    let good = entry("stub", ".Llast", 0, 0);
    let version = "its version is not 1: the object is of a clang after 22";
    for (bad, fault) in [
        (format!("{ENTRIES}.fill 55, 1, 0\n"), "it is truncated"),
        (format!("{good}{ENTRIES}.byte 0\n"), "it is truncated"),
        (format!("{ENTRIES}.fill 7, 8, 0\n"), version),
        (entry("0", ".Llast", 0, 0), "it has no address"),
        (entry("stub", "0", 0, 0), "it has no name"),
        (entry(".text + 2", ".Llast", 0, 0), "its address names no symbol"),
        (entry("stub", "elsewhere", 0, 0), "its name is no text"),
        (entry("stub", ".Llast + 100", 0, 0), "its name is no text"),
        (format!(".data\nopen: .byte 65\n{}", entry("stub", "open", 0, 0)), "its name is no text"),
        (
            format!(".data\nodd: .byte 255, 0\n{}", entry("stub", "odd", 0, 0)),
            "its name is no text",
        ),
    ] {
        let position = u32::from(bad.starts_with(&good));
        let message = refused(&format!("{SYMBOLS}\n.text\n{bad}"));
        assert_eq!(message, format!("offload entry {position}: {fault}"));
    }
    let good = entry("stub", ".Llast", 0, 0);
    let message = refused(&format!("{SYMBOLS}\n{good}{good}{}", entry("stub", "0", 0, 0)));
    assert_eq!(message, "offload entry 2: it has no name");
}

#[test]
fn the_tables_of_nvcc_are_lists_of_names() {
    let table = |name: &str, content: &str| {
        format!(".section {name},\"a\",@progbits\n.ascii \"{content}\"\n")
    };
    let all = [
        table(".nvHRKE", "_Z1k*\\0_Z1a*\\0_Z1k*\\0"),
        table(".nvHRKI", "__nv_static_k\\0"),
        table(".nvHRCE", "c\\0"),
        table(".nvHRCI", "__nv_static_c\\0"),
        table(".nvHRDE", "\\0"),
        table(".nvHRDI", "__nv_static_d"),
        table(".nvHRXX", "no"),
    ];
    let named = facts(&all.concat()).named;
    let found: Vec<_> =
        named.iter().map(|named| (named.kind, named.internal, named.pattern.as_str())).collect();
    let expected = [
        (NamedKind::Kernel, false, "_Z1a*"),
        (NamedKind::Kernel, false, "_Z1k*"),
        (NamedKind::Kernel, true, "__nv_static_k"),
        (NamedKind::Constant, false, "c"),
        (NamedKind::Constant, true, "__nv_static_c"),
        (NamedKind::Variable, true, "__nv_static_d"),
    ];
    assert_eq!(found, expected);
    let message = refused(&table(".nvHRDE", "d\\0\\377\\0"));
    assert_eq!(message, "section .nvHRDE: a name that is no text");
}

#[test]
fn the_linker_s_symbols_are_those_of_nm() {
    let text = format!(
        "{}.text\n.weak w\nw: call needed\n.weak unsure\n.quad unsure, own\nown: .byte 0\n\
         .comm tentative, 8, 8\n.lcomm unseen, 8\n.data\n.globl d\nd: .quad kept\n.hidden kept\n",
        function("f", "ret")
    );
    let bench = Workbench::new();
    bench.write("unit.o", object(&text));
    let list = bench.llvm("llvm-nm").args(["-g", "-P", "unit.o"]).succeed().stdout;
    let (mut defines, mut needs) = (Vec::new(), Vec::new());
    for line in list.lines() {
        let mut words = line.split_whitespace();
        let (name, kind) = (words.next().unwrap(), words.next().unwrap());
        if matches!(kind, "U" | "w" | "v" | "C") {
            needs.push(LinkSymbols::number(name));
        }
        if !matches!(kind, "U" | "w" | "v") {
            defines.push(LinkSymbols::number(name));
        }
    }
    assert_eq!((defines.len(), needs.len()), (4, 4), "{list}");
    defines.sort_unstable();
    needs.sort_unstable();
    assert_eq!(facts(&text).link, LinkSymbols { defines, needs });
}

#[test]
fn objects_that_wait_for_their_compilation_are_unknown() {
    let slim = ".section .gnu.lto_.lto.1,\"\",@progbits\n.byte 1, 0, 0, 0, 1, 0\n";
    let fat = ".section .gnu.lto_.lto.1,\"\",@progbits\n.byte 1, 0, 0, 0, 0, 1\n";
    let bodies = ".section .gnu.lto_main.1,\"\",@progbits\n.byte 1\n";
    let code = ".text\nret\n";
    let common = ".comm __gnu_lto_slim, 1, 1\n";
    let note = ".section .note.x,\"a\",@note\n.long 0, 0, 0\n";
    for (text, is_unfinished) in [
        (String::new(), false),
        (common.to_owned(), false),
        (code.to_owned(), false),
        (slim.to_owned(), true),
        (format!("{slim}{code}"), true),
        (format!("{fat}{code}"), false),
        (fat.to_owned(), false),
        (format!("{fat}{common}{code}"), true),
        (format!("{slim}.section .gnu.lto_.lto.2,\"\",@progbits\n.fill 6, 1, 0\n{code}"), true),
        (format!("{fat}.section .gnu.lto_.lto.2,\"\",@progbits\n.fill 6, 1, 1\n{code}"), true),
        (bodies.to_owned(), true),
        (format!("{bodies}{note}"), true),
        (format!("{bodies}{code}"), false),
        (format!("{bodies}.data\n.byte 1\n"), false),
        (format!("{bodies}.bss\n.zero 1\n"), false),
        (format!("{bodies}.section .rodata,\"a\"\n.byte 1\n"), false),
        (format!("{bodies}.section .rodata.s,\"aMS\",@progbits,1\n.asciz \"a\"\n"), false),
        (format!("{bodies}.section .tdata,\"awT\",@progbits\n.byte 1\n"), false),
        (format!("{bodies}.section .tbss,\"awT\",@nobits\n.zero 1\n"), false),
        (format!("{bodies}.section .gnu.lto_.lto.1,\"\",@progbits\n.byte 1, 0, 0, 0\n"), false),
    ] {
        let facts = host_facts(&object(&text)).unwrap();
        assert_eq!(facts.is_none(), is_unfinished, "{text}");
    }
}

#[test]
fn files_without_host_code_to_link_have_no_facts() {
    let bench = Workbench::new();
    let code = object(&format!("{}{}", function("_start", "ret"), kernel("_start")));
    assert_eq!(host_facts(&code).unwrap().unwrap().entries.len(), 1);
    bench.write("unit.o", &code);
    bench.llvm("ld.lld").args(["unit.o", "-o", "linked"]).succeed();
    let linked = host_facts(&bench.read("linked"));
    assert!(matches!(linked, Err(HostFactsError::Linked)));
    assert_eq!(host_facts(b"!<arch>\n").unwrap(), None);
    assert!(host_facts(b"\x7FELF\x02\x01").is_err());
    // The machine of a cubin has the number 190.
    let mut cubin = code;
    cubin[18..20].copy_from_slice(&[190, 0]);
    assert_eq!(host_facts(&cubin).unwrap(), None);
}
