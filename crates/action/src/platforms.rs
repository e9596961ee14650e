//! Properties that a cluster's worker must have for an action: those for all phases, those for the
//! action's phase, and those of a class of workers by their memory.

use crate::action::Phase;
use crate::size::Size;

type Properties = Vec<(String, String)>;

/// The properties of the workers of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Platforms {
    of_all: Properties,
    of_phases: Vec<(Phase, Properties)>,
    /// Classes by their memory, from the smallest.
    classes: Vec<(Size, Properties)>,
}

impl Platforms {
    /// Reads properties, `NAME=VALUE` for all phases or `PHASE:NAME=VALUE`, and the properties of
    /// classes, `SIZE:NAME=VALUE`. An error shows no value.
    pub fn parse(properties: &[String], classes: &[String]) -> Result<Self, String> {
        let mut platforms = Self::default();
        for text in properties {
            let of_phase = Phase::ALL.into_iter().find_map(|phase| {
                let rest = text.strip_prefix(phase.name())?.strip_prefix(':')?;
                Some((phase, rest))
            });
            match of_phase {
                Some((phase, rest)) => add(&mut platforms.of_phases, phase, property(rest)?),
                None => platforms.of_all.push(property(text)?),
            }
        }
        for text in classes {
            let (size, rest) = text
                .split_once(':')
                .filter(|(size, _)| !size.contains('='))
                .ok_or("a remote memory class must be given as SIZE:NAME=VALUE")?;
            let size = size.trim().parse().map_err(|error| format!("memory class: {error}"))?;
            add(&mut platforms.classes, size, property(rest)?);
        }
        platforms.classes.sort_by_key(|(size, _)| *size);
        Ok(platforms)
    }

    /// Returns the properties for an action of this phase on a worker of class `class`, counted
    /// from the smallest. A phase's property overrides one of the same name for all phases, and a
    /// class's property overrides both.
    pub fn properties(&self, phase: Phase, class: usize) -> Properties {
        let of_phase = self.of_phases.iter().filter(|(of, _)| *of == phase);
        let of_phase = of_phase.map(|(_, properties)| properties);
        let of_class = self.classes.get(class).map(|(_, properties)| properties);
        let mut chosen = self.of_all.clone();
        for properties in of_phase.chain(of_class) {
            chosen.retain(|(name, _)| properties.iter().all(|(other, _)| other != name));
            chosen.extend(properties.iter().cloned());
        }
        chosen
    }

    /// Returns the smallest class whose workers have this much memory, or the largest of all if no
    /// class has it. An action whose need is unknown goes to the smallest class.
    pub(crate) fn class_for(&self, need: Option<Size>) -> usize {
        let Some(need) = need else { return 0 };
        let holds = |(size, _): &(Size, Properties)| *size >= need;
        self.classes.iter().position(holds).unwrap_or(self.classes.len().saturating_sub(1))
    }

    /// Returns the memory of class `class`, if there is one.
    pub(crate) fn memory_of_class(&self, class: usize) -> Option<Size> {
        self.classes.get(class).map(|(size, _)| *size)
    }
}

/// Adds a property to those of the same key.
fn add<K: PartialEq>(lists: &mut Vec<(K, Properties)>, key: K, property: (String, String)) {
    match lists.iter_mut().find(|(known, _)| *known == key) {
        Some((_, properties)) => properties.push(property),
        None => lists.push((key, vec![property])),
    }
}

fn property(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(name, _)| !name.trim().is_empty());
    let (name, value) =
        pair.ok_or("a property of the remote platform must be given as NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(properties: &[&str], classes: &[&str]) -> Result<Platforms, String> {
        let owned = |texts: &[&str]| -> Vec<String> {
            texts.iter().map(|text| (*text).to_owned()).collect()
        };
        Platforms::parse(&owned(properties), &owned(classes))
    }

    #[test]
    fn the_special_comes_before_the_general() {
        let properties = ["pool=any", "OS=linux", "codegen:pool=fast", "docker:image=a=b"];
        let classes = ["8G:pool=large", "2G:pool=small", "8G:memory=8"];
        let of = |classes: &[&str], phase, class| {
            let mut found = parse(&properties, classes).unwrap().properties(phase, class);
            found.sort();
            found.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
        };
        let all = ["OS=linux", "docker:image=a=b", "pool=any"];
        assert_eq!(of(&[], Phase::Assemble, 0), all);
        assert_eq!(of(&[], Phase::Codegen, 0)[2], "pool=fast");
        assert_eq!(of(&classes, Phase::Codegen, 0)[2], "pool=small");
        assert_eq!(of(&classes, Phase::Codegen, 1)[2..], ["memory=8", "pool=large"]);
        let platforms = parse(&properties, &classes).unwrap();
        let sizes = [0, 1, 2].map(|class| platforms.memory_of_class(class));
        assert_eq!(sizes, [Some(Size(2 << 30)), Some(Size(8 << 30)), None]);
        let needs = [None, Some(Size(2 << 30)), Some(Size((2 << 30) + 1)), Some(Size(9 << 30))];
        assert_eq!(needs.map(|need| platforms.class_for(need)), [0, 0, 1, 1]);
        assert_eq!(parse(&[], &[]).unwrap().class_for(needs[3]), 0);
    }

    #[test]
    fn what_is_no_property_or_class_is_refused_without_repeating_it() {
        for (properties, classes) in [
            (&["hunter2"][..], &[][..]),
            (&["codegen:=hunter2"], &[]),
            (&[], &["2G=hunter2"]),
            (&[], &["2G:hunter2"]),
        ] {
            let text = parse(properties, classes).unwrap_err();
            assert!(text.contains("NAME=VALUE") && !text.contains("hunter2"), "{text}");
        }
        assert!(parse(&[], &["two:a=b"]).unwrap_err().contains("no size"));
    }
}
