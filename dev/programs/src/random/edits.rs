//! Random edits of a program's units.

use super::draft::Definition;
use super::program::Program;
use dev_random::Choices;

/// An edit of one unit.
#[derive(Clone, Debug)]
pub struct Edit {
    /// Number of the edited unit.
    pub unit: usize,
    /// Change that the edit makes.
    pub kind: EditKind,
    /// The program after the edit.
    pub program: Program,
}

/// Change that an edit makes.
#[derive(Clone, Debug)]
pub enum EditKind {
    /// Another value of a definition, without any change of the facts in its summary.
    Value(Definition),
    /// Another value and another size of a function.
    Growth(Definition),
    /// A new function, which nothing names.
    Addition,
}

impl Program {
    /// Returns a random edit of a random unit.
    pub fn edit(&self, random: &mut Choices) -> Edit {
        let mut program = self.clone();
        let unit = random.below(program.units.len());
        let definitions = &mut program.units[unit].definitions;
        let salted: Vec<usize> =
            (0..definitions.len()).filter(|&number| !definitions[number].salt.is_empty()).collect();
        let mut number = 3_000_000_000 + random.below(1_000_000_000);
        let kind = match random.choose(&salted) {
            Some(&edited) if !random.one_in(4) => {
                let before = definitions[edited].clone();
                // Only the last bits of the literal count in a small type.
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
                // The new function comes first, with its own type, local variable and string.
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
