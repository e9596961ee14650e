//! References of host code to stubs and shadows, by name and by address.

use crate::container_facts::assembly::{facts, function, kernel, references, variable};

/// A function that launches, from its first byte to its last one.
fn launching(name: &str, content: &str) -> String {
    function(name, &format!("call cudaLaunchKernel@PLT\n{content}"))
}

#[test]
fn code_that_launches_or_copies_refers_explicitly() {
    for callee in [
        "cudaLaunchKernel",
        "cudaLaunchKernelExC",
        "__cudaLaunchKernel",
        "cudaMemcpyToSymbol",
        "cudaMemcpyFromSymbolAsync",
    ] {
        let text = function("f", &format!("lea stub(%rip), %rax\ncall {callee}@PLT"));
        assert_eq!(references(&text, &["stub"]), ["stub explicit"], "{callee}");
    }
    let text = function("f", "lea stub(%rip), %rax\ncall cudaFuncSetAttribute@PLT");
    assert_eq!(references(&text, &["stub"]), ["stub implicit"]);
}

#[test]
fn a_call_is_explicit_wherever_it_is_and_data_never_is() {
    let data = ".data\n.quad in_data\n.section .data.rel.ro,\"aw\"\n.quad constant";
    let text = format!("{}{data}", function("f", "call called@PLT\njmp gone@PLT"));
    let symbols = ["called", "gone", "in_data", "constant", "absent"];
    let expected = ["called explicit", "gone explicit", "in_data implicit", "constant implicit"];
    assert_eq!(references(&text, &symbols), expected);
    // The launching code is in another section, or in one that is not code.
    let launches = launching("g", "ret");
    let text = format!(".data\n.quad cudaLaunchKernel\n.quad in_data\n.text\n{launches}");
    assert_eq!(references(&text, &symbols), ["in_data implicit"]);
}

#[test]
fn a_function_that_launches_ends_at_its_size() {
    // Data in code puts relocations on the first and on the last bytes of functions.
    let text = [
        function("before", ".quad before_in"),
        ".quad between\n".to_owned(),
        function("launches", ".quad first_in\n.quad cudaLaunchKernel\n.quad last_in"),
        function("behind", ".quad behind_in"),
        function("begins", ".quad cudaLaunchKernel\n.quad rest"),
        function("follows", ".quad follows_in"),
        function("nothing", ""),
        ".quad at_end\n".to_owned(),
    ];
    let symbols = [
        "before_in",
        "between",
        "first_in",
        "last_in",
        "behind_in",
        "rest",
        "follows_in",
        "at_end",
    ];
    let expected = [
        "before_in implicit",
        "between implicit",
        "first_in explicit",
        "last_in explicit",
        "behind_in implicit",
        "rest explicit",
        "follows_in implicit",
        "at_end implicit",
    ];
    assert_eq!(references(&text.concat(), &symbols), expected);
    // A variable at the place of the launch does not make it a function.
    let text = ".type v,@object\nv: .quad cudaLaunchKernel\n.quad beside\n.size v, 16\n";
    assert_eq!(references(text, &["beside"]), ["beside implicit"]);
}

#[test]
fn the_most_telling_reference_to_a_symbol_counts() {
    for order in [["call stub@PLT", ".quad stub"], [".quad stub", "call stub@PLT"]] {
        let text = function("f", &order.join("\n"));
        assert_eq!(references(&text, &["stub"]), ["stub explicit"], "{order:?}");
    }
}

#[test]
fn symbols_of_the_unit_that_are_not_registered_and_parts_of_no_program_do_not_count() {
    let text = [
        function("plain", "ret"),
        function("other", ".quad plain\n.quad stub"),
        function("stub", ".quad stub"),
        kernel("stub"),
    ];
    let symbols = ["plain", "stub", "other"];
    assert_eq!(references(&text.concat(), &symbols), ["stub implicit"]);
    let text = [
        ".section .eh_frame,\"a\",@progbits\n.quad unwound\n",
        ".section .debug_info,\"\",@progbits\n.quad described\n",
        ".section .data.rel,\"aw\"\n.quad stored\n",
    ];
    let symbols = ["unwound", "described", "stored"];
    assert_eq!(references(&text.concat(), &symbols), ["stored implicit"]);
    let all = facts(&text.concat());
    assert_eq!(all.references.len(), 1);
}

