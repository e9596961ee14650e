//! Makes a program that is wrong small.
//!
//! LLVM's bugpoint and Zeller's delta debugging do the same: parts are left out, in ever smaller
//! portions, as long as the program stays wrong in the same way. The parts are units first, then
//! launches, definitions, bodies of functions, and at last statements. A program that does not
//! compile without a part is not wrong in the same way, so no knowledge of C++ is needed beyond
//! balanced braces.

use dev_programs::random::Program;

/// A reduced program.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The smallest program found.
    pub program: Program,
    /// Number of programs that were tried.
    pub tried: usize,
}

/// State of a reduction.
struct Reduction<'check> {
    program: Program,
    tried: usize,
    /// Maximum number of programs to try.
    limit: usize,
    is_wrong: &'check mut dyn FnMut(&Program) -> bool,
}

/// Reduces a program for which `is_wrong` holds. At most `limit` programs are tried.
pub fn reduce(
    program: &Program,
    limit: usize,
    is_wrong: &mut dyn FnMut(&Program) -> bool,
) -> Reduced {
    let mut reduction = Reduction { program: program.clone(), tried: 0, limit, is_wrong };
    reduction.launches();
    reduction.units();
    loop {
        let before = size_of(&reduction.program);
        reduction.definitions();
        reduction.bodies();
        reduction.statements();
        if size_of(&reduction.program) == before || reduction.tried >= limit {
            break;
        }
    }
    reduction.definitions();
    Reduced { program: reduction.program, tried: reduction.tried }
}

/// Returns the number of characters in all definitions of a program.
pub fn size_of(program: &Program) -> usize {
    places(program).into_iter().map(|place| text_of(program, place).len()).sum()
}

/// Number of a unit, or nothing for the header, and of a definition in it.
type Place = (Option<usize>, usize);

fn places(program: &Program) -> Vec<Place> {
    let header = (0..program.header.len()).map(|number| (None, number));
    let units = program.units.iter().enumerate().flat_map(|(unit, content)| {
        (0..content.definitions.len()).map(move |number| (Some(unit), number))
    });
    // Later definitions use earlier ones, so they are left out first.
    let mut places: Vec<Place> = header.chain(units).collect();
    places.reverse();
    places
}

fn text_of(program: &Program, (unit, number): Place) -> &str {
    match unit {
        None => &program.header[number].text,
        Some(unit) => &program.units[unit].definitions[number].text,
    }
}

fn set_text(program: &mut Program, (unit, number): Place, text: String) {
    match unit {
        None => program.header[number].text = text,
        Some(unit) => program.units[unit].definitions[number].text = text,
    }
}

