//! The page of a program with 3,000 kernels and 1,000 units.

use dev_page::generated;

use crate::page::made::Made;
use crate::page::walk::walk;

#[test]
fn the_page_of_a_large_program_shows_what_the_report_says() {
    let (kernels, units) = generated::LARGE;
    walk(&Made::of(generated::report(kernels, units)));
}
