// One unit: what it imports, who imports from it, and what it did not import.

const REFUSED_SHOWN = 60;

function importList(title, entries) {
  if (entries.length === 0) return null;
  return [
    element("h3", null, title),
    element(
      "table",
      { class: "plain" },
      numbersHead(["unit", "definitions", "copies"]),
      element(
        "tbody",
        null,
        entries.map(([module, symbols, copies]) =>
          element(
            "tr",
            null,
            element("th", { scope: "row" }, moduleLink(module)),
            element("td", { class: "number" }, count(symbols)),
            element("td", { class: "number" }, copies || ""),
          ),
        ),
      ),
    ),
  ];
}

function unitPanel(row, close) {
  const { module, number } = row;
  const own = kernels.filter(({ kernel }) => kernel.module === number);
  const importers = report.modules.flatMap((other, at) =>
    other.imports
      .filter(([source]) => source === number)
      .map(([, symbols, copies]) => [at, symbols, copies]),
  );
  const refused = module.candidates.filter((candidate) => candidate[2] >= 0);
  const facts = [
    ["IR", module.estimated_cost],
    ["before", module.before?.instructions],
    ["after", module.after?.instructions],
    ["calls left", module.after?.calls],
    ["copies", module.copied_functions],
  ];
  const { name } = report.definitions;
  return [
    element(
      "button",
      { class: "quiet close", type: "button", onclick: close, "aria-label": "Close the unit" },
      "✕",
    ),
    element("h2", null, module.id),
    element(
      "p",
      { class: "sentence muted" },
      architecture(number),
      module.empty ? ": it emits nothing, as all that it defines goes or is copied." : "",
    ),
    element(
      "dl",
      { class: "facts" },
      facts
        .filter(([, value]) => value !== undefined)
        .map(([title, value]) => fact(title, count(value))),
      fact("PTX", bytes(module.ptx_bytes)),
      fact("cubin", bytes(module.cubin_bytes)),
    ),
    own.length > 0 && [
      element("h3", null, "Kernels"),
      element(
        "ul",
        { class: "plain-list" },
        own.map((kernel) =>
          element("li", { class: "mono" }, kernelLink(kernel.number, kernel.label)),
        ),
      ),
    ],
    importList("Imports from", module.imports),
    importList("Imported by", importers),
    refused.length > 0 && [
      element("h3", null, "Not imported, and why"),
      element(
        "ul",
        { class: "refused" },
        refused
          .slice(0, REFUSED_SHOWN)
          .map((candidate) =>
            element(
              "li",
              null,
              element(
                "a",
                {
                  class: "callee",
                  href: addressOf("questions", {
                    ask: "not-imported",
                    symbol: mangledName(name[candidate[0]]),
                    unit: number,
                  }),
                },
                shortName(name[candidate[0]]),
              ),
              element(
                "div",
                { class: "muted" },
                report.words.refusals[candidate[2]]?.[1],
                candidate[1] > 0
                  ? ` (cost ${count(candidate[1])}, threshold ${count(candidate[5])})`
                  : "",
              ),
            ),
          ),
      ),
      refused.length > REFUSED_SHOWN &&
        element(
          "p",
          { class: "muted" },
          `and ${counted(refused.length - REFUSED_SHOWN, "more candidate")}`,
        ),
    ],
  ];
}

// Returns the sections about the whole program, one after the other.
function wholeProgram() {
  return report.links.flatMap((link) => {
    const suffix = report.links.length > 1 ? ` of ${link.architecture}` : "";
    return [linkSection(link, suffix), removedSection(link, suffix), opaqueSection(link, suffix)];
  });
}

function lines(title, texts) {
  if (texts.length === 0) return null;
  return [
    element("h3", null, title),
    element(
      "ul",
      { class: "plain-list" },
      texts.map((text) => element("li", null, text)),
    ),
  ];
}

function linkSection(link, suffix) {
  const options = Object.entries(link.options);
  return element(
    "section",
    null,
    element("h2", null, `Link${suffix}`),
    element(
      "p",
      { class: "sentence" },
      link.whole
        ? "All device code of the program took part."
        : "Not all device code of the program took part, so what is visible stays.",
    ),
    lines("Warnings", link.warnings),
    options.length > 0 && [
      element("h3", null, "Options that hold"),
      element(
        "table",
        { class: "plain" },
        element(
          "tbody",
          null,
          options.map(([name, value]) =>
            element(
              "tr",
              null,
              element("th", { scope: "row" }, name),
              element("td", { class: "number" }, value),
            ),
          ),
        ),
      ),
    ],
    lines("How they came about", link.notes),
  );
}

function removedSection(link, suffix) {
  if (link.removed.length === 0) return null;
  return element(
    "section",
    null,
    element("h2", null, `Removed kernels and variables${suffix}: ${count(link.removed.length)}`),
    element(
      "ul",
      { class: "plain-list" },
      link.removed.map((removed) => {
        const chains = (removed.definitions || []).flatMap((one) => fateAnswer(one, true));
        const details = element(
          "details",
          null,
          element(
            "summary",
            null,
            element("span", { class: "mono" }, shortName(removed.name)),
            element("span", { class: "muted" }, ` ${removed.kind ?? "kernel"}`),
          ),
        );
        details.addEventListener(
          "toggle",
          () =>
            details.children.length === 1 &&
            details.append(element("p", { class: "answer" }, chains.join("\n"))),
        );
        return element("li", null, details);
      }),
    ),
  );
}

function opaqueSection(link, suffix) {
  if (link.opaque.length === 0) return null;
  return element(
    "section",
    null,
    element("h2", null, `Opaque device code${suffix}`),
    element(
      "ul",
      { class: "plain-list" },
      link.opaque.map(({ unit, kinds, keeps }) =>
        element(
          "li",
          null,
          unit,
          element("span", { class: "muted" }, ` ${(kinds || []).join(", ")}`),
          keeps?.length > 0 &&
            element(
              "div",
              null,
              "keeps alive: ",
              element("span", { class: "mono" }, keeps.map(shortName).join(", ")),
            ),
        ),
      ),
    ),
  );
}