impl Reduction<'_> {
    /// Takes the program if it is wrong in the same way.
    fn offer(&mut self, program: Program) -> bool {
        if self.tried >= self.limit {
            return false;
        }
        self.tried += 1;
        let is_wrong = (self.is_wrong)(&program);
        if is_wrong {
            self.program = program;
        }
        is_wrong
    }

    /// Leaves out `items` in portions: halves first, single ones at last. `without` returns the
    /// program without a portion.
    fn leave_out<T: Clone>(
        &mut self,
        mut items: Vec<T>,
        without: impl Fn(&Program, &[T]) -> Program,
    ) {
        let mut portion = items.len();
        while portion > 0 {
            let mut start = 0;
            while start < items.len() {
                let end = (start + portion).min(items.len());
                if self.offer(without(&self.program, &items[start..end])) {
                    items.drain(start..end);
                } else {
                    start = end;
                }
            }
            portion /= 2;
        }
    }

    fn launches(&mut self) {
        let names: Vec<String> =
            self.program.launches.iter().map(|launch| launch.kernel.clone()).collect();
        self.leave_out(names, |program, names| {
            let mut program = program.clone();
            program.launches.retain(|launch| !names.contains(&launch.kernel));
            program
        });
    }

    /// Empties whole units. A unit without any text stays, so that the link order does.
    fn units(&mut self) {
        for unit in 0..self.program.units.len() {
            let mut program = self.program.clone();
            for definition in &mut program.units[unit].definitions {
                definition.text.clear();
            }
            self.offer(program);
        }
    }

    fn definitions(&mut self) {
        let mut places = places(&self.program);
        places.retain(|place| !text_of(&self.program, *place).is_empty());
        self.leave_out(places, |program, places| {
            let mut program = program.clone();
            for place in places {
                set_text(&mut program, *place, String::new());
            }
            program
        });
    }

    /// Replaces the bodies of functions.
    fn bodies(&mut self) {
        for place in places(&self.program) {
            let text = text_of(&self.program, place).to_owned();
            let Some((head, rest)) = text.split_once("{\n") else { continue };
            if !head.contains('(') || rest.lines().count() <= 2 {
                continue;
            }
            for body in ["  return {};\n", "  return;\n"] {
                let mut program = self.program.clone();
                set_text(&mut program, place, format!("{head}{{\n{body}}}\n"));
                if self.offer(program) {
                    break;
                }
            }
        }
    }

    /// Leaves out statements, blocks as a whole first.
    fn statements(&mut self) {
        for place in places(&self.program) {
            let mut skipped = 0;
            loop {
                let text = text_of(&self.program, place).to_owned();
                let lines: Vec<&str> = text.lines().collect();
                let ranges = blocks(&lines);
                let Some(range) = ranges.get(skipped) else { break };
                let kept = [&lines[..range.start], &lines[range.end..]].concat();
                let mut program = self.program.clone();
                set_text(&mut program, place, kept.join("\n") + "\n");
                if !self.offer(program) {
                    skipped += 1;
                }
                if self.tried >= self.limit {
                    return;
                }
            }
        }
    }
}

/// Returns the ranges of lines inside of the outermost braces that can be left out without
/// unbalancing braces, from the longest to the shortest. Of statements without braces, each is a
/// range.
fn blocks(lines: &[&str]) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    let last = lines.len().saturating_sub(1);
    for start in 1..last {
        let mut depth = 0_i32;
        for (end, line) in lines.iter().enumerate().take(last).skip(start) {
            let opens = i32::try_from(line.matches('{').count()).unwrap_or(0);
            let closes = i32::try_from(line.matches('}').count()).unwrap_or(0);
            let starts_closing = line.trim_start().starts_with('}');
            if starts_closing && depth <= 0 || depth + opens - closes < 0 {
                break;
            }
            depth += opens - closes;
            if depth == 0 {
                ranges.push(start..end + 1);
                break;
            }
        }
    }
    ranges.sort_by_key(|range| std::cmp::Reverse(range.len()));
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_what_makes_the_program_wrong() {
        // A program is wrong here if one loop is left.
        let program = Program::generate(3);
        let wanted = "for (u32 x";
        let holds = |program: &Program| {
            let count = |place| text_of(program, place).matches(wanted).count();
            places(program).into_iter().map(count).sum::<usize>() > 0
        };
        assert!(holds(&program), "the program has no loop");
        let reduced = reduce(&program, 5000, &mut |program| holds(program));
        assert!(holds(&reduced.program));
        assert!(reduced.program.launches.is_empty());
        assert!(size_of(&program) > 5000, "{}", size_of(&program));
        assert!(size_of(&reduced.program) < 400, "{}", size_of(&reduced.program));
        let few = reduce(&program, 10, &mut |program| holds(program));
        assert_eq!(few.tried, 10);
    }

    #[test]
    fn blocks_have_balanced_braces() {
        let text = "f() {\n  a;\n  if (x) {\n    b;\n  } else {\n    c;\n  }\n  return r;\n}";
        let lines: Vec<&str> = text.lines().collect();
        let texts: Vec<String> =
            blocks(&lines).into_iter().map(|range| lines[range].join("\n")).collect();
        assert_eq!(
            texts,
            [
                "  if (x) {\n    b;\n  } else {\n    c;\n  }",
                "  a;",
                "    b;",
                "    c;",
                "  return r;"
            ]
        );
    }
}
