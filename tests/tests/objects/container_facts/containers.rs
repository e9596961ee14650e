//! Files with device code in containers: host objects, fat binaries, offload binaries, archives.

use std::collections::BTreeSet;
use std::fs;
use std::sync::LazyLock;

use weft_artifact::{OpaqueImage, OpaqueKind};
use weft_container::{
    Compression, DeviceCode, DeviceCodeError, DeviceImage, FatbinKind, ImageKind, LtoIrUse,
    RegisteredEntry, archive_members, check_object, device_code, device_images,
    embedded_architectures, embedded_modules, fatbin_entries, is_archive, offload_images,
    offloaded_architectures,
};
use weft_tests::Workbench;

use crate::container_facts::assembly::object;
use crate::container_facts::files::{built, cuda, section_header};

/// PTX with a kernel and a variable for others, and with local ones. It has no spaces in a row,
/// which fatbinary would drop.
const PTX: &str = ".version 8.5\n.target sm_90a\n.address_size 64
.visible .global .align 4 .u32 seen;\n.global .align 4 .u32 own;
.visible .entry kernel(.param .u64 p) { .reg .u64 %rd<2>; .reg .u32 %r<2>;
ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [seen]; st.global.u32 [own], %r1; ret; }
.entry local() { ret; }\n";
/// Fat binaries by fatbinary's options for them, with the compression that they ask for.
const COMPRESSED: [(&str, &str, Compression); 3] = [
    ("none", "--compress=false", Compression::None),
    ("speed", "--compress-all", Compression::Lz4),
    ("size", "--compress-all", Compression::Zstandard),
];

/// Returns a folder with the PTX, its cubin, fat binaries of both, and an offload binary.
fn packed() -> &'static Workbench {
    static PACKED: LazyLock<Workbench> = LazyLock::new(|| {
        let bench = Workbench::new();
        bench.write("unit.ptx", PTX);
        // The packager takes the kind of an image from the end of its name.
        bench.write("unit.s", PTX);
        bench.write("unknown.o", "device code");
        cuda(&bench, "ptxas", &["-arch=sm_90a", "-c", "unit.ptx", "-o", "unit.cubin"]);
        for (mode, option, _) in COMPRESSED {
            let images = [
                "--image3=kind=elf,sm=90a,file=unit.cubin".to_owned(),
                "--image3=kind=ptx,sm=90a,file=unit.ptx".to_owned(),
                format!("--compress-mode={mode}"),
                format!("--create={mode}.fatbin"),
            ];
            let images: Vec<_> = images.iter().map(String::as_str).collect();
            cuda(&bench, "fatbinary", &[&["-64", option], &images[..]].concat());
        }
        bench.write("a.ll", "target triple = \"nvptx64-nvidia-cuda\"\n@a = global i32 1\n");
        bench.write("b.ll", "target triple = \"nvptx64-nvidia-cuda\"\n@b = global i32 2\n");
        bench.assemble_ir("a");
        bench.assemble_ir("b");
        bench
    });
    &PACKED
}

/// Packs images, each given by its file, its triple and its architecture.
fn offload(images: &[(&str, &str, &str)]) -> Vec<u8> {
    let bench = Workbench::new();
    let images = images.iter().map(|(file, triple, architecture)| {
        let file = packed().file(file).display().to_string();
        format!("--image=file={file},triple={triple},arch={architecture},kind=cuda")
    });
    let packer = bench.llvm("clang-offload-packager").args(["-o", "packed.offload"]);
    packer.args(images).succeed();
    bench.read("packed.offload")
}

const CUDA: &str = "nvptx64-nvidia-cuda";
const AMD: &str = "amdgcn-amd-amdhsa";

/// Returns a host object with `content` in a section.
fn embedded(section: &str, content: &[u8]) -> Vec<u8> {
    let bytes: Vec<_> = content.iter().map(u8::to_string).collect();
    object(&format!(".section {section},\"a\",@progbits\n.byte {}\n", bytes.join(", ")))
}

fn image(kind: OpaqueKind, architecture: &str) -> OpaqueImage {
    let symbols = weft_artifact::OpaqueSymbols {
        defines: vec!["kernel".to_owned(), "seen".to_owned()],
        ..weft_artifact::OpaqueSymbols::default()
    };
    OpaqueImage {
        kind,
        architecture: architecture.to_owned(),
        virtual_architecture: Some(90),
        compressed: false,
        symbols: Some(symbols),
    }
}

/// An image that only NVIDIA's tools read.
fn unknown(kind: OpaqueKind, architecture: &str) -> OpaqueImage {
    OpaqueImage { virtual_architecture: None, symbols: None, ..image(kind, architecture) }
}

