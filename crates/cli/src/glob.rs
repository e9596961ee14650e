//! Names with wildcards, as users write them.

/// A pattern: `*` matches any characters, `?` one, `[a-z]` one in a set and `[!a-z]` one outside a
/// set. Anything else matches itself.
#[derive(Clone, Debug)]
pub struct Glob<'text> {
    pattern: &'text [u8],
}

impl<'text> Glob<'text> {
    /// Takes the pattern as the user wrote it.
    #[must_use]
    pub fn new(pattern: &'text str) -> Self {
        Self { pattern: pattern.as_bytes() }
    }

    /// Whether it is all of `name`. Linear but for stars, which each try every place once.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        let name = name.as_bytes();
        let (mut at, mut position) = (0, 0);
        // Position at which matching goes on if the text behind the last star does not match here.
        let mut retry: Option<(usize, usize)> = None;
        while position < name.len() {
            let step = match self.pattern.get(at) {
                Some(b'*') => {
                    retry = Some((at + 1, position));
                    at += 1;
                    continue;
                }
                Some(b'?') => Some(1),
                Some(b'[') => set(&self.pattern[at..], name[position]),
                Some(byte) => (*byte == name[position]).then_some(1),
                None => None,
            };
            match (step, retry) {
                (Some(length), _) => (at, position) = (at + length, position + 1),
                (None, Some((after_star, start))) => {
                    (at, position) = (after_star, start + 1);
                    retry = Some((after_star, start + 1));
                }
                (None, None) => return false,
            }
        }
        self.pattern[at..].iter().all(|byte| *byte == b'*')
    }
}

/// Returns the length of the set at the start of `pattern`, if the set matches `byte`. A bracket
/// that is never closed matches itself.
fn set(pattern: &[u8], byte: u8) -> Option<usize> {
    let is_negated = pattern.get(1) == Some(&b'!');
    let start = if is_negated { 2 } else { 1 };
    // A bracket right at the start is a member.
    let Some(length) = pattern
        .iter()
        .skip(start + 1)
        .position(|byte| *byte == b']')
        .map(|length| length + start + 1)
    else {
        return (byte == b'[').then_some(1);
    };
    let mut members = &pattern[start..length];
    let mut is_member = false;
    while let [first, rest @ ..] = members {
        if let [b'-', last, rest @ ..] = rest {
            is_member |= (first..=last).contains(&&byte);
            members = rest;
        } else {
            is_member |= *first == byte;
            members = rest;
        }
    }
    (is_member != is_negated).then_some(length + 1)
}

#[cfg(test)]
mod tests {
    use super::Glob;

    #[test]
    fn wildcards_mean_what_they_do_in_a_shell() {
        for (pattern, yes, no) in [
            ("_Z4step*", "_Z4stepPf", "_Z4ste"),
            ("*", "", "\u{0}"),
            ("a?c", "abc", "ac"),
            ("*mid*end", "amidmidbend", "amidenx"),
            ("[a-c]x", "bx", "dx"),
            ("[!a-c]x", "dx", "bx"),
            ("[]]", "]", "["),
            ("[x", "[x", "x"),
            ("exact", "exact", "exactly"),
            ("a*a*a*b", "aaaaaaab", "aaaaaaaa"),
        ] {
            assert!(Glob::new(pattern).matches(yes), "{pattern} {yes}");
            assert!(pattern == "*" || !Glob::new(pattern).matches(no), "{pattern} {no}");
        }
    }
}
