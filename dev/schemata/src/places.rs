//! The places of a source that mutants change, and the switches there.

use std::collections::BTreeMap;
use std::ops::Range;

use proc_macro2::LineColumn;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use crate::edit::{Changed, Edits, Parts};
use crate::mutant::{Genre, Mutant, Place};

/// A source with switches.
#[derive(Debug)]
pub(crate) struct Switchable {
    pub(crate) changed: Changed,
    /// The mutants with a switch.
    pub(crate) placed: Vec<usize>,
}

/// Puts a switch at each of `mutants` into a source. They are numbers with mutants of that source.
pub(crate) fn switch(source: &str, mutants: &[(usize, &Mutant)]) -> syn::Result<Switchable> {
    let file = syn::parse_file(source)?;
    let mut at: BTreeMap<(Genre, Place), Vec<(usize, &Mutant)>> = BTreeMap::new();
    for &(number, mutant) in mutants {
        at.entry((mutant.genre, mutant.span.start)).or_default().push((number, mutant));
    }
    let mut places = Places { source, at, edits: Edits::default(), placed: Vec::new(), fixed: 0 };
    places.visit_file(&file);
    Ok(Switchable { changed: places.edits.apply(source), placed: places.placed })
}

struct Places<'m> {
    source: &'m str,
    at: BTreeMap<(Genre, Place), Vec<(usize, &'m Mutant)>>,
    edits: Edits,
    placed: Vec<usize>,
    /// Number of expressions around this one that are evaluated when the program is compiled.
    fixed: usize,
}

/// An expression that is true where the mutant is the one to try.
fn is_on(mutant: usize) -> String {
    format!("crate::weft_switch::on({mutant})")
}

/// The place in the way that cargo-mutants counts.
fn place_of(at: LineColumn) -> Place {
    Place { line: at.line, column: at.column + 1 }
}

impl<'m> Places<'m> {
    /// Takes the mutants of a place, unless no switch can stand there.
    fn take(&mut self, genre: Genre, at: LineColumn) -> Vec<(usize, &'m Mutant)> {
        if self.fixed > 0 {
            return Vec::new();
        }
        let mutants = self.at.remove(&(genre, place_of(at))).unwrap_or_default();
        self.placed.extend(mutants.iter().map(|(number, _)| number));
        mutants
    }

    fn text(&self, range: Range<usize>) -> &'m str {
        self.source.get(range).unwrap_or_default()
    }

    /// Makes an expression one of several, by the mutant to try; `of` makes the text of each.
    fn choose(
        &mut self,
        range: Range<usize>,
        mutants: &[(usize, &Mutant)],
        of: impl Fn(&Mutant) -> String,
    ) {
        if mutants.is_empty() {
            return;
        }
        let mut before = vec![(None, "(".to_owned())];
        for &(number, mutant) in mutants {
            let text = format!("if {} {{ {} }} else ", is_on(number), of(mutant));
            before.push((Some(number), text));
        }
        before.push((None, "{ ".to_owned()));
        let numbers = mutants.iter().map(|(number, _)| *number).collect();
        self.edits.wrap(range, numbers, before, " })");
    }

    /// Visits code that is evaluated when the program is compiled.
    fn within_constant(&mut self, visit: impl FnOnce(&mut Self)) {
        self.fixed += 1;
        visit(self);
        self.fixed -= 1;
    }

    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let is_constant = signature.constness.is_some();
        self.fixed += usize::from(is_constant);
        if let (Some(first), Some(last)) = (block.stmts.first(), block.stmts.last()) {
            let mutants = self.take(Genre::FnValue, first.span().start());
            let part = |(number, mutant): &(usize, &Mutant)| {
                let text = format!("if {} {{ return {}; }} ", is_on(*number), mutant.replacement);
                (Some(*number), text)
            };
            let before: Parts = mutants.iter().map(part).collect();
            if !before.is_empty() {
                let range = first.span().byte_range().start..last.span().byte_range().end;
                let numbers = mutants.iter().map(|(number, _)| *number).collect();
                self.edits.wrap(range, numbers, before, "");
            }
        }
        self.visit_block(block);
        self.fixed -= usize::from(is_constant);
    }
}

