// What was inlined into a kernel, as a tree, and what was not, with the reasons.
//
// A module has one list of sites, which its functions share: below an inlined call are the calls of
// its callee. So the tree is made level by level, as it is opened.

const CALLER = 0,
  CALLEE = 1,
  INLINED = 2,
  ORIGIN = 3,
  REASON = 4,
  COST = 5,
  LIMIT = 6;
const INSTRUCTIONS = 7,
  ADVICE = 8;
const TREE_DEPTH = 40;
const OPEN_LEVELS = 2;

// Returns the inlined calls of a function, equal ones together.
function inlinedInto(module, caller) {
  const groups = new Map();
  for (const site of sitesByCaller(module).get(caller) || []) {
    if (!site[INLINED]) continue;
    const key = `${site[CALLEE]} ${site[ORIGIN]}`;
    const group = groups.get(key) || { callee: site[CALLEE], origin: site[ORIGIN], sites: [] };
    group.sites.push(site);
    groups.set(key, group);
  }
  const size = (group) =>
    group.sites.reduce((sum, site) => sum + Math.max(0, site[INSTRUCTIONS]), 0);
  const all = [...groups.values()].map((group) => ({ ...group, size: size(group) }));
  return all.sort((one, other) => other.size - one.size);
}

function treeLine(group) {
  const times = group.sites.length > 1 ? ` ×${group.sites.length}` : "";
  const { callee, origin, size, sites } = group;
  const cost = sites[0][LIMIT] !== 0 ? `cost ${count(sites[0][COST])}` : "";
  return [
    element(
      "span",
      { class: "callee", title: atMost(wholeName(callee), 600) },
      shortName(callee),
      times,
      origin >= 0 && element("span", { class: "from" }, `  from ${lastPart(moduleId(origin))}`),
    ),
    element(
      "span",
      { class: "number", title: "IR instructions that it added" },
      sites.some((site) => site[INSTRUCTIONS] >= 0) ? signed(size) : "",
    ),
    element("span", { class: "number muted", title: `limit ${count(sites[0][LIMIT])}` }, cost),
  ];
}

function treeNode(module, group, path) {
  const below =
    path.includes(group.callee) || path.length > TREE_DEPTH
      ? []
      : inlinedInto(module, group.callee);
  if (below.length === 0) {
    return element("li", null, element("div", { class: "leaf" }, treeLine(group)));
  }
  const details = element("details", null, element("summary", null, treeLine(group)));
  const fill = () => {
    if (details.children.length > 1) return;
    const nodes = below.map((next) => treeNode(module, next, [...path, group.callee]));
    details.append(element("ul", null, nodes));
  };
  details.addEventListener("toggle", () => details.open && fill());
  if (path.length < OPEN_LEVELS) {
    fill();
    details.open = true;
  }
  return element("li", null, details);
}

// Returns the calls that were not inlined, of the kernel and of all that was inlined into it.
function refusedBelow(module, kernel) {
  const found = new Map();
  const seen = new Set([kernel]);
  const waiting = [kernel];
  while (waiting.length > 0) {
    const caller = waiting.pop();
    for (const site of sitesByCaller(module).get(caller) || []) {
      if (!site[INLINED]) {
        const key = `${caller} ${site[CALLEE]} ${site[REASON]}`;
        const entry = found.get(key) || { site, times: 0 };
        entry.times += 1;
        found.set(key, entry);
      } else if (!seen.has(site[CALLEE])) {
        seen.add(site[CALLEE]);
        waiting.push(site[CALLEE]);
      }
    }
  }
  return [...found.values()];
}

function refusedItem({ site, times }, kernel) {
  const reason = report.texts[site[REASON]] ?? "";
  const advice = site[ADVICE] >= 0 ? report.texts[site[ADVICE]] : "";
  const caller = site[CALLER] === kernel ? "" : `  in ${shortName(site[CALLER])}`;
  const held = site[LIMIT] !== 0 ? ` (cost ${count(site[COST])}, limit ${count(site[LIMIT])})` : "";
  return element(
    "li",
    null,
    element(
      "span",
      { class: "callee", title: atMost(wholeName(site[CALLEE]), 600) },
      shortName(site[CALLEE]),
      times > 1 ? ` ×${times}` : "",
    ),
    element("span", { class: "muted" }, caller),
    element("div", null, reason, element("span", { class: "muted" }, held)),
    advice && element("div", { class: "muted" }, advice),
  );
}

function inlining({ kernel }) {
  const roots = inlinedInto(kernel.module, kernel.name);
  const refused = refusedBelow(kernel.module, kernel.name);
  const isKnown = (report.modules[kernel.module]?.sites || []).length > 0;
  const tree = element(
    "ul",
    { class: "tree" },
    roots.map((group) => treeNode(kernel.module, group, [kernel.name])),
  );
  const nothing = isKnown
    ? "Nothing was inlined into it."
    : "No report of its codegen says what was inlined: it came from an earlier build or a cache.";
  return [
    element(
      "h3",
      null,
      "Inlined into it ",
      element("span", { class: "muted" }, "with IR instructions"),
    ),
    roots.length > 0 ? tree : element("p", { class: "muted" }, nothing),
    refused.length > 0 && [
      element("h3", null, "Not inlined, and why"),
      element(
        "ul",
        { class: "refused" },
        refused.map((entry) => refusedItem(entry, kernel.name)),
      ),
    ],
  ];
}
