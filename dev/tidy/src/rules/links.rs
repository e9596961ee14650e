//! Relative links in Markdown must go to a file or folder of the checkout.

use crate::checkout::File;
use crate::violation::Violation;

/// Finds the links of one file that go nowhere; `paths` are all files, sorted.
pub(crate) fn violations(file: &File, paths: &[String]) -> Vec<Violation> {
    if file.extension() != "md" {
        return Vec::new();
    }
    let mut in_fence = false;
    let mut found = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_fence = !in_fence;
        } else if !in_fence {
            let broken = targets(line).into_iter().filter(|link| !resolves(file, link, paths));
            let message = |link: &str| format!("the link to {link} goes nowhere");
            found.extend(broken.map(|link| Violation::new(file, index + 1, message(link))));
        }
    }
    found
}

/// Returns the targets of `[text](target)` and of `[name]: target` in a line.
fn targets(line: &str) -> Vec<&str> {
    let inline = line.match_indices("](").filter_map(|(at, _)| {
        let target = line[at + 2..].split([')', ' ']).next()?;
        let in_code = line[..at].matches('`').count() % 2 == 1;
        (!in_code).then_some(target)
    });
    let reference = line.strip_prefix('[').and_then(|line| line.split_once("]: "));
    let reference = reference.and_then(|(_, rest)| rest.split_whitespace().next());
    inline.chain(reference).collect()
}

fn resolves(file: &File, link: &str, paths: &[String]) -> bool {
    let target = link.trim_start_matches('<').trim_end_matches('>');
    let target = target.split('#').next().unwrap_or_default();
    // A scheme is a word before a colon: `https:`, `mailto:`.
    let is_elsewhere = target.split_once(':').is_some_and(|(scheme, _)| !scheme.contains('/'));
    if target.is_empty() || is_elsewhere {
        return true;
    }
    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    match normal(folder, target) {
        // The root itself.
        Some(path) if path.is_empty() => true,
        Some(path) => {
            let below = format!("{path}/");
            paths.iter().any(|known| *known == path || known.starts_with(&below))
        }
        None => false,
    }
}

/// Returns `target` as seen from `folder`, without `.` and `..`, unless it leaves the checkout.
fn normal(folder: &str, target: &str) -> Option<String> {
    let start = if target.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = Vec::new();
    for part in start.split('/').chain(target.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::violations;
    use crate::violation::lines;

    #[test]
    fn links_that_go_nowhere_are_found() {
        let paths = ["docs/a.md", "docs/deep/b.md", "README.md"].map(str::to_owned);
        let rule = |file: &crate::checkout::File| violations(file, &paths);
        let broken = "[x](c.md)\n[y](../../README.md)\n\n[z]: deep/c.md\n";
        assert_eq!(lines(rule, "docs/a.md", broken), [1, 2, 4]);
        let sound = "[x](deep/b.md#part) [y](../README.md \"title\") [z](deep/) [w](#part)\n\
                     [v](https://example.org/x) `[u](none)`\n```\n[t](none)\n\
                     ```\n[s]: ./deep/b.md\n";
        assert!(lines(rule, "docs/a.md", sound).is_empty());
        assert!(lines(rule, "docs/a.rs", broken).is_empty());
    }
}