#[test]
fn a_reference_by_another_name_is_one() {
    let stub = format!("{}{}", function("stub", ".quad stub"), kernel("stub"));
    let alias = ".globl alias\n.set alias, stub\n";
    let call = function("f", "call alias@PLT");
    assert_eq!(references(&format!("{stub}{alias}{call}"), &["stub", "alias"]), ["alias explicit"]);
    assert!(references(&format!("{stub}{alias}"), &["stub", "alias"]).is_empty());
    // Only the definitions of the unit have aliases.
    let text = function("f", "call __real_stub@PLT\ncall versioned@PLT\n.symver versioned, v@V1");
    let found = references(&text, &["stub", "__real_stub", "v"]);
    assert_eq!(found, ["stub explicit", "__real_stub explicit", "v explicit"]);
    // Nothing ties the kernels of nvcc's objects to symbols, so aliases count as references.
    let plain = format!("{}{alias}", function("stub", "ret"));
    let table = ".section .nvHRKE,\"a\",@progbits\n.byte 0\n";
    let variants = "_ZN1AC1Ev\n.set _ZN1AC1Ev, _ZN1AC2Ev\n";
    let ctor = format!("{}.globl {variants}", function("_ZN1AC2Ev", "ret"));
    let symbols = ["stub", "alias", "_ZN1AC1Ev", "_ZN1AC2Ev"];
    assert!(references(&format!("{plain}{ctor}"), &symbols).is_empty());
    let found = references(&format!("{plain}{ctor}{table}"), &symbols);
    assert_eq!(found, ["stub invisible", "alias invisible"]);
}

#[test]
fn a_stub_shows_whether_references_to_it_are_visible() {
    let names_itself = |name: &str| function(name, &format!(".quad {name}"));
    // The stub names itself, on its first and on its last bytes, but not from behind its end.
    for (content, behind, expected) in [
        (".quad stub", "", None),
        (".byte 0\n.quad stub", "", None),
        (".byte 0", "", Some("stub invisible")),
        (".byte 0", ".quad stub\n", Some("stub implicit")),
    ] {
        let text = format!("{}{behind}.byte 0\n{}", function("stub", content), kernel("stub"));
        let found = references(&text, &["stub"]);
        assert_eq!(found.first().map(String::as_str), expected, "{content} {behind}");
    }
    // A variable's references are visible, and so are those to a stub in a separate section.
    let text = format!(".data\n{}.byte 0\n{}", function("shadow", ".long 0"), variable("shadow"));
    assert!(references(&text, &["shadow"]).is_empty());
    let own = ".section .text.stub,\"ax\",@progbits\n";
    let text = format!("{own}{}{}", function("stub", ".long 0"), kernel("stub"));
    assert!(references(&text, &["stub"]).is_empty());
    for text in [
        format!("{own}{}.byte 0\n{}", function("stub", ".long 0"), kernel("stub")),
        format!("{own}.byte 0\n{}{}", function("stub", ".long 0"), kernel("stub")),
    ] {
        assert_eq!(references(&text, &["stub"]), ["stub invisible"]);
    }
    // A registered kernel of another unit, a variable of another unit, and a local stub.
    assert_eq!(references(&kernel("stub"), &["stub"]), ["stub invisible"]);
    assert!(references(&variable("shadow"), &["shadow"]).is_empty());
    let text = format!(".type own,@function\nown: .long 0\n.size own, 4\n{}", kernel("own"));
    assert!(references(&text, &["own"]).is_empty());
    assert!(references(&format!("{}{}", names_itself("s"), kernel("s")), &["s"]).is_empty());
}

/// Returns the references of a unit in which two stubs of eight bytes, both of which name
/// themselves, follow a byte of the section. `rest` can refer to their section, which is `.text`.
fn by_address(rest: &str) -> Vec<String> {
    let text = [
        ".byte 0\n".to_owned(),
        function("one", ".quad one"),
        function("two", ".Lin_two: .quad two"),
        ".byte 0\n".to_owned(),
        kernel("one"),
        kernel("two"),
        rest.to_owned(),
    ];
    references(&text.concat(), &["one", "two"])
}

