//! Units as scenarios describe them. `thinlink/tests/rules/README.md` documents the form.

use weft_artifact::{
    Call, DistantCall, Guid, HostEntryKind, Hotness, ImportPriority, Linkage, MemoryEffects,
    NamedKind, TrackedOption, VariableSummary,
};

use crate::support::{Module, constant};

const LINKAGES: [(&str, Linkage); 11] = [
    ("external", Linkage::External),
    ("available_externally", Linkage::AvailableExternally),
    ("linkonce", Linkage::LinkonceAny),
    ("linkonce_odr", Linkage::LinkonceOdr),
    ("weak", Linkage::WeakAny),
    ("weak_odr", Linkage::WeakOdr),
    ("common", Linkage::Common),
    ("appending", Linkage::Appending),
    ("extern_weak", Linkage::ExternalWeak),
    ("internal", Linkage::Internal),
    ("private", Linkage::Private),
];

/// A word, or what stands in parentheses behind one.
enum Token<'a> {
    Word(&'a str),
    Notes(Vec<&'a str>),
}

/// A name with the notes behind it.
struct Noted<'a> {
    name: &'a str,
    notes: Vec<&'a str>,
}

/// Everything that a line says: what it is about, and lists of names by the word before them.
struct Line<'a> {
    kind: &'a str,
    subject: Noted<'a>,
    lists: Vec<(&'a str, Vec<Noted<'a>>)>,
}

/// The units that `text` describes.
pub(super) fn parse(text: &str) -> Result<Vec<Module>, String> {
    let mut units: Vec<Module> = Vec::new();
    for text in text.lines().filter(|line| !line.trim().is_empty()) {
        let wrong = |what: &str| format!("{what}: {text}");
        if let Some(id) = text.strip_prefix("unit ") {
            let unit = match id.strip_suffix(" (host unknown)") {
                Some(id) => Module::new(id).device_only(),
                None => Module::new(id),
            };
            units.push(unit);
            continue;
        }
        let unit = units.pop().ok_or_else(|| wrong("not in a unit"))?;
        let line = Line::parse(text).ok_or_else(|| wrong("cannot be read"))?;
        units.push(line.add_to(unit).map_err(|what| wrong(&what))?);
    }
    Ok(units)
}

fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = if let Some(inner) = rest.strip_prefix('(') {
            let end = inner.find(')')?;
            tokens.push(Token::Notes(inner[..end].split(',').map(str::trim).collect()));
            end + 2
        } else {
            let end = rest
                .find(|character: char| character.is_whitespace() || character == '(')
                .unwrap_or(rest.len());
            tokens.push(Token::Word(&rest[..end]));
            end
        };
        rest = rest[end..].trim_start();
    }
    Some(tokens)
}

