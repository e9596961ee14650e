// Reads the report, draws the frame of the page, and shows the view that the address names.

const VIEWS = [
  { key: "kernels", label: "Kernels", make: kernelsView },
  { key: "program", label: "Program", make: programView },
  { key: "build", label: "Build", make: buildView },
  { key: "questions", label: "Questions", make: questionsView },
  { key: "change", label: "Change", make: changeView },
];

let present = null;

function viewsOfReport() {
  const has = {
    program: report.modules.length > 0 || report.links.length > 0,
    build: report.jobs.length > 0,
    questions: report.definitions.name.length > 0,
    change: Boolean(report.against),
    kernels: true,
  };
  return VIEWS.filter(({ key }) => has[key]);
}

function drawFrame() {
  const title = report.title || "Program";
  document.getElementById("title").textContent = atMost(title, 60);
  const { against, images } = report;
  const size = images.reduce((sum, image) => sum + image.cubin_bytes, 0);
  const parts = [
    report.links.map((link) => link.architecture).join(", "),
    counted(kernels.length, "kernel"),
    report.modules.length > 0 && counted(report.modules.length, "unit"),
    size > 0 && `${bytes(size)} of machine code`,
    against && `${count((against.worse || 0) + (against.mixed || 0))} got worse`,
  ];
  document.getElementById("summary").textContent = parts.filter(Boolean).join(" · ");
}

function drawViews(current) {
  replaceContent(
    document.getElementById("views"),
    viewsOfReport().map(({ key, label }) =>
      element("a", { href: `#${key}`, "aria-current": key === current ? "page" : null }, label),
    ),
  );
}

function show() {
  const { view, values } = address();
  const known = viewsOfReport();
  const chosen = known.find(({ key }) => key === view) || known[0];
  if (present?.leave) present.leave();
  drawViews(chosen.key);
  present = chosen.make(values);
  replaceContent(document.getElementById("main"), present.node);
  if (present.shown) present.shown();
  document.title = `${present.title} – ${atMost(report.title || "Weft", 60)}`;
}

async function start() {
  startTheme();
  const main = document.getElementById("main");
  if (!("DecompressionStream" in window)) {
    replaceContent(
      main,
      element("p", { class: "wait" }, "This page needs a browser of 2023 or later."),
    );
    return;
  }
  try {
    await readReport();
  } catch (error) {
    replaceContent(
      main,
      element("p", { class: "wait" }, `The report cannot be read: ${error.message}`),
    );
    throw error;
  }
  drawFrame();
  window.addEventListener("hashchange", show);
  window.addEventListener("keydown", (event) => {
    // A slash goes to the search field, as on many pages.
    if (event.key !== "/" || event.target.matches("input, select, textarea")) return;
    event.preventDefault();
    document.getElementById("search")?.focus();
  });
  show();
  performance.mark("weft-shown");
}

start();
