//! Objects, archives and containers of device code that are damaged. Each is a real file, changed
//! in one place.

use object::{Object as _, ObjectSection as _};
use weft_tests::{ARCHITECTURE, Run, Workbench, tools};

use crate::messages::{ENVIRONMENT, INPUT, says, summarize, two_units};

const UNIT: &str = "
extern __device__ int callee(int);
__global__ void kernel(int *p) { *p = callee(*p); }
void launch(int *p) { kernel<<<1, 1>>>(p); }
";

/// Returns the number of a section of an ELF file, and the range of its bytes.
fn section(file: &[u8], name: &str) -> (usize, std::ops::Range<usize>) {
    let parsed = object::File::parse(file).unwrap();
    let section = parsed.section_by_name(name).unwrap();
    let (start, size) = section.file_range().unwrap();
    let start = usize::try_from(start).unwrap();
    (section.index().0, start..start + usize::try_from(size).unwrap())
}

/// Returns an ELF file with the section `name` behind its end.
pub(crate) fn outside(file: &[u8], name: &str) -> Vec<u8> {
    let headers = u64::from_le_bytes(file[40..48].try_into().unwrap());
    let (number, _) = section(file, name);
    // A header has 64 bytes, of which those from 24 on are the place in the file.
    let place = usize::try_from(headers).unwrap() + number * 64 + 24;
    let mut changed = file.to_vec();
    changed[place..place + 8].copy_from_slice(&0x7FFF_FFFF_u64.to_le_bytes());
    changed
}

/// Returns an ELF file with other bytes in the section `name`, from byte `at` on.
pub(crate) fn changed(file: &[u8], name: &str, at: usize, bytes: &[u8]) -> Vec<u8> {
    let (_, range) = section(file, name);
    let mut changed = file.to_vec();
    changed[range.start + at..range.start + at + bytes.len()].copy_from_slice(bytes);
    changed
}

fn refused(bench: &Workbench, cases: &[(Vec<u8>, &str)]) {
    for (content, message) in cases {
        bench.write("bad.o", content);
        says(&summarize(bench, "bad.o"), INPUT, message);
    }
}

#[test]
fn a_program_in_place_of_an_object() {
    let bench = Workbench::new();
    let summarize = bench.weft("summarize").args(["--module-id", "m", "-o", "new", "/bin/true"]);
    says(&summarize, INPUT, "/bin/true: a linked file, expected a relocatable object");
}

#[test]
fn objects_of_clang() {
    let bench = Workbench::new();
    bench.write("unit.cu", UNIT);
    bench.compile("unit");
    let unit = bench.read("unit.o");
    let entries = "llvm_offload_entries";
    refused(
        &bench,
        &[
            (outside(&unit, ".llvm.offloading"), "bad.o: malformed object: "),
            (outside(&unit, entries), "bad.o: malformed object: "),
            (changed(&unit, entries, 8, &[9]), "bad.o: offload entry 0: its version is not 1"),
        ],
    );
}

#[test]
fn objects_of_nvcc() {
    let bench = Workbench::new();
    bench.write("unit.cu", UNIT);
    let nvcc = Run::new(tools().cuda("nvcc"), bench.path()).arg(format!("-arch={ARCHITECTURE}"));
    nvcc.args(["-dc", "unit.cu", "-o", "unit.o"]).succeed();
    let unit = bench.read("unit.o");
    // An entry follows the 16 bytes of a fat binary's header; its payload has its size at 8, and
    // follows the entry's header of 64 bytes or more.
    let fatbin = "__nv_relfatbin";
    let (_, range) = section(&unit, fatbin);
    let payload = 16 + usize::from(unit[range.start + 16 + 4]);
    refused(
        &bench,
        &[
            (
                changed(&unit, fatbin, 16 + 8, &[0xff; 4]),
                "bad.o: malformed fat binary at byte 16: a payload is out of bounds",
            ),
            (
                changed(&unit, fatbin, payload, &[0; 4]),
                "bad.o: malformed fat binary: an entry for sm_90 does not decompress",
            ),
            (changed(&unit, ".nvHRKE", 0, &[0xff]), "section .nvHRKE: a name that is no text"),
        ],
    );
}

#[test]
fn containers_without_an_object() {
    let bench = two_units();
    bench.write("k.ptx", ".version 8.8\n.target sm_90\n.address_size 64\n.func f()\n{\nret;\n}\n");
    bench.assemble("k").succeed();
    let offload = bench.read("a.offload");
    let message = "bad.o: malformed offload binary at byte 0: the end is out of bounds";
    refused(
        &bench,
        &[
            (outside(&bench.read("k.cubin"), ".symtab"), "bad.o: malformed cubin: "),
            (offload[..offload.len() - 1].to_vec(), message),
        ],
    );
}

#[test]
fn archives() {
    let bench = two_units();
    bench.llvm("llvm-ar").args(["rcS", "lib.a", "a.o", "b.o"]).succeed();
    bench.llvm("llvm-ar").args(["rcST", "thin.a", "a.o", "b.o"]).succeed();
    let archive = bench.read("lib.a");
    let mut named = archive.clone();
    // The first member's name follows the 8 bytes of the magic number.
    assert!(named[8..].starts_with(b"a.o/"));
    named[8] = 0xff;
    let message = "bad.o: malformed archive: the name of member 0 is not UTF-8";
    refused(&bench, &[(archive[..30].to_vec(), "bad.o: malformed archive: "), (named, message)]);
    bench.remove("b.o");
    let message = "thin.a: cannot read b.o, a member of the thin archive: No such file";
    says(&summarize(&bench, "thin.a"), ENVIRONMENT, message);
}