#[test]
fn an_address_in_a_section_means_the_definition_around_it() {
    for (address, expected) in [
        (0, &[][..]),
        (1, &["one implicit"]),
        (8, &["one implicit"]),
        (9, &["two implicit"]),
        (16, &["two implicit"]),
        (17, &[]),
        (30, &[]),
        (-1, &[]),
    ] {
        let found = by_address(&format!(".data\n.quad .text + {address}\n"));
        assert_eq!(found, expected, "{address}");
        let code = ".section .text.other,\"ax\",@progbits\n";
        let found = by_address(&format!("{code}lea .text + {address}(%rip), %rax\n"));
        assert_eq!(found, expected, "{address} from code");
    }
    assert!(by_address(".data\n.byte 0\n.quad .data + 1\n").is_empty());
    let call = ".section .text.other,\"ax\",@progbits\ncall .Lin_two\n";
    assert_eq!(by_address(call), ["two explicit"]);
    assert_eq!(by_address(&format!("{call}.quad .text + 9\n")), ["two explicit"]);
    assert_eq!(by_address(&format!(".data\n.quad .text + 9\n{call}")), ["two explicit"]);
}

#[test]
fn distances_in_data_are_jumps_and_mean_no_stub() {
    assert!(by_address(".data\n.long .text + 9 - .\n").is_empty());
    let text = format!(
        ".section .data.a,\"aw\"\n.byte 0\n{}.byte 0\n{}.data\n.long .data.a + 1 - .\n",
        function("shadow", ".long 0"),
        variable("shadow")
    );
    // x86 counts a distance of four bytes from its end: this one means four bytes behind.
    assert!(references(&text, &["shadow"]).is_empty());
    let text = text.replace(".data.a + 1 - .", ".data.a - 3 - .");
    assert_eq!(references(&text, &["shadow"]), ["shadow implicit"]);
}

#[test]
fn a_section_of_one_definition_means_it_by_any_address() {
    let text = |rest: &str| {
        let own = ".section .text.stub,\"ax\",@progbits\n";
        let stub = function("stub", ".quad .text.stub + 2\n.long 0");
        let all = format!("{own}{stub}{}{rest}", kernel("stub"));
        references(&all, &["stub"])
    };
    // The stub's own address of itself is no reference.
    assert!(text("").is_empty());
    assert!(text(".data\n.quad .text\n").is_empty());
    for address in ["", " + 11", " + 12", " - 9"] {
        let found = text(&format!(".data\n.quad .text.stub{address}\n"));
        assert_eq!(found, ["stub implicit"], "{address}");
    }
    assert_eq!(text(".data\n.long .text.stub - .\n"), ["stub implicit"]);
}

#[test]
fn an_address_within_the_definition_itself_is_no_reference() {
    let own = |content: &str| {
        let stub = function("one", content);
        let text = format!(".byte 0\n{stub}.byte 0\n{}", kernel("one"));
        references(&text, &["one"])
    };
    assert!(own(".quad .text + 1\n.quad one").is_empty());
    assert!(own(".quad one\n.quad .text + 1").is_empty());
    // The address is a reference right before and right behind the stub.
    let stub = function("one", ".quad one");
    for text in [
        format!(".quad .text + 8\n{stub}.byte 0\n{}", kernel("one")),
        format!(".byte 0\n{stub}.quad .text + 1\n{}", kernel("one")),
    ] {
        assert_eq!(references(&text, &["one"]), ["one implicit"]);
    }
    // The address of another stub within a stub is a reference.
    let text = format!(
        "{}{}.byte 0\n{}{}",
        function("one", ".quad one, .text + 16"),
        function("two", ".quad two"),
        kernel("one"),
        kernel("two")
    );
    assert_eq!(references(&text, &["one", "two"]), ["two implicit"]);
}

#[test]
fn all_names_of_one_definition_are_meant() {
    let alias = ".globl same\n.type same,@function\n.set same, one\n.size same, 8\n";
    let text = format!(
        ".byte 0\n{}{alias}{}{}{}.data\n.quad .text + 3\n",
        function("one", ".quad one"),
        function("two", ".quad two"),
        kernel("one"),
        kernel("same"),
    );
    // Both kernels are registered by both names, so a reference by one is enough for both.
    let found = references(&text, &["one", "same", "two"]);
    assert_eq!(found, ["one implicit"]);
    let facts = facts(&text);
    let names = |kernel: &str| {
        let mut names: Vec<_> = facts
            .entries
            .iter()
            .filter(|entry| entry.device_name == kernel)
            .map(|entry| entry.host_symbol)
            .collect();
        names.sort_unstable();
        names
    };
    assert_eq!(names("device_one").len(), 2);
    assert_eq!(names("device_one"), names("device_same"));
}
