//! The answers of the page and of `thinlink`. The page has the logic in its scripts, and the
//! command in Rust.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::json;
use weft_artifact::{Artifact as _, Decisions};
use weft_report::{Answers, Facts, Form, NameTable, Question};
use weft_tests::{Run, tools};

use crate::page::made::Made;
use crate::page::walk::assert_quiet;

/// Every so many questions, the command itself answers, too.
const ASKED_ON_THE_COMMAND_LINE: usize = 23;

/// A question as the page's address, the command line and the library have it.
struct Asked {
    key: &'static str,
    name: String,
    /// Position and id of the module, if the question is about one.
    module: Option<(usize, String)>,
}

impl Asked {
    fn question(&self) -> Question<'_> {
        let module = self.module.as_ref().map_or("", |(_, id)| id);
        match self.key {
            "live" => Question::WhyLive,
            "dead" => Question::WhyDead,
            "imported" => Question::WhyImported(module),
            "not-imported" => Question::WhyNotImported(module),
            "closed" => Question::WhyClosed,
            _ => Question::WhyNotClosed,
        }
    }
}

/// Fails the test unless the page answers as the commands do: about every `step`th symbol whether
/// it stays and is closed, and about every `step`th candidate of each module whether it is
/// imported.
pub(crate) fn assert_equal(made: &Made, plans: &Path, step: usize) {
    let asked = questions(made, step);
    let decisions = std::fs::read(plans.join("decisions.weft")).unwrap();
    let (mut facts, mut names) = (Facts::default(), NameTable::default());
    facts.add(&Decisions::decode(&decisions).unwrap(), &mut names).unwrap();
    let answers = Answers { facts: &facts, names: names.names(), form: Form::Demangled };
    let shown = ask_the_page(made, &asked);
    assert_eq!(shown.len(), asked.len());
    let mut kinds = BTreeSet::new();
    for (number, (asked, shown)) in asked.iter().zip(&shown).enumerate() {
        let answer = answers.answer(asked.question(), &asked.name, &|_| false);
        let expected = match &answer {
            Ok(text) => text.trim_end().to_owned(),
            // The page knows which symbol is meant, and the command repeats what was typed.
            Err(text) => {
                let whole = names.find(&asked.name).map(|name| names.names().demangled(name));
                text.replace(&asked.name, whole.unwrap())
            }
        };
        assert_eq!(*shown, expected, "{} {} {:?}", asked.key, asked.name, asked.module);
        kinds.insert((asked.key, shown.starts_with("But "), answer.is_ok()));
        if number % ASKED_ON_THE_COMMAND_LINE == 0 && answer.is_ok() {
            assert_eq!(command(asked, plans).trim_end(), expected);
        }
    }
    assert!(kinds.len() >= 8, "the program has few kinds of answers: {kinds:?}");
}

fn questions(made: &Made, step: usize) -> Vec<Asked> {
    let report = &made.report;
    let name = |name: u32| report.names.mangled(name).to_owned();
    let defined: BTreeSet<u32> = report.definitions.name.iter().copied().collect();
    let mut asked = Vec::new();
    for symbol in defined.iter().copied().step_by(step) {
        let keys = ["live", "dead", "closed", "not-closed"];
        asked.extend(keys.map(|key| Asked { key, name: name(symbol), module: None }));
    }
    for (at, module) in report.modules.iter().enumerate() {
        let candidates = module.candidates.iter().step_by(step);
        let weighed: BTreeSet<u32> = candidates
            .map(|candidate| report.definitions.name[candidate.definition as usize])
            .collect();
        // One symbol of each module was perhaps not weighed.
        for symbol in weighed.into_iter().chain(defined.iter().copied().skip(at * step).take(1)) {
            for key in ["imported", "not-imported"] {
                let module = Some((at, module.id.clone()));
                asked.push(Asked { key, name: name(symbol), module });
            }
        }
    }
    asked
}

/// Asks the page all questions, through its addresses, and returns the texts that it shows.
fn ask_the_page(made: &Made, asked: &[Asked]) -> Vec<String> {
    let list: Vec<_> = asked
        .iter()
        .map(|asked| json!([asked.key, asked.name, asked.module.as_ref().map(|(at, _)| at)]))
        .collect();
    let mut browser = made.open("#questions");
    let script = format!(
        "(async () => {{
           const texts = [];
           for (const [ask, symbol, unit] of {}) {{
             const values = new URLSearchParams({{ ask, symbol, at: texts.length }});
             if (unit !== null) values.set('unit', unit);
             const changed = new Promise((done) =>
               addEventListener('hashchange', done, {{ once: true }}));
             location.hash = '#questions?' + values;
             await changed;
             texts.push(document.getElementById('answer')?.textContent ?? 'no answer');
           }}
           return texts;
         }})()",
        json!(list)
    );
    let shown = browser.evaluate(&script).unwrap();
    assert_quiet(&browser);
    let texts = shown.as_array().unwrap().iter();
    texts.map(|text| text.as_str().unwrap().to_owned()).collect()
}

fn command(asked: &Asked, plans: &Path) -> String {
    let module = asked.module.iter().map(|(_, id)| id.clone());
    Run::new(tools().weft("weft"), plans)
        .arg(format!("why-{}", asked.key))
        .args(["-o", "."])
        .args(module)
        .arg(&asked.name)
        .succeed()
        .stdout
}
