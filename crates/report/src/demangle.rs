//! Demangles a name to its source form.
//!
//! Names of symbols are input: they may be long, deeply nested, cyclic, or no names of C++ at all.
//! So the demangler's depth and the length of its text are bounded, and a name that it does not
//! understand stays as it is.

use std::fmt::{self, Write};

use cpp_demangle::{BorrowedSymbol, DemangleOptions};

/// Maximum number of bytes of a demangled name. A few hundred bytes of mangled name can expand to
/// gigabytes, because a name refers to its own parts.
pub const DEMANGLED_BYTES: usize = 2048;
/// Maximum number of bytes of a short name.
const SHORT_BYTES: usize = 72;
/// Maximum number of bytes of a mangled name that is demangled.
const MANGLED_BYTES: usize = 64 << 10;
/// Sign at the place of text that was left out.
const LEFT_OUT: char = '\u{2026}';
/// Start of the suffix that the name of a promoted local has.
const PROMOTED: &str = "_weft_";
/// Starts of the suffixes that clang gives to static kernels and variables, which host code names.
const EXTERNALIZED: [&str; 2] = ["__intern__", "__static__"];

/// Returns the demangled name, or `None` for a name that is not mangled. A name that is too long
/// ends with an ellipsis.
pub fn demangled(mangled: &str) -> Option<String> {
    let text = with(mangled, DemangleOptions::new(), DEMANGLED_BYTES)?;
    Some(if is_promoted(mangled) { format!("{text} [promoted]") } else { text })
}

/// Returns a short form of the name: without parameters and result, and with long template
/// arguments left out. A name that is not mangled is cut if it is long.
pub fn short(mangled: &str) -> String {
    let options = DemangleOptions::new().no_params().no_return_type();
    let text = with(mangled, options, DEMANGLED_BYTES);
    let mut text = text.unwrap_or_else(|| mangled.to_owned());
    // The outermost arguments say the most, so the inner ones go first.
    for depth in [3, 2, 1, 0] {
        if text.len() <= SHORT_BYTES {
            break;
        }
        text = without_arguments_below(&text, depth);
    }
    cut(text, SHORT_BYTES)
}

fn with(mangled: &str, options: DemangleOptions, most: usize) -> Option<String> {
    if !mangled.starts_with("_Z") || mangled.len() > MANGLED_BYTES {
        return None;
    }
    let (symbol, rest) = BorrowedSymbol::with_tail(mangled.as_bytes()).ok()?;
    let is_externalized = EXTERNALIZED.iter().any(|start| rest.starts_with(start.as_bytes()));
    let is_suffix =
        is_externalized || rest.starts_with(PROMOTED.as_bytes()) && is_promoted(mangled);
    if !rest.is_empty() && !is_suffix {
        return None;
    }
    let mut text = Bounded { text: String::new(), most };
    let whole = symbol.structured_demangle(&mut text, &options).is_ok();
    let Bounded { mut text, .. } = text;
    if whole {
        return Some(text);
    }
    // The text is cut off, or the demangler gave up before the end.
    if text.is_empty() {
        return None;
    }
    text.push(LEFT_OUT);
    Some(text)
}