fn opaque(file: &[u8]) -> Vec<OpaqueImage> {
    let DeviceCode { modules, lto_ir, opaque } = device_code(file, None, LtoIrUse::Opaque).unwrap();
    assert!(modules.is_empty() && lto_ir.is_empty());
    opaque
}

#[test]
fn a_fat_binary_holds_the_same_however_it_is_compressed() {
    let (cubin, ptx) = (packed().read("unit.cubin"), packed().read("unit.ptx"));
    for (mode, _, compression) in COMPRESSED {
        let fatbin = packed().read(&format!("{mode}.fatbin"));
        let entries = fatbin_entries(&fatbin).unwrap();
        let facts: Vec<_> =
            entries.iter().map(|entry| (entry.kind, &*entry.architecture)).collect();
        assert_eq!(facts, [(FatbinKind::Elf, "sm_90a"), (FatbinKind::Ptx, "sm_90a")], "{mode}");
        assert!(entries.iter().all(|entry| entry.compression == compression), "{mode}");
        let images = [(OpaqueKind::Cubin, &cubin), (OpaqueKind::Ptx, &ptx)];
        let images = images.map(|(kind, _)| OpaqueImage {
            compressed: compression != Compression::None,
            ..image(kind, "sm_90a")
        });
        assert_eq!(opaque(&fatbin), images, "{mode}");
        assert_eq!(opaque(&embedded(".nv_fatbin", &fatbin)), images, "{mode}");
        assert_eq!(opaque(&embedded("__nv_relfatbin", &fatbin)), images, "{mode}");
        let whole = device_images(&fatbin).unwrap();
        assert_eq!((whole[0].is_ptx, whole[1].is_ptx, whole.len()), (false, true, 2), "{mode}");
        assert!(whole[0].cubin().unwrap().starts_with(&cubin), "{mode}");
        assert_eq!(whole[1].cubin(), None, "{mode}");
        assert!(whole[0].is_same(&device_images(&cubin).unwrap()[0]), "{mode}");
        assert!(whole[1].is_same(&device_images(&ptx).unwrap()[0]), "{mode}");
    }
}

#[test]
fn the_runtime_finds_the_entries_of_an_image() {
    let entry = |name: &str, is_kernel| RegisteredEntry { device_name: name.to_owned(), is_kernel };
    let has = |image: &DeviceImage<'_>, name: &str| {
        [true, false].map(|is_kernel| image.has(&entry(name, is_kernel)).unwrap())
    };
    let (cubin, ptx) = (packed().read("unit.cubin"), packed().read("unit.ptx"));
    let cubin = &device_images(&cubin).unwrap()[0];
    let ptx = &device_images(&ptx).unwrap()[0];
    assert_eq!((cubin.is_ptx, &*cubin.architecture), (false, "sm_90"));
    assert_eq!((ptx.is_ptx, &*ptx.architecture), (true, "sm_90a"));
    assert_eq!((has(cubin, "kernel"), has(cubin, "seen")), ([true, false], [false, true]));
    // PTX does not tell kernels from variables.
    assert_eq!((has(ptx, "kernel"), has(ptx, "seen")), ([true, true], [true, true]));
    // nvcc's own programs have `static` variables and kernels as local symbols.
    assert_eq!((has(cubin, "local"), has(cubin, "own")), ([true, false], [false, true]));
    assert_eq!((has(ptx, "local"), has(ptx, "own")), ([true, true], [true, true]));
    for image in [cubin, ptx] {
        for name in ["absent", "p", ".nv.global", "kernel_param_0"] {
            assert_eq!(has(image, name), [false, false], "{name}");
        }
    }
    // A function is neither, and what is not defined is not there.
    let content = built().bench.read("sm_90.cubin");
    let image = &device_images(&content).unwrap()[0];
    for (name, expected) in [
        ("calling", [true, false]),
        ("table", [false, true]),
        ("constants", [false, true]),
        ("leaf", [false, false]),
        ("other", [false, false]),
        ("elsewhere", [false, false]),
    ] {
        assert_eq!(has(image, name), expected, "{name}");
    }
    assert!(device_images(b"").unwrap().is_empty());
    assert!(device_images(&[0; 24]).unwrap().is_empty());
    assert!(device_images(b"text").is_err());
}

#[test]
fn images_are_the_same_up_to_the_zeros_behind_them() {
    let cubin = packed().read("unit.cubin");
    let one = |content: &[u8], other: &[u8]| {
        device_images(content).unwrap()[0].is_same(&device_images(other).unwrap()[0])
    };
    let padded = [&cubin[..], &[0; 5]].concat();
    assert!(one(&cubin, &padded) && one(&padded, &cubin) && one(&cubin, &cubin));
    assert!(!one(&cubin, &[&padded[..], &[1]].concat()));
    let ptx = PTX.as_bytes();
    assert!(one(ptx, &[ptx, &[0; 3]].concat()));
    assert!(!one(ptx, &cubin) && !one(ptx, &[ptx, b" "].concat()));
    assert!(!one(ptx, &[&ptx[..ptx.len() - 1], b" "].concat()));
}

