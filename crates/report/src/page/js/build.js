// The view of the build: what ran when, on which worker, why it ran again, and what caches saved.

function jobRows() {
  const critical = new Set(report.critical_path);
  return report.jobs.map((job, number) => ({
    number,
    job,
    label: jobName(job),
    phase: job.phase,
    start: job.start,
    took: job.took,
    worker: job.worker || "",
    origin: job.earlier ? "of an earlier build" : (ORIGINS[job.origin] ?? job.origin),
    saved: job.saved || 0,
    why: job.why || "",
    isCritical: critical.has(number),
    haystack: [job.phase, jobName(job), job.worker, ORIGINS[job.origin], job.why]
      .join("\n")
      .toLowerCase(),
  }));
}

const JOB_COLUMNS = [
  { key: "name", title: "unit", width: 0, cell: (row) => row.label, value: (row) => row.label },
  { key: "phase", title: "phase", width: 92, cell: (row) => row.phase, value: (row) => row.phase },
  {
    key: "start",
    title: "start",
    width: 84,
    isNumber: true,
    cell: (row) => duration(row.start),
    value: (row) => row.start,
  },
  {
    key: "took",
    title: "took",
    width: 84,
    isNumber: true,
    cell: (row) => duration(row.took),
    value: (row) => row.took,
  },
  {
    key: "worker",
    title: "worker",
    width: 110,
    cell: (row) => row.worker,
    value: (row) => row.worker,
  },
  {
    key: "origin",
    title: "origin",
    width: 136,
    cell: (row) => row.origin,
    value: (row) => row.origin,
  },
  {
    key: "saved",
    title: "saved",
    width: 76,
    isNumber: true,
    cell: (row) => (row.saved ? duration(row.saved) : ""),
    value: (row) => row.saved,
  },
  {
    key: "why",
    title: "why it ran again",
    width: 320,
    cell: (row) => ({ content: row.why, title: row.why }),
    value: (row) => row.why || null,
  },
];

const JOB_CHIPS = [
  {
    key: "ran",
    label: "ran",
    fits: (row) => !row.job.earlier && /^(here|remote)$/.test(row.job.origin),
  },
  { key: "cached", label: "from a cache", fits: (row) => /cache$/.test(row.job.origin) },
  { key: "critical", label: "critical path", fits: (row) => row.isCritical },
  { key: "again", label: "ran again, and why", fits: (row) => row.why !== "" },
];

function buildTiles() {
  const present = report.jobs.filter((job) => !job.earlier);
  const start = present.reduce((least, job) => Math.min(least, job.start), Infinity);
  const end = present.reduce((most, job) => Math.max(most, job.start + job.took), 0);
  const sum = (jobs, value) => jobs.reduce((total, job) => total + (job[value] || 0), 0);
  const path = report.critical_path.map((at) => report.jobs[at]).filter(Boolean);
  const cached = present.filter((job) => /cache$/.test(job.origin)).length;
  const tile = (title, text) =>
    element("div", null, element("dt", null, title), element("dd", null, text));
  return element(
    "dl",
    { class: "tiles" },
    tile("time", present.length > 0 ? duration(end - start) : "–"),
    tile("work", duration(sum(present, "took"))),
    tile("critical path", duration(sum(path, "took"))),
    tile("jobs", count(present.length)),
    tile("from a cache", count(cached)),
    tile("of earlier builds", count(report.jobs.length - present.length)),
    tile("saved by caches", duration(sum(present, "saved"))),
    PHASES.map((phase) => {
      const jobs = present.filter((job) => job.phase === phase);
      return jobs.length > 0 && tile(phase, duration(sum(jobs, "took")));
    }),
  );
}

function buildView(values) {
  const rows = jobRows();
  const present = report.jobs.filter((job) => !job.earlier);
  const chips = new Set((values.get("only") || "").split(",").filter(Boolean));
  let text = values.get("search") || "";
  const table = new Table({
    label: "Jobs",
    columns: JOB_COLUMNS,
    rows,
    sort: values.get("sort") || "start",
    link: (row) => addressOf("build", { job: row.number }),
    open: (row) => table.choose(row.number),
    onSort: (sort) => remember({ sort }),
  });
  const lines = timeline(present, (job) =>
    table.choose(job === null ? null : report.jobs.indexOf(job)),
  );
  const shown = element("span", { class: "muted", id: "shown" });
  function filter() {
    const fits = rowFilter(text, ["took", "saved", "start"], (row, name) => row[name]);
    const tests = JOB_CHIPS.filter((chip) => chips.has(chip.key));
    table.filter((row) => fits(row) && tests.every((chip) => chip.fits(row)));
    const part = table.shown.length === rows.length ? "" : `${count(table.shown.length)} of `;
    shown.textContent = `${part}${counted(rows.length, "job")}`;
    say(shown.textContent);
  }
  const search = searchField("Search jobs", "unit, phase, reason", text, (next) => {
    text = next;
    remember({ search: text });
    filter();
  });
  const buttons = JOB_CHIPS.filter((chip) => rows.some(chip.fits)).map((chip) => {
    const button = toggleButton(chip.label, chips.has(chip.key), () => {
      const isOn = !chips.delete(chip.key);
      if (isOn) chips.add(chip.key);
      button.setAttribute("aria-pressed", String(isOn));
      remember({ only: [...chips].join(",") });
      filter();
    });
    return button;
  });
  filter();
  const tiles = element(
    "div",
    { class: "toolbar" },
    buildTiles(),
    lines.buttons,
    element(
      "button",
      { type: "button", id: "trace", onclick: downloadTrace, title: "Perfetto opens it" },
      "Save trace",
    ),
  );
  return {
    node: element(
      "div",
      { class: "view" },
      tiles,
      lines.picture,
      element(
        "div",
        { class: "toolbar" },
        search,
        buttons,
        element("span", { class: "grow" }),
        shown,
      ),
      table.node,
    ),
    title: "Build",
    shown: () => {
      table.drawAgain();
      if (values.get("job") !== null) table.choose(Number(values.get("job")));
    },
    leave: () => {
      lines.leave();
      table.leave();
    },
  };
}
