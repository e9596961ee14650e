// The view of all kernels: a table that can be searched, filtered, sorted and compared, and beside
// it the kernel that is open.

const CHIPS = [
  {
    key: "worse",
    label: "got worse",
    fits: (row) => row.change === "worse" || row.change === "mixed",
  },
  { key: "new", label: "new", fits: (row) => row.change === "new" },
  { key: "spills", label: "spills", fits: (row) => row.now.spills > 0 },
  { key: "stack", label: "stack", fits: (row) => row.now.stack > 0 },
  { key: "calls", label: "calls left", fits: (row) => row.now.calls > 0 },
];

// Returns the cell of a value, with its difference to before.
function valueCell(row, value, isCompared, extra) {
  const now = row.now[value];
  const text =
    now === 0 && value !== "warps" ? element("span", { class: "zero" }, "0") : count(now);
  if (!isCompared) return { content: [extra, text] };
  const found = difference(row, value);
  const delta = element(
    "span",
    { class: found?.isWorse ? "delta worse" : "delta" },
    found ? signed(found.by) : "",
  );
  return { content: [extra, text, delta], className: found?.isWorse ? "is-worse" : "" };
}

function share(part, whole) {
  const bar = element("i");
  bar.style.width = `${Math.min(100, (100 * part) / whole)}%`;
  return element("span", { class: "share", "aria-hidden": true }, bar);
}

function kernelColumns(isCompared) {
  const number = (key, title, width, help) => {
    // A column in which nothing differs needs no room for differences.
    const differs = isCompared && kernels.some((row) => difference(row, key));
    return {
      key,
      title,
      help,
      isNumber: true,
      width: width + (differs ? 40 : 0),
      after: differs ? 40 : 0,
      cell: (row) => valueCell(row, key, differs),
      value: (row) => row.now[key],
    };
  };
  const size = (key, title, help) => ({
    key,
    title,
    help,
    isNumber: true,
    width: key === "constant" ? 80 : 70,
    cell: (row) =>
      row[key] ? count(row[key]) : element("span", { class: "zero" }, row[key] ?? "–"),
    value: (row) => row[key],
  });
  const occupancy = number(
    "warps",
    "occupancy",
    98,
    "Warps that are resident on a multiprocessor, and their share of those that it can hold",
  );
  const differs = occupancy.after > 0;
  occupancy.cell = (row) =>
    valueCell(
      row,
      "warps",
      differs,
      row.occupancy && share(row.occupancy.warps, row.occupancy.of_warps),
    );
  const columns = [
    {
      key: "name",
      title: "kernel",
      width: 0,
      cell: (row) => ({ content: row.listed, title: atMost(wholeName(row.kernel.name), 600) }),
      value: (row) => row.label.toLowerCase(),
    },
    {
      key: "unit",
      title: "unit",
      width: 124,
      cell: (row) => ({ content: lastPart(row.unit), title: row.unit }),
      value: (row) => row.unit,
    },
    number("registers", "registers", 86, "Registers of a thread"),
    occupancy,
    {
      key: "limit",
      title: "limited by",
      width: 110,
      cell: (row) => row.occupancy?.limited_by ?? "–",
      value: (row) => row.occupancy?.limited_by ?? null,
    },
    number("stack", "stack", 62, "Bytes of a thread's stack frame"),
    number("spills", "spills", 64, "Bytes that a thread stores and loads to spill registers"),
    number("shared", "shared", 70, "Bytes of static shared memory of a block"),
    size("constant", "constant", "Bytes of constant memory, without parameters"),
    number("instructions", "instructions", 102, "Machine instructions"),
    number("calls", "calls", 56, "Functions that the machine code still calls"),
    size("ptx", "PTX", "Bytes of PTX"),
    size("sass", "SASS", "Bytes of machine code"),
  ];
  if (report.links.length > 1) {
    columns.splice(2, 0, {
      key: "architecture",
      title: "arch",
      width: 64,
      cell: (row) => architecture(row.kernel.module),
      value: (row) => architecture(row.kernel.module),
    });
  }
  return columns;
}

