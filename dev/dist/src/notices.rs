//! One text with all licenses: each text once, under the names of the parts that it belongs to.

use std::collections::BTreeMap;

use crate::components::Component;

const RULE: &str = "================================================================";

/// Returns the text.
pub(crate) fn text(components: &[Component]) -> String {
    let mut owners: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, component) in components.iter().enumerate() {
        for text in &component.texts {
            owners.entry(text.trim()).or_default().push(index);
        }
    }
    let mut groups: Vec<(Vec<usize>, &str)> =
        owners.into_iter().map(|(text, owners)| (owners, text)).collect();
    groups.sort();
    let head = "Weft's executables hold code of the parts below. Each text is under the names of \
                the parts that it\nbelongs to.\n";
    let groups = groups.into_iter().map(|(mut owners, text)| {
        owners.dedup();
        let names: Vec<String> = owners.iter().map(|owner| line(&components[*owner])).collect();
        format!("\n{RULE}\n{}{RULE}\n\n{text}\n", names.concat())
    });
    head.to_owned() + &groups.collect::<Vec<_>>().concat()
}

fn line(part: &Component) -> String {
    let license = part.license.as_ref().map(|license| format!(", {license}"));
    format!("{} {}{}\n", part.name, part.version, license.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_two_parts_share_occurs_once() {
        let component = |name: &str, texts: &[&str]| Component {
            name: name.to_owned(),
            version: "1".to_owned(),
            license: None,
            package_url: String::new(),
            texts: texts.iter().map(|text| (*text).to_owned()).collect(),
        };
        let text = text(&[component("a", &["shared\n", "of a"]), component("b", &["shared"])]);
        assert_eq!(text.matches("shared").count(), 1);
        assert!(text.contains("\na 1\nb 1\n"), "{text}");
        assert!(text.contains("of a"));
    }
}
