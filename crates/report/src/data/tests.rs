use super::*;
use crate::names::NameTable;

/// Returns a small report that has a value in every kind of field.
fn report() -> BuildReport {
    let mut names = NameTable::default();
    let kernel = names.number("_Z1kv</script>\"'\u{0}\u{1b}");
    let callee = names.number("_Z1fi");
    let site = InlineSite { caller: kernel, callee, instructions: -1, ..InlineSite::default() };
    let candidate = Candidate { definition: 1, refusal: Some(2), ..Candidate::default() };
    let module = Module {
        id: "a.cu".to_owned(),
        imports: vec![Edge { source: 1, symbols: 2, copies: 3 }],
        sites: vec![site, InlineSite { inlined: true, origin: Some(0), ..site }],
        candidates: vec![candidate, Candidate { refusal: None, caller: Some(0), ..candidate }],
        ..Module::default()
    };
    let kernel = Kernel {
        name: kernel,
        registers: 40,
        constant: [("0".to_owned(), 560)].into(),
        spill_stores: Some(0),
        ..Kernel::default()
    };
    BuildReport {
        names: names.into_names(),
        modules: vec![module],
        kernels: vec![kernel],
        ..BuildReport::new("program")
    }
}

#[test]
fn a_report_reads_back_from_json() {
    let json = serde_json::to_string(&report()).unwrap();
    assert_eq!(serde_json::from_str::<BuildReport>(&json).unwrap(), report());
}

#[test]
fn fields_are_left_out_or_short() {
    let json = serde_json::to_value(report()).unwrap();
    assert_eq!(json["modules"][0]["imports"][0], serde_json::json!([1, 2, 3]));
    assert_eq!(json["modules"][0]["candidates"][0], serde_json::json!([1, 0, 2, -1, 0, 0, 0, 0]));
    assert_eq!(json["modules"][0]["sites"][1][3], 0);
    let kernel = json["kernels"][0].as_object().unwrap();
    // A spill of zero bytes is known, and so it is there.
    let fields: Vec<_> = kernel.keys().map(String::as_str).collect();
    assert_eq!(fields, ["constant", "module", "name", "registers", "spill_stores"]);
    assert!(json.get("jobs").is_none());
}

/// Readers of the JSON know the sentences by their keys, and their places by name.
#[test]
fn every_brace_of_a_sentence_names_a_place() {
    let words = Words::standard();
    let places = [
        "caller",
        "callee",
        "class",
        "definition",
        "exit",
        "module",
        "number",
        "other",
        "pass",
        "reason",
        "sentence",
        "source",
        "symbol",
    ];
    let pairs = words.fates.iter().chain(&words.refusals).chain(&words.exits);
    for text in pairs.map(|(_, text)| text).chain(words.sentences.values()) {
        for part in text.split('{').skip(1) {
            let (place, _) = part.split_once('}').unwrap();
            assert!(places.contains(&place), "{text}");
        }
    }
}

/// Scripts are written after the page, so it names every field of the JSON. Structs that are short
/// arrays there have no names of fields.
#[test]
fn the_documentation_names_every_field() {
    let page = include_str!("../../../../docs/report.md");
    let sources = [
        include_str!("build.rs"),
        include_str!("change.rs"),
        include_str!("job.rs"),
        include_str!("kernel.rs"),
        include_str!("link.rs"),
        include_str!("words.rs"),
        include_str!("../names.rs"),
    ];
    let mut count = 0;
    for source in sources {
        let mut is_array = false;
        for line in source.lines() {
            if line.starts_with("#[serde(into") {
                is_array = true;
            } else if line == "}" {
                is_array = false;
            }
            let field = line.strip_prefix("    pub ").and_then(|line| line.split_once(':'));
            let Some((field, _)) = field.filter(|_| !is_array) else { continue };
            if !field.contains(['(', '<']) {
                assert!(page.contains(&format!("`{field}`")), "docs/report.md lacks `{field}`");
                count += 1;
            }
        }
    }
    assert!(count > 90, "{count} fields were found");
}
