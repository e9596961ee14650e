// Answers the questions that the commands answer, with the words that the report holds, so that
// page and command say the same.

const INDENT = "  ";
// Kinds of definitions that go.
const DEAD = new Set(["dead_with", "unreferenced", "only_copied"]);
const QUESTIONS = [
  { key: "live", label: "why live", takesUnit: false },
  { key: "dead", label: "why dead", takesUnit: false },
  { key: "imported", label: "why imported", takesUnit: true },
  { key: "not-imported", label: "why not imported", takesUnit: true },
  { key: "closed", label: "why closed", takesUnit: false },
  { key: "not-closed", label: "why not closed", takesUnit: false },
];
const LONGEST_NAME = 2100;

function nameInAnswer(name) {
  return atMost(wholeName(name), LONGEST_NAME);
}

// Puts values into the places of a sentence. A value is put in as it is, even if it looks like a
// place.
function filled(sentence, places) {
  return sentence.replace(/\{(\w+)\}/g, (whole, place) => String(places[place] ?? whole));
}

function sentence(key, places) {
  return filled(report.words.sentences[key] ?? key, places);
}

function but(isExpected, text) {
  return isExpected ? text : sentence("but", { sentence: text });
}

function definitionText(definition) {
  const { name, module } = report.definitions;
  return sentence("definition", {
    symbol: nameInAnswer(name[definition]),
    module: moduleId(module[definition]),
  });
}

function isDead(definition) {
  return DEAD.has(report.words.fates[report.definitions.fate[definition]]?.[0]);
}

// Says in one line for each step why a definition stays or goes.
function chain(definition) {
  const lines = [];
  const seen = new Set();
  let at = definition;
  for (;;) {
    seen.add(at);
    const words = report.words.fates[report.definitions.fate[at]]?.[1] ?? "";
    const other = report.definitions.other[at];
    lines.push(INDENT + filled(words, { other: other >= 0 ? definitionText(other) : "" }));
    if (other < 0) return lines;
    if (seen.has(other)) return [...lines, INDENT + sentence("circle", {})];
    at = other;
  }
}

function fateAnswer(definition, isAboutDeath) {
  const places = { definition: definitionText(definition) };
  const isGone = isDead(definition);
  if (isGone !== isAboutDeath) return [sentence(isGone ? "goes_ask" : "stays_ask", places)];
  return [sentence(isGone ? "goes" : "stays", places), ...chain(definition)];
}

function importAnswer(module, name, isWanted) {
  const lines = [];
  const { definitions, modules, words } = report;
  for (const candidate of modules[module].candidates) {
    const [definition, cost, refusal, caller, level, threshold, callClass, pass] = candidate;
    if (definitions.name[definition] !== name) continue;
    const isImported = refusal < 0;
    const places = {
      module: moduleId(module),
      symbol: nameInAnswer(name),
      source: moduleId(definitions.module[definition]),
    };
    lines.push(
      but(isImported === isWanted, sentence(isImported ? "imports" : "does_not_import", places)),
    );
    const fact = (key, facts) => lines.push(INDENT + sentence(key, facts));
    if (!isImported) fact("reason", { reason: words.refusals[refusal]?.[1] ?? "" });
    // Variables are not weighed.
    const isWeighed = cost > 0 || (caller >= 0 && threshold > 0);
    if (isWeighed) fact("cost", { number: cost });
    if (caller < 0) continue;
    if (isWeighed) {
      fact("threshold", { number: threshold });
      fact("class", { class: words.classes[callClass] ?? "" });
    }
    fact("level", { number: level });
    fact("pass", { pass: words.passes[pass] ?? "" });
    fact("caller", { definition: definitionText(caller) });
  }
  if (lines.length > 0) return lines;
  const places = { module: moduleId(module), symbol: nameInAnswer(name) };
  return [but(!isWanted, sentence("no_candidate", places))];
}

function closureAnswer(closure, isWanted) {
  const isClosed = closure.exit === undefined;
  const places = { definition: definitionText(closure.kernel) };
  const lines = [but(isClosed === isWanted, sentence(isClosed ? "closed" : "open", places))];
  const [key, words] = isClosed ? ["", ""] : (report.words.exits[closure.exit] ?? ["", ""]);
  // A closure that is too large was not followed to its end.
  const number = (value) => (key === "too_large" ? sentence("at_least", { number: value }) : value);
  lines.push(INDENT + sentence("reaches", { number: number(closure.functions || 0) }));
  lines.push(INDENT + sentence("with_itself", { number: number(closure.instructions || 0) }));
  if (!isClosed) {
    const exit = filled(words, {
      caller: definitionText(closure.caller ?? closure.kernel),
      callee: closure.callee === undefined ? "a function" : nameInAnswer(closure.callee),
    });
    lines.push(INDENT + sentence("why", { exit }));
  }
  return lines;
}

function closureAnswers(name, isWanted) {
  const lines = [];
  for (const definition of definitionsOf(name)) {
    const module = report.modules[report.definitions.module[definition]];
    for (const closure of module?.closures ?? []) {
      if (closure.kernel === definition) lines.push(...closureAnswer(closure, isWanted));
    }
  }
  if (lines.length > 0) return lines;
  return [`'${nameInAnswer(name)}' is no live kernel, or the link was made without closed modules`];
}

// Returns the lines of the answer to a question about a name.
function answer(question, name, module) {
  if (question === "imported" || question === "not-imported") {
    return importAnswer(module, name, question === "imported");
  }
  if (question === "closed" || question === "not-closed") {
    return closureAnswers(name, question === "closed");
  }
  const lines = definitionsOf(name).flatMap((one) => fateAnswer(one, question === "dead"));
  return lines.length > 0 ? lines : [`no module defines '${nameInAnswer(name)}'`];
}
