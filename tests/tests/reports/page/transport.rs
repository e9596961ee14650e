//! The page of the example.

use crate::page::answers::assert_equal;
use crate::page::made::Made;
use crate::page::walk::walk;

#[test]
fn the_page_of_the_example_shows_what_the_report_says_and_answers_as_the_commands_do() {
    let (made, plans) = Made::transport();
    walk(&made);
    assert_equal(&made, &plans, 1);
}