/// Whether a `let` is part of the condition, which no parentheses may enclose.
fn has_let(condition: &syn::Expr) -> bool {
    match condition {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Places<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block);
        }
    }

    fn visit_expr_binary(&mut self, expression: &'ast syn::ExprBinary) {
        let syn::ExprBinary { left, op, right, .. } = expression;
        if !has_let(left) && !has_let(right) {
            let mutants = self.take(Genre::BinaryOperator, op.span().start());
            let text = |part: &syn::Expr| self.text(part.span().byte_range()).to_owned();
            let (left, right) = (text(left), text(right));
            let range = expression.span().byte_range();
            self.choose(range, &mutants, |mutant| format!("{left} {} {right}", mutant.replacement));
        }
        visit::visit_expr_binary(self, expression);
    }

    fn visit_expr_unary(&mut self, expression: &'ast syn::ExprUnary) {
        let mutants = self.take(Genre::UnaryOperator, expression.op.span().start());
        let operand = self.text(expression.expr.span().byte_range()).to_owned();
        self.choose(expression.span().byte_range(), &mutants, |_| operand.clone());
        visit::visit_expr_unary(self, expression);
    }

    fn visit_expr_match(&mut self, expression: &'ast syn::ExprMatch) {
        // The compiler marks a match that does not cover all values, not one of its arms.
        let starts = expression.arms.iter().map(|arm| place_of(arm.span().start()));
        let numbers: Vec<usize> = starts
            .filter_map(|start| self.at.get(&(Genre::MatchArm, start)))
            .flatten()
            .map(|(number, _)| *number)
            .collect();
        if !numbers.is_empty() {
            self.edits.wrap(expression.span().byte_range(), numbers, Vec::new(), "");
        }
        visit::visit_expr_match(self, expression);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let start = arm.span().start();
        match &arm.pat {
            syn::Pat::Guard(syn::PatGuard { guard, .. }) => {
                if !has_let(guard) {
                    let range = guard.span().byte_range();
                    for (number, _) in self.take(Genre::MatchArm, start) {
                        let before = vec![(None, format!("!{} && (", is_on(number)))];
                        self.edits.wrap(range.clone(), vec![number], before, ")");
                    }
                    let mutants = self.take(Genre::MatchArmGuard, guard.span().start());
                    self.choose(range, &mutants, |mutant| mutant.replacement.clone());
                }
                self.visit_expr(guard);
            }
            pattern => {
                for (number, _) in self.take(Genre::MatchArm, start) {
                    let text = format!(" if !{}", is_on(number));
                    self.edits.wrap(pattern.span().byte_range(), vec![number], Vec::new(), &text);
                }
            }
        }
        self.visit_expr(&arm.body);
    }

    fn visit_expr_struct(&mut self, expression: &'ast syn::ExprStruct) {
        if let Some(base) = &expression.rest {
            let kind = self.text(expression.path.span().byte_range());
            let base = self.text(base.span().byte_range());
            for field in &expression.fields {
                let mutants = self.take(Genre::StructField, field.span().start());
                let syn::Member::Named(name) = &field.member else { continue };
                let Some(&(number, _)) = mutants.first() else { continue };
                let value = field.expr.span().byte_range();
                let text = format!(
                    "{name}: (if {} {{ let base: {kind} = {base}; base.{name} }} else {{ ",
                    is_on(number)
                );
                self.edits.wrap(value.clone(), vec![number], vec![(Some(number), text)], " })");
                if field.colon_token.is_some() {
                    self.edits.remove(field.span().byte_range().start..value.start);
                }
            }
        }
        visit::visit_expr_struct(self, expression);
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.within_constant(|places| visit::visit_item_const(places, item));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.within_constant(|places| visit::visit_impl_item_const(places, item));
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.within_constant(|places| visit::visit_trait_item_const(places, item));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.within_constant(|places| visit::visit_item_static(places, item));
    }

    fn visit_expr_const(&mut self, expression: &'ast syn::ExprConst) {
        self.within_constant(|places| visit::visit_expr_const(places, expression));
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.within_constant(|places| visit::visit_variant(places, variant));
    }

    fn visit_type_array(&mut self, array: &'ast syn::TypeArray) {
        self.within_constant(|places| visit::visit_type_array(places, array));
    }

    fn visit_expr_repeat(&mut self, expression: &'ast syn::ExprRepeat) {
        self.visit_expr(&expression.expr);
        self.within_constant(|places| places.visit_expr(&expression.len));
    }

    fn visit_pat(&mut self, _: &'ast syn::Pat) {
        // The values of patterns are constants.
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutant::Span;

    fn mutant(genre: Genre, line: usize, column: usize, replacement: &str) -> Mutant {
        Mutant {
            name: String::new(),
            package: String::new(),
            file: String::new(),
            genre,
            span: Span { start: Place { line, column } },
            replacement: replacement.to_owned(),
            function: None,
        }
    }

    /// The source with switches, in which `on(N)` is written for the switch of mutant N.
    fn switched(source: &str, mutants: &[Mutant]) -> String {
        let numbered: Vec<_> = (1..).zip(mutants).collect();
        let switchable = switch(source, &numbered).unwrap();
        let text = switchable.changed.text;
        for brought in &switchable.changed.brought {
            let own = &text[brought.range.clone()];
            assert!(own.contains(&is_on(brought.mutant)), "{own}");
        }
        assert!(syn::parse_file(&text).is_ok(), "{text}");
        text.replace("crate::weft_switch::", "")
    }

    #[test]
    fn a_function_returns_early() {
        let mutants = [mutant(Genre::FnValue, 1, 18, "0"), mutant(Genre::FnValue, 1, 18, "1")];
        assert_eq!(switched("fn f() -> u32 { g(); 7 }", &mutants[..]), "fn f() -> u32 { g(); 7 }",);
        let mutants = [mutant(Genre::FnValue, 1, 17, "0"), mutant(Genre::FnValue, 1, 17, "1")];
        assert_eq!(
            switched("fn f() -> u32 { g(); 7 }", &mutants[..]),
            "fn f() -> u32 { if on(1) { return 0; } if on(2) { return 1; } g(); 7 }",
        );
    }

    #[test]
    fn operators_are_chosen_and_nest() {
        let mutants =
            [mutant(Genre::BinaryOperator, 2, 7, "||"), mutant(Genre::UnaryOperator, 2, 10, "")];
        assert_eq!(
            switched("fn f() -> bool {\n    a && !b\n}", &mutants),
            "fn f() -> bool {\n    \
             (if on(1) { a || !b } else { a && (if on(2) { b } else { !b }) })\n}",
        );
    }

    #[test]
    fn arms_have_conditions() {
        let source = "fn f() {\n    match x {\n        A => 1,\n        B if c => 2,\n        \
                      _ => 3,\n    }\n}";
        let mutants = [
            mutant(Genre::MatchArm, 3, 9, ""),
            mutant(Genre::MatchArm, 4, 9, ""),
            mutant(Genre::MatchArmGuard, 4, 14, "true"),
        ];
        let text = switched(source, &mutants);
        assert!(text.contains("A if !on(1) => 1,"), "{text}");
        assert!(text.contains("B if !on(2) && ((if on(3) { true } else { c })) => 2,"), "{text}");
    }

    #[test]
    fn a_field_is_that_of_the_base() {
        let source = "fn f() -> S {\n    S { one: 1, two, ..S::new() }\n}";
        let mutants = [mutant(Genre::StructField, 2, 9, ""), mutant(Genre::StructField, 2, 17, "")];
        let text = switched(source, &mutants);
        let one = "one: (if on(1) { let base: S = S::new(); base.one } else { 1 })";
        let two = "two: (if on(2) { let base: S = S::new(); base.two } else { two })";
        assert!(text.contains(one) && text.contains(two), "{text}");
    }

    #[test]
    fn no_switch_stands_in_a_constant_or_around_a_let() {
        let source = "const A: u32 = 1 + 2;\nconst fn f() -> u32 {\n    3 + 4\n}\n\
                      fn g() {\n    if let B = b && c {}\n}";
        let mutants = [
            mutant(Genre::BinaryOperator, 1, 18, "-"),
            mutant(Genre::BinaryOperator, 3, 7, "-"),
            mutant(Genre::BinaryOperator, 6, 18, "||"),
        ];
        assert_eq!(switched(source, &mutants), source);
    }
}