#[test]
fn an_image_that_only_nvidia_s_tools_read_is_unknown() {
    // The flag of scrambled content is a bit of the third byte of the flags.
    let mut fatbin = packed().read("size.fatbin");
    fatbin[16 + 42] |= 1;
    let entries = fatbin_entries(&fatbin).unwrap();
    assert_eq!(entries[0].compression, Compression::Scrambled);
    let images = opaque(&fatbin);
    let expected = OpaqueImage { compressed: true, ..unknown(OpaqueKind::Cubin, "sm_90a") };
    assert_eq!(images[0], expected);
    let images = device_images(&fatbin).unwrap();
    let entry = RegisteredEntry { device_name: "kernel".to_owned(), is_kernel: true };
    assert_eq!((images[0].has(&entry), images[1].has(&entry)), (None, Some(true)));
    assert!(images[0].cubin().is_none() && !images[0].is_same(&images[0]));
    // The kind of an entry is its first number.
    for (kind, expected) in
        [(8, OpaqueKind::NvidiaLtoIr), (1, OpaqueKind::Ptx), (77, OpaqueKind::Fatbin)]
    {
        for (mode, _, compression) in COMPRESSED {
            let mut fatbin = packed().read(&format!("{mode}.fatbin"));
            fatbin[16] = kind;
            let image = &opaque(&fatbin)[0];
            assert_eq!((image.kind, &image.symbols), (expected, &None), "{kind} {mode}");
            assert_eq!(image.compressed, compression != Compression::None, "{kind} {mode}");
        }
    }
    let images = opaque(&[0xED, 0x43, 0x4E, 0x7F, 1, 2]);
    assert_eq!(images, [unknown(OpaqueKind::NvidiaLtoIr, "")]);
    let damaged = {
        let mut fatbin = packed().read("size.fatbin");
        fatbin[16 + 64 + 4..][..16].fill(0xFF);
        device_images(&fatbin).map(drop).unwrap_err().to_string()
    };
    assert_eq!(damaged, "malformed fat binary: an entry for sm_90a does not decompress");
}

#[test]
fn an_offload_binary_holds_modules_and_images() {
    let several = offload(&[
        ("a.bc", CUDA, "sm_80"),
        ("b.bc", CUDA, "sm_90"),
        ("unit.cubin", CUDA, "sm_90a"),
        ("unit.s", CUDA, ""),
        ("none.fatbin", CUDA, "sm_75"),
        ("unknown.o", CUDA, "sm_90"),
        ("unit.ptx", CUDA, "sm_90"),
        ("a.bc", AMD, "gfx90a"),
    ]);
    let images = offload_images(&several).unwrap();
    let kinds: Vec<_> = images.iter().map(|image| image.kind).collect();
    let expected = [
        ImageKind::Bitcode,
        ImageKind::Bitcode,
        ImageKind::Cubin,
        ImageKind::Ptx,
        ImageKind::Fatbinary,
        ImageKind::Object,
        ImageKind::Other(0),
        ImageKind::Bitcode,
    ];
    assert_eq!(kinds, expected);
    let (a, b) = (packed().read("a.bc"), packed().read("b.bc"));
    for file in [several.clone(), embedded(".llvm.offloading", &several)] {
        for (architecture, content) in [("sm_80", &a), ("sm_90", &b)] {
            let code = device_code(&file, Some(architecture), LtoIrUse::Taken).unwrap();
            assert_eq!(code.modules.len(), 1);
            assert_eq!(code.modules[0].architecture, architecture);
            assert_eq!(code.modules[0].content, content);
            let images = [
                image(OpaqueKind::Cubin, "sm_90a"),
                image(OpaqueKind::Ptx, "sm_90a"),
                image(OpaqueKind::Cubin, "sm_90a"),
                image(OpaqueKind::Ptx, "sm_90a"),
                unknown(OpaqueKind::Object, "sm_90"),
                image(OpaqueKind::Ptx, "sm_90"),
            ];
            assert_eq!(code.opaque, images);
        }
        let ambiguous = device_code(&file, None, LtoIrUse::Taken).unwrap_err();
        assert!(matches!(&ambiguous, DeviceCodeError::Ambiguous(all) if all == "sm_80, sm_90"));
        let absent = device_code(&file, Some("sm_75"), LtoIrUse::Taken).unwrap_err().to_string();
        assert_eq!(absent, "no device code for sm_75, only for sm_80, sm_90");
    }
}

