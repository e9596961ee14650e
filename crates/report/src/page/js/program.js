// The view of the program: the picture of its units, a table of them, and what the thin link
// decided about the whole.

function moduleRows() {
  const importers = report.modules.map(() => 0);
  for (const module of report.modules) {
    for (const [source] of module.imports) importers[source] += 1;
  }
  const emitted = report.modules.map(() => 0);
  for (const { kernel } of kernels) emitted[kernel.module] += 1;
  const changes = moduleChanges();
  return report.modules.map((module, number) => ({
    number,
    module,
    label: module.id,
    haystack: module.id.toLowerCase(),
    kernels: emitted[number],
    imports: module.imports.length,
    importers: importers[number],
    copies: module.copied_functions || 0,
    cost: module.estimated_cost || 0,
    before: module.before?.instructions ?? null,
    after: module.after?.instructions ?? null,
    ptx: module.ptx_bytes ?? null,
    cubin: module.cubin_bytes ?? null,
    change: changes[number],
  }));
}

function moduleColumns() {
  const number = (key, title, width, help) => ({
    key,
    title,
    width,
    help,
    isNumber: true,
    cell: (row) =>
      row[key] ? count(row[key]) : element("span", { class: "zero" }, row[key] ?? "–"),
    value: (row) => row[key],
  });
  const columns = [
    { key: "name", title: "unit", width: 0, cell: (row) => row.label, value: (row) => row.label },
    number("kernels", "kernels", 76, "Kernels that the unit emits"),
    number("imports", "imports", 76, "Units that it imports from"),
    number("importers", "importers", 86, "Units that import from it"),
    number("copies", "copies", 72, "Functions of other units that it emits"),
    number("cost", "IR", 84, "IR instructions that the optimizer gets"),
    number("after", "optimized", 92, "IR instructions after optimization"),
    number("ptx", "PTX", 84, "Bytes of PTX"),
    number("cubin", "cubin", 84, "Bytes of machine code files"),
  ];
  if (report.against) {
    columns.push({
      key: "change",
      title: "change",
      width: 150,
      cell: (row) => ({
        content: changeWords(row.change),
        className: row.change === "worse" ? "worse" : "",
      }),
      value: (row) => row.change || null,
    });
  }
  return columns;
}

function programView(values) {
  const split = element("div", { class: "split" });
  const side = element("aside", {
    class: "side",
    hidden: true,
    tabindex: 0,
    "aria-label": "The chosen unit",
  });
  const rows = moduleRows();
  const graph = moduleGraph((module) => (module === null ? close() : open(module)));
  const table = new Table({
    label: "Units",
    columns: moduleColumns(),
    rows,
    sort: values.get("sort") || "-cost",
    link: (row) => addressOf("program", { unit: row.number }),
    open: (row) => open(row.number),
    onSort: (sort) => remember({ sort }),
  });
  const shown = element("span", { class: "muted", id: "shown" });
  const fits = (row, name) => row[name];
  const names = ["kernels", "imports", "importers", "copies", "cost", "after", "ptx", "cubin"];
  const filter = (text) => {
    table.filter(rowFilter(text, names, fits));
    const part = table.shown.length === rows.length ? "" : `${count(table.shown.length)} of `;
    shown.textContent = `${part}${counted(rows.length, "unit")}`;
    say(shown.textContent);
  };
  const search = searchField(
    "Search units",
    "unit, or imports>4",
    values.get("search") || "",
    (text) => {
      remember({ search: text });
      filter(text);
    },
  );

  function open(number) {
    if (!report.modules[number]) return;
    remember({ unit: number, part: "" });
    replaceContent(side, unitPanel(rows[number], close));
    side.hidden = false;
    side.scrollTop = 0;
    split.classList.add("open");
    table.choose(number);
    graph.mark(number);
  }
  function close() {
    remember({ unit: "" });
    side.hidden = true;
    split.classList.remove("open");
    table.choose(null);
    graph.mark(null);
  }
  side.addEventListener("keydown", (event) => event.key === "Escape" && close());

  const parts = wholeProgram();
  const whole = element(
    "div",
    {
      class: "page",
      hidden: true,
      tabindex: 0,
      role: "region",
      "aria-label": "Decisions about the whole program",
    },
    parts,
  );
  const views = [
    ["units", "Units"],
    ["decisions", "Decisions"],
  ].map(([key, label]) => toggleButton(label, key === "units", () => show(key)));
  const list = element("div", { class: "list" }, graph.picture, table.node);
  const tools = element("span", { class: "toolbar" }, search, graph.controls);
  tools.style.padding = "0";
  function show(part) {
    remember({ part: part === "units" ? "" : part });
    whole.hidden = part === "units";
    split.hidden = part !== "units";
    split.style.display = part === "units" ? "" : "none";
    tools.hidden = shown.hidden = part !== "units";
    tools.style.display = part === "units" ? "" : "none";
    views.forEach((view, at) =>
      view.setAttribute("aria-pressed", String((at === 0) === (part === "units"))),
    );
  }
  append(split, [list, side]);
  filter(search.value);
  return {
    node: element(
      "div",
      { class: "view" },
      element(
        "div",
        { class: "toolbar" },
        element("span", { role: "group", "aria-label": "Part", class: "zoom" }, views),
        tools,
        element("span", { class: "grow" }),
        shown,
      ),
      split,
      whole,
    ),
    title: "Program",
    shown: () => {
      table.drawAgain();
      if (values.get("unit") !== null) open(Number(values.get("unit")));
      if (values.get("part") === "decisions") show("decisions");
    },
    leave: () => {
      graph.leave();
      table.leave();
    },
  };
}
