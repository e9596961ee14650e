//! Tests of the items of texts by nvlink.

use super::super::words::ptx_words;
use super::*;

const TEXT: &str = include_str!("nvlink.ptx");

/// The item that defines `name`, or declares it if nothing defines it.
fn named<'items>(items: &'items [PtxItem], name: &str) -> &'items PtxItem {
    let defined = items.iter().find(|item| item.name == name && item.is_definition());
    defined.or_else(|| items.iter().find(|item| item.name == name)).unwrap()
}

#[test]
fn all_items_of_nvlink_are_found_with_their_parts() {
    let items = ptx_items(TEXT).unwrap();
    let of = |name: &str| {
        let item = named(&items, name);
        let part = |range: &Option<Range<usize>>| range.clone().map(|range| &TEXT[range]);
        (item.kind, item.linkage, &TEXT[item.head.clone()], part(&item.initializer))
    };
    let global = PtxItemKind::Variable(PtxSpace::Global);
    let constant = PtxItemKind::Variable(PtxSpace::Const);
    let shared = PtxItemKind::Variable(PtxSpace::Shared);
    assert_eq!(of("9.5"), (PtxItemKind::Version, PtxLinkage::None, ".version 9.5", None));
    assert_eq!(of("sm_90"), (PtxItemKind::Target, PtxLinkage::None, ".target sm_90", None));
    assert_eq!(of("64"), (PtxItemKind::AddressSize, PtxLinkage::None, ".address_size 64", None));
    assert_eq!(
        of("__nv_static_4__1_a_cu_flag"),
        (global, PtxLinkage::None, ".global .align 4 .u32 __nv_static_4__1_a_cu_flag", Some("3"))
    );
    let ops = ".visible .global .align 8 .u64 ops[2]";
    assert_eq!(of("ops"), (global, PtxLinkage::Visible, ops, Some("{add1, _Z6calleei}")));
    let pointer = ".visible .global .align 8 .u64 ptr";
    assert_eq!(of("ptr"), (global, PtxLinkage::Visible, pointer, Some("generic(counter)+4")));
    let managed = ".visible .global .attribute(.managed) .align 4 .u32 man";
    assert_eq!(of("man"), (global, PtxLinkage::Visible, managed, Some("4")));
    let coefficients = ".visible .const .align 4 .b8 coeffs[32]";
    assert_eq!(of("coeffs"), (constant, PtxLinkage::Visible, coefficients, Some("{1, 0, 0}")));
    assert_eq!(of("dyn"), (shared, PtxLinkage::Extern, ".extern .shared .align 4 .b8 dyn[]", None));
    assert_eq!(of("buf").1, PtxLinkage::Weak);
    assert_eq!(of("_Z6calleei").1, PtxLinkage::Extern);
    assert_eq!(of("_Z4virtPi").0, PtxItemKind::Kernel);
    assert!(of("_Z4virtPi").2.ends_with(")\n.maxntid 128, 1, 1\n.minnctapersm 2"));
    assert_eq!(of("second"), (PtxItemKind::Alias, PtxLinkage::None, ".alias second, add1", None));
    assert_eq!(of("1").0, PtxItemKind::File);
    assert_eq!(&TEXT[named(&items, "1").range.clone()], ".file 1 \"/a;b {\"");
    assert_eq!(of(".debug_str").0, PtxItemKind::Section);
    assert!(TEXT[named(&items, ".debug_str").range.clone()].ends_with("\n\t}"));
    assert_eq!(items.len(), 21);
}

#[test]
fn items_are_apart_and_in_order_and_bodies_end_them() {
    let items = ptx_items(TEXT).unwrap();
    let mut end = 0;
    for item in &items {
        assert!(end <= item.range.start && item.range.start == item.head.start);
        assert!(item.head.end <= item.range.end);
        let between = &TEXT[end..item.range.start];
        assert!(ptx_words(TEXT, end..item.range.start).next().is_none(), "{between:?}");
        if let Some(body) = &item.body {
            assert_eq!(body.end, item.range.end);
            assert!(TEXT[body.clone()].starts_with('{') && TEXT[body.clone()].ends_with('}'));
        }
        end = item.range.end;
    }
    let prototypes = items.iter().filter(|item| item.name == "add1");
    assert_eq!(prototypes.map(PtxItem::is_definition).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn what_has_no_single_name_is_an_error() {
    let error = |declaration: &str| {
        let text = format!(".version 9.5\n{declaration}");
        ptx_items(&text).unwrap_err().to_string()
    };
    let several = "malformed PTX at byte 13: several variables in one statement";
    assert_eq!(error(".global .u32 a, b;"), several);
    assert_eq!(error(".global .u32 a = 1, b = 2;\n.func (;"), several);
    let nameless = "malformed PTX at byte 13: a declaration without a name";
    assert_eq!(error(".visible .func (.param .b32 r);"), nameless);
    assert_eq!(error(".const .align 4 .b8 7;"), nameless);
    assert!(ptx_items("hello").is_err());
    assert!(ptx_items(".version 9.5\n.func f() {").is_err());
}

#[test]
fn no_truncation_panics() {
    for length in 0..TEXT.len() {
        let _ = ptx_items(&TEXT[..length]);
    }
}

#[test]
fn ptx_without_definitions_is_empty() {
    let header = ".version 8.8\n.target sm_90, debug\n.address_size 64\n";
    let is_empty = |rest: &str| is_empty_ptx(format!("{header}{rest}").as_bytes());
    for rest in [
        "",
        "\n// a comment\n",
        "\t.file\t1 \"a.cu\"\n",
        ".extern .func f()\n;\n",
        ".extern .global .align 4 .u32 v;\n",
    ] {
        assert!(is_empty(rest), "{rest}");
    }
    for rest in [
        "nonsense\n",
        "nonsense",
        "64\n",
        "nonsense;\n",
        ".visible .entry k()\n{\nret;\n}\n",
        ".visible .entry k()\n{\nret;\n",
        ".global .align 4 .u32 v;\n",
        ".func f()\n{\nret;\n}\n",
    ] {
        assert!(!is_empty(rest), "{rest}");
    }
    assert!(!is_empty_ptx(b"") && !is_empty_ptx(b"\xFF"));
}
