// One kernel: its resources, its inlining, and its code.

const VALUE_TITLES = {
  registers: "registers",
  warps: "occupancy",
  stack: "stack",
  spills: "spills",
  shared: "shared",
  instructions: "instructions",
  calls: "calls left",
};

function fact(title, content, unit, className) {
  return element(
    "div",
    { class: className || null },
    element("dt", null, title),
    element("dd", null, content, unit && element("span", { class: "unit" }, ` ${unit}`)),
  );
}

function kernelFacts(row) {
  const isBytes = new Set(["stack", "spills", "shared"]);
  const made = VALUES.map((value) => {
    const found = difference(row, value);
    const delta =
      found &&
      element("span", { class: found.isWorse ? "delta worse" : "delta" }, signed(found.by));
    const unit =
      row.now[value] === null
        ? null
        : value === "warps"
          ? `of ${row.occupancy.of_warps} warps`
          : isBytes.has(value)
            ? "B"
            : null;
    return fact(
      VALUE_TITLES[value],
      [count(row.now[value]), delta],
      unit,
      found?.isWorse ? "is-worse" : null,
    );
  });
  const banks = Object.entries(row.kernel.constant || {});
  const bank = ([name, size]) =>
    fact(name === "0" ? "parameters" : `constant ${name}`, count(size), "B");
  // The job's report has the unit of a time in its name.
  const more = Object.entries(row.kernel.more || {}).map(([name, value]) => {
    const isTime = name.endsWith("_seconds");
    const title = name.replace(/_seconds$/, " time").replaceAll("_", " ");
    return fact(title, count(value), isTime ? "s" : null);
  });
  const sizes = [fact("PTX", bytes(row.ptx)), fact("SASS", bytes(row.sass))];
  return element("dl", { class: "facts" }, made, banks.map(bank), more, sizes);
}

// Says what limits the occupancy, in a sentence.
function occupancySentence({ occupancy, kernel }) {
  if (!occupancy) return null;
  const blocks = kernel.max_threads
    ? `the ${count(occupancy.block_threads)} threads of a block that it was compiled for`
    : `blocks of ${count(occupancy.block_threads)} threads, the best size`;
  const limit = {
    warps: "Nothing but the number of warps limits it.",
    blocks: "The number of blocks limits it: larger blocks would help.",
    registers: "Registers limit it.",
  };
  const named = limit[occupancy.limited_by] ?? `Its ${occupancy.limited_by} limits it.`;
  return element(
    "p",
    { class: "sentence" },
    `With ${blocks}, ${occupancy.warps} of ${occupancy.of_warps} warps are resident. ${named}`,
  );
}

function spillSentence({ kernel }) {
  if (!kernel.spill_stores && !kernel.spill_loads) return null;
  return element(
    "p",
    { class: "sentence" },
    `A thread stores ${count(kernel.spill_stores || 0)} bytes ` +
      `and loads ${count(kernel.spill_loads || 0)} bytes to spill registers.`,
  );
}

function nameList(title, names) {
  if (!names?.length) return null;
  return [
    element("h3", null, title),
    element(
      "ul",
      { class: "plain-list" },
      names.map((name) =>
        element("li", { class: "mono", title: atMost(wholeName(name), 600) }, shortName(name)),
      ),
    ),
  ];
}

// Says whether calls leave the kernel's module, in the words of the commands.
function closureSentence(row) {
  const closure = closureOf(row);
  if (!closure) return null;
  const lines = closureAnswer(closure, closure.exit === undefined);
  return [
    element("h3", null, closure.exit === undefined ? "Closed" : "Not closed"),
    element("p", { class: "answer" }, lines.join("\n")),
  ];
}

function closureOf(row) {
  const { closures } = report.modules[row.kernel.module] ?? { closures: [] };
  return closures.find((one) => report.definitions.name[one.kernel] === row.kernel.name) ?? null;
}

// Returns a listing that opens on demand, since it may have many thousand lines.
function listing({ kind, text }) {
  const lines = text.split("\n").length;
  const details = element(
    "details",
    { class: "listing" },
    element("summary", null, `${kind.toUpperCase()}, ${counted(lines, "line")}`),
  );
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) {
      const label = `${kind.toUpperCase()} of the kernel`;
      details.append(element("pre", { tabindex: 0, role: "region", "aria-label": label }, text));
    }
  });
  return details;
}

function kernelPanel(row, close) {
  const { kernel } = row;
  const whole = wholeName(kernel.name);
  const mangled = mangledName(kernel.name);
  const isLong = mangled.length > 300;
  const exact = isLong
    ? element(
        "details",
        { class: "name" },
        element("summary", null, `mangled, ${count(mangled.length)} characters`),
        mangled,
      )
    : mangled !== whole && element("p", { class: "name", title: "mangled" }, mangled);
  const messages = report.messages.filter(([module]) => module === kernel.module);
  return [
    element(
      "button",
      { class: "quiet close", type: "button", onclick: close, "aria-label": "Close the kernel" },
      "✕",
    ),
    element("h2", { id: "kernel-name" }, row.label),
    whole !== row.label && element("p", { class: "name" }, whole),
    exact,
    element(
      "p",
      { class: "sentence muted" },
      "in ",
      moduleLink(kernel.module),
      report.links.length > 0 ? ` for ${architecture(kernel.module)}. ` : ". ",
      element(
        "a",
        { href: addressOf("questions", { ask: "live", symbol: mangled }) },
        "Why is it here?",
      ),
    ),
    kernelFacts(row),
    occupancySentence(row),
    spillSentence(row),
    nameList("Calls that are left", kernel.calls),
    kernel.calls_indirectly && element("p", { class: "sentence" }, "It calls through a pointer."),
    inlining(row),
    closureSentence(row),
    messages.length > 0 && [
      element("h3", null, "What ptxas says of the unit"),
      element(
        "ul",
        { class: "plain-list" },
        messages.map(([, text]) => element("li", null, report.texts[text])),
      ),
    ],
    kernel.listings?.length > 0 && [element("h3", null, "Code"), kernel.listings.map(listing)],
  ];
}
