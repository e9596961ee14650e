//! Words are spelled as Americans do, in text, in names and in the paths of files, as LLVM's and
//! CUDA's own words are.
//!
//! Words with `-ise` and `-yse` are recognized by their ending, as they are many; the others are
//! listed by their stem.

use crate::checkout::File;
use crate::violation::Violation;

/// Files whose words are not ours, or must be named, by the start of the path, with the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("", "nsise", "a part of a name that a compiler made"),
    ("Cargo.lock", "", "names of other projects"),
    ("LICENSE", "", "the license is quoted"),
    ("dev/tidy/src/rules/spelling.rs", "", "this rule names the words"),
];
/// Parts of messages, which users and their scripts know by their bytes.
const MESSAGES: &[&str] = &[
    "built for link-time optimisation",
    "the linked and the optimised module",
    "the optimisation is partial",
    "host objects for link-time optimisation",
];
/// Endings of the words that have `z` in American, and the ending that `analyze` has.
const ENDINGS: &[&str] =
    &["e", "ed", "es", "ing", "er", "ers", "ation", "ations", "able", "ability", "ational"];
/// Starts of the words that have `-is-` in American, too.
const WITH_S: &[&str] = &[
    "adv", "advert", "ar", "appra", "bru", "chast", "circumc", "cla", "compr", "comprom", "conc",
    "cru", "dem", "desp", "dev", "disgu", "enterpr", "exc", "exerc", "expert", "franch", "gu",
    "imprec", "improv", "inc", "m", "merchand", "mayonna", "no", "parad", "po", "pra", "prec",
    "prem", "prom", "r", "ra", "rev", "superv", "surpr", "telev", "treat", "unra", "upr", "v", "w",
    "d", "l", "unadv", "d",
];
/// Starts of words, and of their compounds.
const STEMS: &[(&str, &str)] = &[
    ("acknowledgement", "acknowledgment"),
    ("ageing", "aging"),
    ("aluminium", "aluminum"),
    ("analogue", "analog"),
    ("analys", "analyz"),
    ("armour", "armor"),
    ("artefact", "artifact"),
    ("behaviour", "behavior"),
    ("benefitt", "benefit"),
    ("calibre", "caliber"),
    ("catalogue", "catalog"),
    ("catalys", "catalyz"),
    ("centre", "center"),
    ("channell", "channel"),
    ("colour", "color"),
    ("defence", "defense"),
    ("endeavour", "endeavor"),
    ("enrolment", "enrollment"),
    ("favour", "favor"),
    ("fibre", "fiber"),
    ("flavour", "flavor"),
    ("focuss", "focus"),
    ("fuell", "fuel"),
    ("fulfilment", "fulfillment"),
    ("funnell", "funnel"),
    ("grey", "gray"),
    ("harbour", "harbor"),
    ("honour", "honor"),
    ("humour", "humor"),
    ("instalment", "installment"),
    ("judgement", "judgment"),
    ("labell", "label"),
    ("labour", "labor"),
    ("learnt", "learned"),
    ("levell", "level"),
    ("licence", "license"),
    ("manoeuvr", "maneuver"),
    ("metre", "meter"),
    ("millimetre", "millimeter"),
    ("kilometre", "kilometer"),
    ("modell", "model"),
    ("neighbour", "neighbor"),
    ("odour", "odor"),
    ("offence", "offense"),
    ("parlour", "parlor"),
    ("paralys", "paralyz"),
    ("plough", "plow"),
    ("practis", "practic"),
    ("pretence", "pretense"),
    ("programme", "program"),
    ("rigour", "rigor"),
    ("rivall", "rival"),
    ("rumour", "rumor"),
    ("saviour", "savior"),
    ("sceptic", "skeptic"),
    ("signall", "signal"),
    ("skilful", "skillful"),
    ("speciality", "specialty"),
    ("splendour", "splendor"),
    ("theatre", "theater"),
    ("totall", "total"),
    ("travell", "travel"),
    ("tumour", "tumor"),
    ("tunnell", "tunnel"),
    ("unlabell", "unlabel"),
    ("unravell", "unravel"),
    ("vapour", "vapor"),
    ("vigour", "vigor"),
    ("whilst", "while"),
    ("wilful", "willful"),
];
/// Words that are British as they stand, while longer words that start with them are not.
const WORDS: &[(&str, &str)] = &[
    ("amongst", "among"),
    ("enrol", "enroll"),
    ("enrols", "enrolls"),
    ("fulfil", "fulfill"),
    ("fulfils", "fulfills"),
];
/// Words that start with a stem and are American.
const ALLOWED: &[&str] = &[
    "analyses",
    "analysis",
    "analyst",
    "analysts",
    "catalysis",
    "catalyst",
    "catalysts",
    "modeller",
    "paralysis",
    "programmed",
    "programmer",
    "programmers",
    "totally",
];