#[test]
fn the_only_architecture_needs_no_choice() {
    let a = packed().read("a.bc");
    let only = offload(&[("a.bc", CUDA, "sm_90"), ("b.bc", CUDA, "sm_90")]);
    for choice in [None, Some("sm_90")] {
        let code = device_code(&only, choice, LtoIrUse::Taken).unwrap();
        assert_eq!((code.modules.len(), code.modules[0].content), (2, &a[..]), "{choice:?}");
        assert!(code.opaque.is_empty());
    }
    let plain = device_code(&a, None, LtoIrUse::Taken).unwrap();
    assert_eq!((plain.modules[0].content, plain.modules[0].architecture), (&a[..], ""));
    let opaque = offload(&[("unit.cubin", CUDA, "sm_90a")]);
    for choice in [None, Some("sm_75")] {
        let code = device_code(&opaque, choice, LtoIrUse::Taken).unwrap();
        assert!(code.modules.is_empty() && code.opaque.len() == 1, "{choice:?}");
    }
    for nothing in [offload(&[("a.bc", AMD, "gfx90a")]), object(".byte 0")] {
        assert_eq!(device_code(&nothing, None, LtoIrUse::Taken).unwrap(), DeviceCode::default());
        let error = device_code(&nothing, Some("sm_90"), LtoIrUse::Taken).unwrap_err().to_string();
        assert_eq!(error, "no device code for sm_90, only for nothing");
    }
    assert!(matches!(
        device_code(b"text", None, LtoIrUse::Taken),
        Err(DeviceCodeError::Unknown(_))
    ));
}

#[test]
fn the_architectures_of_embedded_code_are_those_of_nvidia_s_targets() {
    let several = offload(&[
        ("b.bc", CUDA, "sm_90"),
        ("unit.cubin", CUDA, "sm_90a"),
        ("a.bc", CUDA, "sm_80"),
        ("a.bc", AMD, "gfx90a"),
    ]);
    let file = embedded(".llvm.offloading", &several);
    let architectures: BTreeSet<String> = ["sm_80", "sm_90", "sm_90a"].map(str::to_owned).into();
    assert_eq!(embedded_architectures(&file).unwrap(), architectures);
    assert_eq!(embedded_modules(&file, LtoIrUse::Taken).unwrap(), ["sm_90", "sm_80"]);
    assert_eq!(offloaded_architectures(&file).unwrap(), architectures);
    assert_eq!(offloaded_architectures(&several).unwrap(), architectures);
    let host = embedded(".other", &several);
    assert!(embedded_architectures(&host).unwrap().is_empty());
    assert!(embedded_modules(&host, LtoIrUse::Taken).unwrap().is_empty());
    assert!(offloaded_architectures(&host).unwrap().is_empty());
    assert!(embedded_architectures(b"text").is_err());
    assert!(embedded_modules(b"text", LtoIrUse::Taken).unwrap().is_empty());
    assert!(offloaded_architectures(b"text").unwrap().is_empty());
}

#[test]
fn a_whole_object_has_all_of_its_sections() {
    let whole = object(".data\n.quad 1");
    assert_eq!(check_object(&whole), Ok(()));
    let mut cut = whole;
    let header = section_header(&cut, ".data");
    // The section begins beyond the end of the file.
    cut[header + 24 + 4] = 1;
    assert!(check_object(&cut).unwrap_err().to_string().starts_with("it is no whole object: "));
    assert!(check_object(b"text").is_err());
}

#[test]
fn archives_have_the_members_that_ar_lists() {
    let bench = Workbench::new();
    fs::create_dir(bench.file("below")).unwrap();
    for (name, content) in [("a.o", "1"), ("a_long_name_of_an_object.o", "22"), ("below/a.o", "3")]
    {
        bench.write(name, content);
    }
    let members = ["a.o", "a_long_name_of_an_object.o", "below/a.o", "a.o"];
    let expected = ["a.o", "a_long_name_of_an_object.o", "a.o~2", "a.o~3"];
    for (archive, mode) in [("all.a", "qcS"), ("thin.a", "qcST")] {
        bench.llvm("llvm-ar").args([mode, archive]).args(members).succeed();
        let data = bench.read(archive);
        assert!(is_archive(&data));
        let mut asked = Vec::new();
        let read = archive_members(&data, |path| {
            asked.push(path.to_owned());
            fs::read(bench.file(path))
        });
        let found: Vec<_> = read
            .unwrap()
            .into_iter()
            .map(|member| (member.name, member.content.to_vec()))
            .collect();
        let contents = ["1", "22", "3", "1"];
        for ((name, content), found) in expected.iter().zip(contents).zip(&found) {
            assert_eq!((&*found.0, &*found.1), (*name, content.as_bytes()), "{archive}");
        }
        assert_eq!((found.len(), asked.len()), (4, if archive == "thin.a" { 4 } else { 0 }));
    }
    assert!(!is_archive(b"\x7FELF"));
}
