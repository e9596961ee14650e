//! Questions about a symbol, from the record of decisions.

use weft_artifact::{Artifact as _, Decisions};
use weft_cli::{Blame as _, Fault, Glob, failure, files};
use weft_report::{Answers, Facts, Form, NameTable, Question};

use super::query::About;

/// Returns the answer to a question.
pub(super) fn answer(question: Question<'_>, about: &About) -> anyhow::Result<String> {
    let path = about.output_dir.join(Decisions::FILE_NAME);
    let wrong = || path.display().to_string();
    let decisions = Decisions::decode(&files::read(&path)?).blame(Fault::Input, wrong)?;
    let (mut facts, mut names) = (Facts::default(), NameTable::default());
    facts
        .add(&decisions, &mut names)
        .map_err(|reason| failure(Fault::Input, format!("{}: {reason}", wrong())))?;
    let form = if about.mangled { Form::Mangled } else { Form::Demangled };
    let answers = Answers { facts: &facts, names: names.names(), form };
    let glob = Glob::new(&about.symbol);
    answers
        .answer(question, &about.symbol, &|name| glob.matches(name))
        .map_err(|reason| failure(Fault::Usage, reason))
}
