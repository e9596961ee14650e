// The view of questions: one types a part of a name, chooses among the symbols that fit, and reads
// the answer.

const MOST_CANDIDATES = 200;
let askableNames = null;

// Returns all names that have a definition, with the text that is searched.
function askable() {
  if (!askableNames) {
    const names = [...new Set(report.definitions.name)];
    askableNames = names.map((name) => ({
      name,
      haystack: `${wholeName(name)}\n${mangledName(name)}`.toLowerCase(),
      label: shortName(name),
    }));
    askableNames.sort(
      (one, other) => one.label.length - other.label.length || one.name - other.name,
    );
  }
  return askableNames;
}

// Returns the names that a text means: the one that it is, or those that hold all of its words.
function namesThatFit(text) {
  const exact = askable().filter(
    ({ name }) => text === mangledName(name) || text === wholeName(name),
  );
  if (exact.length > 0) return exact;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return askable().filter(({ haystack }) => words.every((word) => haystack.includes(word)));
}

// Returns the modules that may be asked about a name: those with a decision about it come first.
function modulesFor(name) {
  const { definitions, modules } = report;
  const decided = [];
  modules.forEach((module, at) => {
    if (module.candidates.some(([one]) => definitions.name[one] === name)) decided.push(at);
  });
  const known = new Set(decided);
  return [decided, modules.map((_, at) => at).filter((at) => !known.has(at))];
}

function questionsView(values) {
  let question = QUESTIONS.some(({ key }) => key === values.get("ask"))
    ? values.get("ask")
    : "live";
  let name = null;
  const results = element("div", { "aria-live": "polite", id: "answers" });
  const modules = element("select", { "aria-label": "Unit that imports" });
  modules.addEventListener("change", () => {
    remember({ unit: modules.value });
    showAnswer();
  });
  const unit = element("label", { hidden: true }, "by the unit ", modules);
  const field = searchField(
    "A symbol, or a part of its name",
    "fold_response<Fast, or _Z13fold…",
    values.get("symbol") || "",
    showCandidates,
  );
  const buttons = QUESTIONS.map(({ key, label }) =>
    toggleButton(label, key === question, () => {
      question = key;
      buttons.forEach((button, at) =>
        button.setAttribute("aria-pressed", String(QUESTIONS[at].key === key)),
      );
      remember({ ask: key });
      if (name === null) showCandidates(field.value);
      else showAnswer();
    }),
  );

  function showCandidates(text) {
    name = null;
    unit.hidden = true;
    remember({ symbol: text.length > 500 ? "" : text });
    const found = namesThatFit(text.trim());
    if (found.length === 1) {
      ask(found[0].name);
      return;
    }
    if (found.length === 0) {
      replaceContent(
        results,
        text.trim() &&
          element("p", { class: "muted" }, "No module defines a symbol with this in its name."),
      );
      return;
    }
    const shown = found.slice(0, MOST_CANDIDATES);
    replaceContent(
      results,
      element(
        "p",
        { class: "muted" },
        `${counted(found.length, "symbol")} fit`,
        found.length > shown.length ? `; the first ${shown.length}:` : ":",
      ),
      element(
        "ul",
        { class: "candidates", tabindex: 0, "aria-label": "Symbols that fit" },
        shown.map((one) =>
          element(
            "li",
            null,
            element(
              "button",
              { type: "button", onclick: () => ask(one.name) },
              atMost(wholeName(one.name), 400),
            ),
          ),
        ),
      ),
    );
  }

  function ask(chosen) {
    name = chosen;
    const mangled = mangledName(name);
    remember({ symbol: mangled.length > 500 ? "" : mangled });
    const asked = address().values.get("unit");
    const [decided, others] = modulesFor(name);
    const option = (module) => element("option", { value: module }, moduleId(module));
    replaceContent(
      modules,
      decided.length > 0 && element("optgroup", { label: "weighed it" }, decided.map(option)),
      element("optgroup", { label: "did not weigh it" }, others.map(option)),
    );
    if (asked !== null && report.modules[asked]) modules.value = asked;
    showAnswer();
  }

  function showAnswer() {
    const { takesUnit } = QUESTIONS.find(({ key }) => key === question);
    unit.hidden = !takesUnit;
    const lines =
      takesUnit && report.modules.length === 0
        ? ["The report has no modules."]
        : answer(question, name, Number(modules.value));
    const kernel = kernels.findIndex((row) => row.kernel.name === name);
    replaceContent(
      results,
      element("p", { class: "answer", id: "answer", tabindex: 0 }, lines.join("\n")),
      element(
        "p",
        { class: "muted" },
        "mangled: ",
        element("span", { class: "mono wrap" }, atMost(mangledName(name), 600)),
      ),
      kernel >= 0 && element("p", null, kernelLink(kernel, "Its resources and its inlining")),
    );
  }

  const node = element(
    "div",
    { class: "page" },
    element(
      "div",
      { class: "question" },
      element("h2", null, "Why is a symbol as it is?"),
      field,
      element("div", { class: "choices", role: "group", "aria-label": "Question" }, buttons),
      unit,
      results,
    ),
  );
  showCandidates(field.value);
  return { node, title: "Questions", shown: () => field.focus({ preventScroll: true }) };
}
