//! Random edits of a program's units.

use super::Program;
use super::draft::Definition;
use crate::random::Random;

/// An edit of one unit.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The unit.
    pub unit: usize,
    /// What it changes.
    pub kind: EditKind,
    /// The program afterwards.
    pub program: Program,
}

/// What an edit changes.
#[derive(Clone, Debug)]
pub enum EditKind {
    /// The value of a definition, and nothing that a summary tells of it.
    Value(Definition),
    /// The value and the size of a function.
    Growth(Definition),
    /// There is a new function, which nothing names.
    Addition,
}

impl Program {
    /// A random edit of a random unit.
    pub fn edit(&self, random: &mut Random) -> Edit {
        let mut program = self.clone();
        let unit = random.below(program.units.len());
        let definitions = &mut program.units[unit].definitions;
        let salted: Vec<usize> =
            (0..definitions.len()).filter(|&it| !definitions[it].salt.is_empty()).collect();
        let mut number = 3_000_000_000 + random.below(1_000_000_000);
        let kind = match random.choose(&salted) {
            Some(&edited) if !random.one_in(4) => {
                let before = definitions[edited].clone();
                // Of a small type the last bits are all that counts.
                let old: usize = before.salt.trim_end_matches('u').parse().unwrap_or_default();
                number += usize::from(number % 256 == old % 256);
                let text = &mut definitions[edited].text;
                *text = text.replace(&before.salt, &format!("{number}u"));
                let last = "  return r;\n}\n";
                if text.ends_with(last) && random.one_in(2) {
                    let more = "  static u32 grown[4];\n  ++grown[sizeof(r) & 3u];\n";
                    *text = text.replace(last, &format!("{more}{last}"));
                    EditKind::Growth(before)
                } else {
                    EditKind::Value(before)
                }
            }
            _ => {
                // With a type, a local variable and a text of its own, before everything else.
                let text = format!(
                    "struct New {{ u8 a; u64 b; }};\nextern \"C\" __device__ const char \
                     *added(New *of) {{\n  static u32 times;\n  of[2].b = {number}u + ++times;\n  \
                     return \"added\";\n}}\n"
                );
                definitions.insert(0, Definition::unsalted("added", text));
                EditKind::Addition
            }
        };
        Edit { unit, kind, program }
    }
}