/// Whether the name has the suffix of a promoted local: `_weft_` and 16 hexadecimal digits.
fn is_promoted(mangled: &str) -> bool {
    mangled.rsplit_once(PROMOTED).is_some_and(|(_, digits)| {
        digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// A text that refuses to become longer than a limit.
struct Bounded {
    text: String,
    most: usize,
}

impl Write for Bounded {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        if self.text.len() + part.len() <= self.most {
            self.text.push_str(part);
            return Ok(());
        }
        let room = self.most.saturating_sub(self.text.len());
        self.text.push_str(&part[..part.floor_char_boundary(room)]);
        Err(fmt::Error)
    }
}

/// Returns `text` with the template arguments left out that are nested deeper than `depth`.
fn without_arguments_below(text: &str, depth: usize) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut passed = String::with_capacity(text.len());
    let mut level = 0;
    let mut before = ' ';
    for letter in text.chars() {
        // An operator or an arrow is not a bracket.
        let operator = ["operator", "operator<", "operator>"];
        let is_bracket = before != '-' && !operator.iter().any(|word| passed.ends_with(word));
        match letter {
            '<' if is_bracket => {
                level += 1;
                if level <= depth + 1 {
                    kept.push('<');
                }
                if level == depth + 1 {
                    kept.push(LEFT_OUT);
                }
            }
            '>' if is_bracket && level > 0 => {
                if level <= depth + 1 {
                    kept.push('>');
                }
                level -= 1;
            }
            _ if level <= depth => kept.push(letter),
            _ => {}
        }
        passed.push(letter);
        before = letter;
    }
    kept
}

fn cut(mut text: String, most: usize) -> String {
    if text.len() > most {
        text.truncate(text.floor_char_boundary(most - LEFT_OUT.len_utf8()));
        text.push(LEFT_OUT);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_source() {
        for (mangled, whole, brief) in [
            (
                "_Z14CollisionEventP10MonteCarloR11MC_Particlej",
                "CollisionEvent(MonteCarlo*, MC_Particle&, unsigned int)",
                "CollisionEvent",
            ),
            (
                "_Z13fold_responseI4FastEvPfi",
                "void fold_response<Fast>(float*, int)",
                "fold_response<Fast>",
            ),
            (
                "_ZN12_GLOBAL__N_13barEv_weft_0123456789abcdef",
                "(anonymous namespace)::bar() [promoted]",
                "(anonymous namespace)::bar",
            ),
            (
                "_ZN1n12_GLOBAL__N_13barEv__intern__a0a27576fda30d1c",
                "n::(anonymous namespace)::bar()",
                "n::(anonymous namespace)::bar",
            ),
        ] {
            assert_eq!(demangled(mangled).as_deref(), Some(whole));
            assert_eq!(short(mangled), brief);
        }
        for plain in ["main", "_Z", "_Zx", "", "_Z3fo", "_Z1fv and more", "_Z1fv_weft_12"] {
            assert_eq!(demangled(plain), None, "{plain}");
            assert_eq!(short(plain), plain);
        }
    }

    #[test]
    fn long_arguments_are_left_out_from_within() {
        let inner = "_ZN1a1bINS_9long_nameINS_9long_nameINS_9long_nameINS_9long_nameIiEEEEEEEE\
                     NS1_IiEEEEvv";
        let brief = short(inner);
        assert!(brief.starts_with("a::b<") && brief.contains('\u{2026}'), "{brief}");
        assert!(brief.len() <= SHORT_BYTES, "{brief}");
        assert_eq!(without_arguments_below("f<a<b>, c>::g", 0), "f<\u{2026}>::g");
        assert_eq!(without_arguments_below("f<a<b>, c>::g", 1), "f<a<\u{2026}>, c>::g");
        assert_eq!(without_arguments_below("operator<< <a>", 0), "operator<< <\u{2026}>");
        assert_eq!(without_arguments_below("f<&operator>>, c>", 0), "f<\u{2026}>");
        assert_eq!(without_arguments_below("operator->", 0), "operator->");
    }

    #[test]
    fn hostile_names_end_soon_and_stay_short() {
        let nested = |count: usize| format!("_Z1f{}i", "P".repeat(count));
        assert_eq!(demangled(&nested(60_000)), None);
        assert!(short(&nested(60_000)).len() <= SHORT_BYTES);
        // Each argument holds the one before it twice.
        let mut doubling = "_Z1fI1aE".to_owned();
        doubling.push_str("1bIS_S_E");
        for number in 0..30 {
            let last = if number == 0 { "0".to_owned() } else { base36(number) };
            let _ = write!(doubling, "1bIS{last}_S{last}_E");
        }
        for name in [doubling.as_str(), "_Z1fIJTpT_EE", "_ZNS_S_E", "_Z1fIXT_EE"] {
            assert!(demangled(name).is_none_or(|text| text.len() <= DEMANGLED_BYTES + 3), "{name}");
        }
        let long = format!("_Z{}{}v", 60_000, "x".repeat(60_000));
        let text = demangled(&long).unwrap_or_default();
        assert!(text.starts_with("xxx") && text.ends_with(LEFT_OUT), "{}", text.len());
        assert_eq!(text.len(), DEMANGLED_BYTES + LEFT_OUT.len_utf8());
        assert_eq!(short(&"y".repeat(60_000)).len(), SHORT_BYTES);
        assert_eq!(short(&"\u{fffd}".repeat(60_000)).len(), SHORT_BYTES - SHORT_BYTES % 3);
    }

    fn base36(number: u32) -> String {
        let digits = [number / 36, number % 36].map(|digit| char::from_digit(digit, 36));
        let text: String = digits.into_iter().flatten().collect();
        text.trim_start_matches('0').to_uppercase()
    }
}