// Puts what got worse first, and otherwise keeps the report's order.
function worstFirst(rows) {
  const order = ["worse", "mixed", "new", "better", "same"];
  return [...rows].sort((one, other) => order.indexOf(one.change) - order.indexOf(other.change));
}

function kernelsView(values) {
  const state = {
    text: values.get("search") || "",
    chips: new Set((values.get("only") || "").split(",").filter(Boolean)),
    isCompared: Boolean(report.against) && values.get("compare") !== "no",
  };
  const split = element("div", { class: "split" });
  const side = element("aside", {
    class: "side",
    hidden: true,
    tabindex: 0,
    "aria-label": "The chosen kernel",
  });
  const shown = element("span", { class: "muted", id: "shown" });
  const table = new Table({
    label: "Kernels",
    columns: kernelColumns(state.isCompared),
    rows: worstFirst(kernels),
    sort: values.get("sort") || "",
    link: (row) => addressOf("kernels", { kernel: row.number }),
    open: (row) => open(row.number),
    onSort: (sort) => remember({ sort }),
  });
  const names = [...VALUES, "occupancy", "constant", "ptx", "sass"];
  const valueOf = (row, name) => {
    if (name === "occupancy") return row.now.warps;
    return name in row.now ? row.now[name] : row[name];
  };

  function filter() {
    const fits = rowFilter(state.text, names, valueOf);
    const chips = CHIPS.filter((chip) => state.chips.has(chip.key));
    table.filter((row) => fits(row) && chips.every((chip) => chip.fits(row)));
    const part = table.shown.length === kernels.length ? "" : `${count(table.shown.length)} of `;
    shown.textContent = `${part}${counted(kernels.length, "kernel")}`;
    say(shown.textContent);
  }

  function open(number) {
    remember({ kernel: number });
    const row = kernels[number];
    if (!row) return;
    replaceContent(side, kernelPanel(row, close));
    side.hidden = false;
    side.scrollTop = 0;
    split.classList.add("open");
    table.choose(number);
  }

  function close() {
    remember({ kernel: "" });
    side.hidden = true;
    split.classList.remove("open");
    table.choose(null);
    table.focusActive();
  }

  const chipButtons = CHIPS.filter((chip) => kernels.some(chip.fits)).map((chip) => {
    const button = toggleButton(chip.label, state.chips.has(chip.key), () => {
      const isOn = !state.chips.delete(chip.key);
      if (isOn) state.chips.add(chip.key);
      button.setAttribute("aria-pressed", String(isOn));
      remember({ only: [...state.chips].join(",") });
      filter();
    });
    return button;
  });
  const compare =
    report.against &&
    toggleButton(`compare with ${atMost(report.against.title, 40)}`, state.isCompared, () => {
      state.isCompared = !state.isCompared;
      compare.setAttribute("aria-pressed", String(state.isCompared));
      remember({ compare: state.isCompared ? "" : "no" });
      table.setColumns(kernelColumns(state.isCompared));
    });
  const search = searchField(
    "Search kernels",
    "name, unit, or registers>64",
    state.text,
    (text) => {
      state.text = text;
      remember({ search: text });
      filter();
    },
  );
  side.addEventListener("keydown", (event) => event.key === "Escape" && close());
  append(split, [element("div", { class: "list" }, table.node), side]);
  filter();
  const view = element(
    "div",
    { class: "view" },
    element(
      "div",
      { class: "toolbar" },
      search,
      chipButtons,
      compare,
      element("span", { class: "grow" }),
      shown,
    ),
    split,
  );
  const start = values.get("kernel");
  return {
    node: view,
    title: "Kernels",
    shown: () => {
      table.drawAgain();
      if (start !== null) open(Number(start));
    },
    leave: () => table.leave(),
  };
}
