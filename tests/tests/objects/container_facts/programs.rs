//! The entries that linked programs register, and the other facts that they state.

use weft_artifact::Guid;
use weft_container::{LinkedError, RegisteredEntry, linked_program};
use weft_tests::Workbench;

use crate::container_facts::assembly::{ENTRIES, entry, function, kernel, object, variable};

/// Fat binaries of five bytes, and the records of two registrations.
const FATBINS: &str = ".section .nv_fatbin,\"a\"\n.ascii \"bytes\"\n
.section .nvFatBinSegment,\"aw\"\n.quad 1, 0, 0, 2, 0, 0\n";

/// Objects of a program: one with the new layout of entries, one with the old one, and one with the
/// new one in the section of the old one.
fn objects() -> [Vec<u8>; 3] {
    let new = [
        ".section .rodata.names,\"a\"\n.globl names\nnames: .asciz \"first\"\n.asciz \"second\"\n",
        ".text\n",
        &function("_start", "call needed@PLT\ncall also_needed@PLT"),
        &function("stub", "ret"),
        ".bss\n.globl shadow\nshadow: .zero 8\n",
        &kernel("stub"),
        &entry("stub", ".Lname_stub", 0, 0),
        &variable("shadow"),
        &entry("stub", "names + 6", 0, 0),
        ".section llvm_offload_entries,\"aw\"\n.quad 0\n.short 1, 1\n.long 0\n.fill 5, 8, 0\n",
        FATBINS,
    ];
    let old = "
.section .rodata.names,\"a\"
.Lname: .asciz \"texture\"
.bss
.Lshadow: .zero 8
.section cuda_offloading_entries,\"aw\"
.quad .Lshadow, .Lname, 8
.long 3, 0
";
    let between = format!("{}{old}", entry("stub", "names", 0, 0))
        .replace("llvm_offload_entries", "cuda_offloading_entries");
    [object(&new.concat()), object(old), object(&between)]
}

fn registered(name: &str, is_kernel: bool) -> RegisteredEntry {
    RegisteredEntry { device_name: name.to_owned(), is_kernel }
}

/// Links the program with `options`, and returns the linked file.
fn link(options: &[&str]) -> (Workbench, Vec<u8>) {
    let bench = Workbench::new();
    for (name, content) in ["new.o", "old.o", "between.o"].into_iter().zip(objects()) {
        bench.write(name, content);
    }
    let all = ["new.o", "old.o", "between.o", "-o", "linked", "--unresolved-symbols=ignore-all"];
    bench.llvm("ld.lld").args(all).args(options.iter().copied()).succeed();
    let content = bench.read("linked");
    (bench, content)
}

#[test]
fn a_program_registers_its_entries_however_it_is_linked() {
    for options in [
        &["-no-pie"][..],
        &["-pie"],
        &["-pie", "-z", "pack-relative-relocs"],
        &["-pie", "--emit-relocs"],
        &["-no-pie", "--emit-relocs"],
        &["-shared"],
        &["-shared", "-s"],
    ] {
        let (bench, content) = link(options);
        let program = linked_program(&content).unwrap().unwrap();
        let expected = [
            registered("device_shadow", false),
            registered("device_stub", true),
            registered("first", true),
            registered("second", true),
            registered("texture", false),
        ];
        assert_eq!(program.entries, expected, "{options:?}");
        assert_eq!((program.fatbins, program.registrations), (&b"bytes"[..], 2), "{options:?}");
        let nm = ["-D", "-P", "--undefined-only", "linked"];
        let list = bench.llvm("llvm-nm").args(nm).outcome().stdout;
        let names = list.lines().filter_map(|line| line.split_whitespace().next());
        let mut needs: Vec<Guid> = names.map(Guid::of_global).collect();
        needs.sort_unstable();
        assert_eq!(program.needs, needs, "{options:?}");
        assert!(!options.contains(&"-shared") || needs.len() == 2, "{list}");
    }
}

#[test]
fn a_program_without_device_code_registers_nothing() {
    let bench = Workbench::new();
    bench.write("unit.o", object(&function("_start", "ret")));
    bench.llvm("ld.lld").args(["unit.o", "-o", "linked"]).succeed();
    let content = bench.read("linked");
    let program = linked_program(&content).unwrap().unwrap();
    assert!(program.entries.is_empty() && program.fatbins.is_empty() && program.needs.is_empty());
    assert_eq!(program.registrations, 0);
}

#[test]
fn other_files_are_no_programs() {
    assert_eq!(linked_program(&object(FATBINS)).unwrap(), None);
    assert_eq!(linked_program(b"!<arch>\n").unwrap(), None);
    assert_eq!(linked_program(b"\x7FELF\x01\x01").unwrap(), None);
    assert!(linked_program(b"\x7FELF\x02\x01").is_err());
    let (bench, mut content) = link(&["-no-pie"]);
    bench.llvm("llvm-objcopy").args(["--strip-sections", "linked", "bare"]).succeed();
    let bare = linked_program(&bench.read("bare")).map(drop);
    assert!(matches!(bare, Err(LinkedError::NoSections)));
    // The machine of a cubin has the number 190.
    content[18..20].copy_from_slice(&[190, 0]);
    assert_eq!(linked_program(&content).unwrap(), None);
}

#[test]
fn an_entry_without_a_name_is_an_error() {
    let message = |bad: &str| {
        let bench = Workbench::new();
        let text = format!("{}{}{bad}", function("_start", "ret"), kernel("_start"));
        bench.write("unit.o", object(&text));
        bench.llvm("ld.lld").args(["-no-pie", "unit.o", "-o", "linked"]).succeed();
        linked_program(&bench.read("linked")).map(drop).unwrap_err().to_string()
    };
    let at = "offload entry 1: ";
    let no_text = format!("{at}its name is no text");
    assert_eq!(message(&entry("_start", "0", 0, 0)), no_text);
    assert_eq!(message(&entry("_start", "0x7fffffff", 0, 0)), no_text);
    let empty = ".section .rodata.e,\"a\"\n.Le: .byte 0\n";
    assert_eq!(message(&format!("{empty}{}", entry("_start", ".Le", 0, 0))), no_text);
    let odd = ".section .rodata.e,\"a\"\n.Le: .byte 255, 0\n";
    assert_eq!(message(&format!("{odd}{}", entry("_start", ".Le", 0, 0))), no_text);
    assert_eq!(message(&format!("{ENTRIES}.byte 0\n")), format!("{at}it is truncated"));
}