impl<'a> Line<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let mut tokens = tokens(text)?.into_iter().peekable();
        let Token::Word(kind) = tokens.next()? else { return None };
        let mut lists = vec![("", Vec::<Noted<'_>>::new())];
        for token in tokens {
            let (_, list) = lists.last_mut()?;
            match token {
                Token::Notes(notes) => list.last_mut()?.notes = notes,
                Token::Word(word)
                    if matches!(
                        word,
                        "calls"
                            | "refers"
                            | "reads"
                            | "of"
                            | "defines"
                            | "needs"
                            | "aligns"
                            | "writes"
                    ) =>
                {
                    lists.push((word, Vec::new()));
                }
                Token::Word(name) => list.push(Noted { name, notes: Vec::new() }),
            }
        }
        let mut first = lists.remove(0).1;
        let subject =
            if first.is_empty() { Noted { name: "", notes: Vec::new() } } else { first.remove(0) };
        lists.push(("more", first));
        Some(Self { kind, subject, lists })
    }

    fn names(&self, list: &str) -> Vec<&'a str> {
        let lists = self.lists.iter().filter(|(word, _)| *word == list);
        lists.flat_map(|(_, names)| names).map(|noted| noted.name).collect()
    }

    fn has(&self, note: &str) -> bool {
        self.subject.notes.contains(&note)
    }

    /// The number before `unit` among the notes.
    fn number(&self, unit: &str) -> Option<u32> {
        number(&self.subject.notes, unit)
    }

    fn linkage(&self) -> Linkage {
        let known = LINKAGES.into_iter().find(|(name, _)| self.has(name));
        known.map_or(Linkage::External, |(_, linkage)| linkage)
    }

    fn add_to(&self, unit: Module) -> Result<Module, String> {
        let name = self.subject.name;
        self.check_notes()?;
        let unit = match self.kind {
            "kernel" | "function" => self.function(unit)?,
            "variable" => self.variable(unit),
            "table" => {
                let slots = self.names("of").into_iter();
                let slots: Vec<&str> =
                    slots.map(|slot| if slot == "-" { "" } else { slot }).collect();
                let types = self.subject.notes.iter().filter_map(|note| note.strip_prefix("type "));
                unit.table(name, self.linkage(), &slots, &types.collect::<Vec<_>>())
            }
            "alias" => {
                let target = self.names("of");
                unit.alias(name, self.linkage(), target.first().ok_or("an alias of what?")?)
            }
            "declare" => unit.declaration(name).linkage(name, self.linkage()),
            "launches" if self.has("by name") => unit.host_refers_to_symbol(Guid::of_global(name)),
            "launches" => {
                let more = self.names("more");
                more.into_iter().fold(unit.host_refers_to(name), Module::host_refers_to)
            }
            "names" => self.host_names(unit)?,
            "host" => unit.host_symbols(&self.names("defines"), &self.names("needs")),
            "memory" => unit.dynamic_shared(name, self.number("-aligned").ok_or("no alignment")?),
            "cubin" => {
                let lists = self.lists.iter().filter(|(word, _)| *word == "aligns");
                let memory = lists.flat_map(|(_, names)| names);
                let memory = memory
                    .map(|memory| (memory.name, number(&memory.notes, "-aligned").unwrap_or(0)));
                let (defines, needs) = (self.names("defines"), self.names("needs"));
                unit.cubin(name, &defines, &needs, &memory.collect::<Vec<_>>())
            }
            "ltoir" => unit.lto_ir(),
            "lto-ir" => unit.lto_ir_module(&self.names("writes")),
            "architecture" => unit.architecture(name),
            "triple" => unit.triple(name),
            "layout" => unit.data_layout(name),
            "nvvm-ir" => {
                let version = name.split_once('.').ok_or("nvvm-ir MAJOR.MINOR")?;
                let number = |text: &str| text.parse().map_err(|_| "no version");
                unit.nvvm_ir_version(number(version.0)?, number(version.1)?)
            }
            "option" => {
                let known = TrackedOption::NAMES.into_iter().find(|(_, option)| *option == name);
                let value = self.names("more").first().and_then(|word| word.parse().ok());
                let (known, value) = (known.ok_or("no such option")?.0, value.ok_or("no value")?);
                match (self.has("in code"), self.has("asked")) {
                    (false, false) => unit.option(known, value),
                    (_, asked) => unit.option_of_code(known, value, asked),
                }
            }
            _ => return Err("no such line".to_owned()),
        };
        let listed_by_clang = self.is_listed_by_clang();
        let used = self.has("used") || listed_by_clang;
        let unit = if used { unit.used(name) } else { unit };
        let by_host = self.has("listed by host") || listed_by_clang;
        let unit = if by_host { unit.used_by_host(name) } else { unit };
        let unit = match self.number("content") {
            Some(content) => unit.content(name, content),
            None => unit,
        };
        let unit = match self.number("prototype") {
            Some(prototype) => unit.prototype(name, prototype),
            None => unit,
        };
        let space = self.number("space").or(self.has("constant memory").then_some(4));
        let space = space.or(self.has("shared memory").then_some(3));
        Ok(space.map_or(unit.clone(), |space| unit.in_address_space(name, space)))
    }

    /// Whether clang writes the symbol into `llvm.compiler.used`: a visible variable with an
    /// offload entry in global or constant memory, but for one that the user marks.
    fn is_listed_by_clang(&self) -> bool {
        let registered = ["registered", "local stub", "launched"];
        self.kind == "variable"
            && registered.iter().any(|note| self.has(note))
            && !self.has("used")
            && !self.has("shared memory")
            && !self.linkage().is_local()
            || self.has("listed by clang")
    }

    fn function(&self, unit: Module) -> Result<Module, String> {
        let name = self.subject.name;
        let calls = || {
            let lists = self.lists.iter().filter(|(word, _)| *word == "calls");
            lists.flat_map(|(_, names)| names)
        };
        let is_distant = |call: &&Noted<'_>| call.notes.contains(&"distant");
        let named = calls().filter(|call| !is_distant(call)).map(|call| call.name);
        let is_lto_ir = unit.is_lto_ir();
        let mut unit = unit.function(name, self.linkage(), &named.collect::<Vec<_>>());
        unit = unit.refers(name, &self.names("refers")).only_reads(name, &self.names("reads"));
        if let Some(count) = self.number("instructions") {
            unit = unit.instructions(name, count);
        }
        unit = unit.flags(name, |flags| {
            flags.kernel = self.kind == "kernel";
            flags.no_inline = self.has("noinline");
            flags.always_inline = self.has("alwaysinline");
            flags.not_importable = is_lto_ir || self.has("not importable");
            flags.profiled = self.has("profiled");
            flags.has_unwind_info = self.has("unwinds");
            flags.no_unwind = self.has("nounwind");
            flags.will_return = self.has("returns");
        });
        for call in calls() {
            if is_distant(&call) {
                let hotness = hotness(&call.notes).unwrap_or_default();
                let distant = DistantCall { callee: Guid::of_global(call.name), hotness };
                unit = unit.facts(name, |facts| facts.distant_calls.push(distant));
            } else if !call.notes.is_empty() {
                unit = unit.call_facts(name, call.name, |facts| note_call(facts, &call.notes));
            }
        }
        unit = unit.facts(name, |facts| {
            facts.distant_calls.sort_unstable();
            facts.lifetime_markers = self.number("lifetime markers").unwrap_or(0);
            facts.complexity_budget = self.number("importance").unwrap_or(0);
            facts.indirect_calls += u32::from(self.has("calls indirectly"));
            facts.constant_result = self.number("as result").map(u64::from);
            facts.launch_bounds.max_threads = self.number("threads").unwrap_or(0);
            for (note, effects) in [
                ("touches nothing", MemoryEffects::NONE),
                ("reads arguments", MemoryEffects::READS_ARGUMENTS),
                ("writes others", MemoryEffects::WRITES_OTHER),
            ] {
                if self.has(note) {
                    facts.own_memory = effects;
                }
            }
            if self.has("low priority") {
                facts.import_priority = ImportPriority::Low;
            } else if self.has("standard priority") {
                facts.import_priority = ImportPriority::Standard;
            } else if self.has("forced priority") {
                facts.import_priority = ImportPriority::Force;
            }
        });
        for note in &self.subject.notes {
            if let Some((type_name, slot)) =
                note.strip_prefix("virtual call ").and_then(|call| call.split_once(" slot "))
            {
                let slot: u64 = slot.parse().map_err(|_| "no slot")?;
                unit = unit.virtual_call(name, type_name, 8 * slot);
            }
        }
        let registers = self.kind == "kernel" && !self.has("unregistered");
        Ok(self.register(unit, registers.then_some(HostEntryKind::Kernel)))
    }

    fn variable(&self, unit: Module) -> Module {
        let name = self.subject.name;
        let is_constant = self.has("constant") || self.has("literal");
        let facts = VariableSummary {
            size: self.number("bytes").map_or(64, u64::from),
            constant: is_constant,
            copyable: self.has("literal"),
            externally_initialized: self.has("set by host"),
            ..constant()
        };
        let unit = unit.variable(name, self.linkage(), facts);
        let kind = if self.has("texture") { HostEntryKind::Other } else { HostEntryKind::Variable };
        let unit = unit.refers(name, &self.names("refers"));
        let registers = ["registered", "local stub", "launched", "texture"];
        self.register(unit, registers.iter().any(|note| self.has(note)).then_some(kind))
    }

    /// The symbol's offload entry, and a reference to its host symbol.
    fn register(&self, unit: Module, kind: Option<HostEntryKind>) -> Module {
        let name = self.subject.name;
        let unit = if self.has("hidden") { unit.hidden(name) } else { unit };
        // nvcc's objects register nothing by entries, and name what their host code uses.
        if unit.is_lto_ir() {
            let is_named = self.has("launched") || self.has("copied to");
            let kind = if self.kind == "kernel" { NamedKind::Kernel } else { NamedKind::Variable };
            let is_local = self.linkage().is_local();
            return if is_named { unit.host_names(kind, is_local, name) } else { unit };
        }
        let unit = match kind {
            Some(kind) => unit.entry(name, kind, self.has("local stub")),
            None => unit,
        };
        if self.has("launched") || self.has("copied to") { unit.host_refers_to(name) } else { unit }
    }

    fn host_names(&self, unit: Module) -> Result<Module, String> {
        let internal = self.has("internal");
        let kind = match self.subject.name {
            "kernels" => NamedKind::Kernel,
            "constants" => NamedKind::Constant,
            "variables" => NamedKind::Variable,
            _ => return Err("names of what?".to_owned()),
        };
        let patterns = self.names("more").into_iter();
        Ok(patterns.fold(unit, |unit, pattern| unit.host_names(kind, internal, pattern)))
    }

    /// A note that nothing reads would say nothing.
    fn check_notes(&self) -> Result<(), String> {
        const KNOWN: [&str; 35] = [
            "in code",
            "asked",
            "by name",
            "used",
            "listed by clang",
            "listed by host",
            "constant memory",
            "shared memory",
            "noinline",
            "alwaysinline",
            "not importable",
            "profiled",
            "unwinds",
            "nounwind",
            "returns",
            "calls indirectly",
            "touches nothing",
            "reads arguments",
            "writes others",
            "low priority",
            "standard priority",
            "forced priority",
            "unregistered",
            "constant",
            "literal",
            "set by host",
            "texture",
            "registered",
            "local stub",
            "hidden",
            "launched",
            "copied to",
            "internal",
            "external",
            "private",
        ];
        let is_known = |note: &&&str| {
            let units = [
                "instructions",
                "lifetime markers",
                "importance",
                "threads",
                "as result",
                "bytes",
                "space",
                "-aligned",
                "content",
                "prototype",
            ];
            KNOWN.contains(note)
                || LINKAGES.iter().any(|(name, _)| name == *note)
                || note.starts_with("virtual call ")
                || note.starts_with("type ")
                || units.iter().any(|unit| number(&[**note], unit).is_some())
        };
        match self.subject.notes.iter().find(|note| !is_known(note)) {
            Some(note) => Err(format!("no such note as '{note}'")),
            None => Ok(()),
        }
    }
}

fn note_call(facts: &mut Call, notes: &[&str]) {
    facts.hotness = hotness(notes).unwrap_or(facts.hotness);
    facts.count = number(notes, "calls").unwrap_or(facts.count);
    facts.frequency = number(notes, "times").map_or(facts.frequency, |times| 256 * times);
    facts.cost.parameter_bytes = number(notes, "bytes").unwrap_or(0);
    facts.cost.return_bytes = number(notes, "bytes back").unwrap_or(0);
    facts.cost.coerced_arguments = number(notes, "coerced").unwrap_or(0);
}

/// The hotness that is among `notes`.
fn hotness(notes: &[&str]) -> Option<Hotness> {
    let degrees = [
        ("cold", Hotness::Cold),
        ("warm", Hotness::None),
        ("hot", Hotness::Hot),
        ("critical", Hotness::Critical),
    ];
    degrees.into_iter().find(|(note, _)| notes.contains(note)).map(|(_, hotness)| hotness)
}

/// The number before `unit` among `notes`.
fn number(notes: &[&str], unit: &str) -> Option<u32> {
    let found = notes.iter().filter_map(|note| note.strip_suffix(unit)?.trim_end().parse().ok());
    found.into_iter().next()
}
