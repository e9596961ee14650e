use super::*;
use crate::names::NameTable;
use crate::text::tests::report;

#[test]
fn the_short_form_of_a_comparison_has_limits_sizes_and_what_changed() {
    let breach = Breach { gate: "regs+5%".to_owned(), lines: vec!["k: 40 -> 48".to_owned()] };
    let made = markdown(&report(), &[breach]);
    assert!(made == include_str!("tests/against.md"), "{made}");
}

#[test]
fn without_an_earlier_build_the_kernels_with_the_lowest_occupancy_are_there() {
    let mut alone = report();
    alone.against = None;
    for kernel in &mut alone.kernels {
        kernel.before = None;
        kernel.change = String::new();
    }
    alone.images[0].cubin_bytes_before = None;
    alone.images[0].image_bytes = Some(20_000);
    let made = markdown(&alone, &[]);
    assert!(made == include_str!("tests/alone.md"), "{made}");
}

#[test]
fn no_name_becomes_markup() {
    let mut names = NameTable::default();
    let hostile = "`</code>|@someone \u{202e}\n[x](http://a)";
    let mut report = report();
    report.kernels[0].name = names.number(hostile);
    report.kernels[1].name = names.number("operator|");
    report.names = names.into_names();
    report.title = "<b> & *a* @b http://c".to_owned();
    let made = markdown(&report, &[]);
    let name = "`` `</code>\\|@someone \\u{202e}\\u{a}[x](http://a) ``";
    for part in [name, "`operator\\|`", "&lt;b\\> &amp; \\*a\\* &#64;b http&#58;//c"] {
        assert!(made.contains(part), "{part:?} is not in {made}");
    }
}

#[test]
fn a_long_table_ends() {
    let mut long = report();
    long.kernels = vec![long.kernels[0].clone(); 40];
    let made = markdown(&long, &[]);
    assert_eq!(made.matches("| worse |").count(), ROWS);
    assert!(made.contains("\nand 15 more\n"), "{made}");
}