/// Finds British words in the text and in the path of one file.
pub(crate) fn violations(file: &File) -> Vec<Violation> {
    let is_excepted = |word: &str| {
        EXCEPTIONS.iter().any(|(place, excepted, _)| {
            file.path.starts_with(place) && (excepted.is_empty() || *excepted == word)
        })
    };
    let mut found = Vec::new();
    for (index, line) in std::iter::once(file.path.as_str()).chain(file.text.lines()).enumerate() {
        let is_message = || MESSAGES.iter().any(|part| line.contains(part));
        for word in words(line) {
            let american = american(&word).filter(|_| !is_excepted(&word) && !is_message());
            if let Some(american) = american {
                let message = format!("{word}: the American spelling is {american}");
                found.push(Violation::new(file, index, message));
            }
        }
    }
    found
}

/// Splits a line into words in small letters; `CamelCase` and `snake_case` are several words.
fn words(line: &str) -> impl Iterator<Item = String> {
    let is_end = |c: char| !c.is_ascii_alphabetic();
    line.split(is_end).filter(|run| run.len() > 3).flat_map(|run| {
        let mut words = vec![String::new()];
        let mut after_small = false;
        for letter in run.chars() {
            if letter.is_ascii_uppercase() && after_small {
                words.push(String::new());
            }
            after_small = letter.is_ascii_lowercase();
            if let Some(word) = words.last_mut() {
                word.push(letter.to_ascii_lowercase());
            }
        }
        words
    })
}

/// Returns the American spelling of a British word.
fn american(word: &str) -> Option<String> {
    if ALLOWED.contains(&word) {
        return None;
    }
    if let Some((_, american)) = WORDS.iter().find(|(british, _)| *british == word) {
        return Some((*american).to_owned());
    }
    let stem =
        STEMS.iter().find_map(|(british, american)| Some((word.strip_prefix(british)?, american)));
    if let Some((ending, american)) = stem {
        return Some(format!("{american}{ending}"));
    }
    let (before, ending) = word.rsplit_once("is")?;
    // Two words in one, such as `otherwise`, end like the shorter one.
    let has_s = WITH_S.contains(&before) || before.ends_with('w');
    (ENDINGS.contains(&ending) && before.len() > 1 && !has_s).then(|| format!("{before}iz{ending}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::violation::lines;

    #[test]
    fn british_words_are_found_in_text_names_and_paths() {
        let text = "the optimiser\nfn localise_all()\nstruct LinkOptimised;\nBEHAVIOUR\ncentred\n\
                    analysed\nlabelled\nrecognise\nunrecognised devirtualisation\nfulfil\n";
        let expected = [1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10];
        assert_eq!(lines(violations, "a.md", text), expected);
        assert_eq!(lines(violations, "src/normalise.rs", ""), [0]);
    }

    #[test]
    fn american_words_are_not_found() {
        let text = "optimizer behavior analyses otherwise likewise promised raised noise exercise\n\
                    disable canceled cancelled programmer fulfilled surprise precise advised is\n\
                    totally this visited precision revised risen basis\n";
        assert_eq!(lines(violations, "a.md", text), [0; 0]);
    }

    #[test]
    fn exceptions_hold_for_their_files() {
        assert!(lines(violations, "LICENSE", "licence\n").is_empty());
        assert_eq!(lines(violations, "README.md", "licence\n"), [1]);
        let message = "fail(\"not built for link-time optimisation\");\n// optimisation\n";
        assert_eq!(lines(violations, "a.rs", message), [2]);
    }
}
