// The view of what changed since an earlier build.

function changedKernels(title, rows) {
  if (rows.length === 0) return null;
  return element(
    "section",
    null,
    element("h2", null, `${title}: ${count(rows.length)}`),
    element(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": `${title}, scrollable` },
      element(
        "table",
        { class: "plain" },
        numbersHead(["kernel", ...VALUES.map((value) => VALUE_TITLES[value])]),
        element(
          "tbody",
          null,
          rows.slice(0, 500).map((row) =>
            element(
              "tr",
              null,
              element("th", { scope: "row", class: "mono" }, kernelLink(row.number, row.label)),
              VALUES.map((value) => changedCell(row, value)),
            ),
          ),
        ),
      ),
    ),
    rows.length > 500 && element("p", { class: "muted" }, `and ${count(rows.length - 500)} more`),
  );
}

function changedCell(row, value) {
  const found = difference(row, value);
  if (!found) return element("td", { class: "number muted" }, count(row.now[value]));
  return element(
    "td",
    { class: found.isWorse ? "number is-worse" : "number" },
    `${count(row.before[value])} → ${count(row.now[value])} `,
    element("span", { class: found.isWorse ? "worse" : "muted" }, signed(found.by)),
  );
}

function goneKernels(gone) {
  if (gone.length === 0) return null;
  return element(
    "section",
    null,
    element("h2", null, `Gone: ${count(gone.length)}`),
    element(
      "ul",
      { class: "plain-list" },
      gone.map(({ name, architecture: of, before }) =>
        element(
          "li",
          null,
          element("span", { class: "mono" }, shortName(name)),
          element("span", { class: "muted" }, `  ${of}, ${counted(before.registers, "register")}`),
        ),
      ),
    ),
  );
}

function changedModules(modules) {
  if (modules.length === 0) return null;
  return element(
    "section",
    null,
    element("h2", null, `Units that differ: ${count(modules.length)}`),
    element(
      "table",
      { class: "plain" },
      element(
        "tbody",
        null,
        modules.map((one) => {
          const at = report.modules.findIndex(
            (module, number) => module.id === one.id && architecture(number) === one.architecture,
          );
          const now = report.modules[at]?.cubin_bytes;
          return element(
            "tr",
            null,
            element("th", { scope: "row" }, at >= 0 ? moduleLink(at) : one.id),
            element("td", null, one.change === "gone" ? "gone" : changeWords(one.change)),
            element(
              "td",
              { class: "number" },
              one.cubin_bytes_before === undefined
                ? ""
                : `${bytes(one.cubin_bytes_before)} → ${bytes(now)}`,
            ),
          );
        }),
      ),
    ),
  );
}

function changeView() {
  const { against } = report;
  if (!against) {
    const node = element(
      "div",
      { class: "page" },
      element("p", { class: "muted" }, "This report is not compared with another build."),
    );
    return { node, title: "Change" };
  }
  const tile = (title, text, isWorse) =>
    element(
      "div",
      null,
      element("dt", null, title),
      element("dd", { class: isWorse ? "worse" : null }, text),
    );
  const sizes = [
    ["machine code", against.cubin_bytes],
    ["linked image", against.image_bytes],
  ];
  const of = (...changes) => kernels.filter((row) => changes.includes(row.change));
  const node = element(
    "div",
    { class: "page" },
    element(
      "section",
      null,
      element("h2", null, `Against ${atMost(against.title, 80)}`),
      element(
        "dl",
        { class: "tiles" },
        tile("worse", count(against.worse || 0), against.worse > 0),
        tile("mixed", count(against.mixed || 0)),
        tile("better", count(against.better || 0)),
        tile("same", count(against.same || 0)),
        tile("new", count(against.new || 0)),
        tile("gone", count((against.gone || []).length)),
        sizes.map(([title, both]) => both && tile(title, both.map(bytes).join(" → "))),
      ),
      against.note && element("p", { class: "muted" }, `${against.note}.`),
    ),
    changedKernels("Worse", of("worse")),
    changedKernels("Better in one, worse in another", of("mixed")),
    changedKernels("Better", of("better")),
    changedKernels("New", of("new")),
    goneKernels(against.gone || []),
    changedModules(against.modules || []),
  );
  node.tabIndex = 0;
  node.setAttribute("role", "region");
  node.setAttribute("aria-label", "What changed");
  return { node, title: "Change" };
}
