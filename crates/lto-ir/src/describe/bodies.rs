//! The facts in the bodies of functions.

use std::collections::{BTreeMap, BTreeSet};

use weft_artifact::{Call, SymbolIndex};
use weft_container::{PtxItem, PtxToken, ptx_tokens};

use super::flow::{Body, Flow, Node, Signature};
use super::heads::{self, FunctionHead};
use super::statements::{self, Part, names, operands};

/// State spaces of variables that code may declare in a body.
const VARIABLES: [&str; 3] = [".shared", ".global", ".const"];

/// The facts in one body.
#[derive(Debug, Default)]
pub(super) struct BodyFacts {
    pub(super) instructions: u32,
    pub(super) indirect_calls: u32,
    /// Number of calls of each callee.
    pub(super) calls: BTreeMap<usize, u32>,
    /// Symbols that are named other than as callees.
    pub(super) references: BTreeSet<usize>,
}

impl BodyFacts {
    /// Returns the calls as a summary holds them.
    pub(super) fn calls(&self) -> Vec<Call> {
        let call = |(&callee, &count): (&usize, &u32)| {
            let frequency = count.saturating_mul(256);
            Call { count, frequency, ..Call::once(index(callee)) }
        };
        self.calls.iter().map(call).collect()
    }

    pub(super) fn references(&self) -> Vec<SymbolIndex> {
        self.references.iter().copied().map(index).collect()
    }
}

/// Returns a symbol's place in the list as its index.
pub(super) fn index(place: usize) -> SymbolIndex {
    SymbolIndex(u32::try_from(place).unwrap_or(u32::MAX))
}

/// Returns the tokens of each variable that the body of `item` declares, without a space's size in
/// between: nvlink moves shared variables into the only function that uses them.
pub(super) fn variables<'text>(
    text: &'text str,
    item: &PtxItem,
    mut take: impl FnMut(&'text str, &[PtxToken<'text>]),
) {
    let Some(body) = item.body.clone() else { return };
    let may_declare = text
        .get(body.clone())
        .is_some_and(|body| VARIABLES.iter().any(|space| body.contains(&format!("{space} ."))));
    if !may_declare {
        return;
    }
    statements::each(text, body, |part| {
        if let Part::Statement(tokens) = part
            && let Some(PtxToken::Word(first)) = tokens.first()
            && VARIABLES.contains(first)
            && let Some(name) = heads::name(tokens)
        {
            take(name, tokens);
        }
    });
}

/// The functions of a module, as their callers see them.
pub(super) struct Callees<Symbols> {
    /// Finds the index of a symbol of the module.
    pub(super) symbols: Symbols,
    /// Whether the symbol at an index is a function.
    pub(super) is_function: Vec<bool>,
    /// Signatures of functions whose bodies are believed, by their symbols.
    pub(super) signatures: BTreeMap<usize, Signature>,
}

impl<Symbols: Fn(&str) -> Option<usize>> Callees<Symbols> {
    /// Reads the body of `item`, whose parameters and results have these nodes.
    pub(super) fn read<'text>(
        &self,
        text: &'text str,
        item: &PtxItem,
        head: &FunctionHead<'text>,
        signature: &Signature,
        flow: &mut Flow,
    ) -> BodyFacts {
        let mut facts = BodyFacts::default();
        let Some(range) = item.body.clone() else { return facts };
        let parameters = head.parameters.iter().copied().zip(signature.parameters.iter().copied());
        let results = head.results.iter().copied().zip(signature.results.iter().copied());
        let mut body = Body::new(flow, &self.symbols, parameters.chain(results));
        statements::each(text, range, |part| match part {
            Part::Open => body.open(),
            Part::Close => body.close(),
            Part::Statement(tokens) => self.statement(tokens, &mut body, &mut facts),
        });
        facts
    }

    fn statement<'text>(
        &self,
        tokens: &[PtxToken<'text>],
        body: &mut Body<'_, 'text, &Symbols>,
        facts: &mut BodyFacts,
    ) {
        let tokens = without_guard(tokens);
        let Some((&PtxToken::Word(opcode), rest)) = tokens.split_first() else { return };
        if opcode.starts_with('.') {
            if matches!(opcode, ".reg" | ".param" | ".local")
                && let Some(name) = single_name(rest)
            {
                body.declare(name);
            }
            return;
        }
        facts.instructions = facts.instructions.saturating_add(1);
        if opcode != "call" && !opcode.starts_with("call.") {
            let named = names(rest).filter_map(|name| (self.symbols)(name));
            facts.references.extend(named);
            body.instruction(opcode, rest);
            return;
        }
        let call = CallOperands::of(rest);
        let target = match call.target {
            [PtxToken::Word(word)] => (self.symbols)(word),
            _ => None,
        };
        let callee = target.filter(|&target| self.is_function.get(target) == Some(&true));
        if let Some(callee) = callee {
            let count = facts.calls.entry(callee).or_insert(0);
            *count = count.saturating_add(1);
        } else {
            facts.indirect_calls = facts.indirect_calls.saturating_add(1);
            facts.references.extend(target);
        }
        let named = names(call.arguments).filter_map(|name| (self.symbols)(name));
        facts.references.extend(named);
        let signature = callee.and_then(|callee| self.signatures.get(&callee));
        body.call(call.results, call.arguments, signature);
    }
}

/// The operands of a call.
#[derive(Default)]
struct CallOperands<'part, 'text> {
    results: &'part [PtxToken<'text>],
    target: &'part [PtxToken<'text>],
    arguments: &'part [PtxToken<'text>],
}

impl<'part, 'text> CallOperands<'part, 'text> {
    /// Divides `(results), target, (arguments), prototype`, of which the target alone must be
    /// there.
    fn of(tokens: &'part [PtxToken<'text>]) -> Self {
        let mut call = Self::default();
        let mut lists = operands(tokens).peekable();
        let is_list = |operand: &&[PtxToken<'_>]| operand.first() == Some(&PtxToken::Symbol('('));
        call.results = lists.next_if(is_list).unwrap_or_default();
        call.target = lists.next().unwrap_or_default();
        call.arguments = lists.next_if(is_list).unwrap_or_default();
        call
    }
}

/// Returns the tokens of an instruction behind its predicate.
fn without_guard<'part, 'text>(tokens: &'part [PtxToken<'text>]) -> &'part [PtxToken<'text>] {
    match tokens {
        [PtxToken::Symbol('@'), PtxToken::Symbol('!'), _, rest @ ..]
        | [PtxToken::Symbol('@'), _, rest @ ..] => rest,
        tokens => tokens,
    }
}

/// Returns the name that a declaration gives, unless it gives a row of numbered names.
fn single_name<'text>(tokens: &[PtxToken<'text>]) -> Option<&'text str> {
    let is_row = tokens.contains(&PtxToken::Symbol('<')) || tokens.contains(&PtxToken::Symbol(','));
    heads::name(tokens).filter(|_| !is_row)
}

/// Returns the tokens in a range of the text.
pub(super) fn tokens(text: &str, range: std::ops::Range<usize>) -> Vec<PtxToken<'_>> {
    ptx_tokens(text, range).map(|(token, _)| token).collect()
}

/// Makes the nodes of a function's parameters and results.
pub(super) fn signature(flow: &mut Flow, head: &FunctionHead<'_>) -> Signature {
    let mut nodes = |count: usize| -> Vec<Node> { (0..count).map(|_| flow.node()).collect() };
    Signature { parameters: nodes(head.parameters.len()), results: nodes(head.results.len()) }
}
