// Reads the report that the page holds, and gives its parts names.

let report = null;
let kernels = [];

// Unpacks the report: base64 of zlib of JSON.
async function readReport() {
  const holder = document.getElementById("data");
  const packed = atob(holder.textContent.trim());
  const raw = new Uint8Array(packed.length);
  for (let at = 0; at < packed.length; at += 1) raw[at] = packed.charCodeAt(at);
  holder.remove();
  const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate"));
  take(JSON.parse(await new Response(stream).text()));
}

// Fills in what the report leaves out, because readers expect it.
function take(read) {
  const lists = ["links", "modules", "kernels", "jobs", "critical_path", "texts", "messages"];
  for (const name of [...lists, "images"]) read[name] ||= [];
  read.definitions ||= { name: [], module: [], fate: [], other: [] };
  read.words ||= {};
  for (const name of ["fates", "refusals", "classes", "passes", "exits"]) read.words[name] ||= [];
  read.words.sentences ||= {};
  for (const link of read.links) {
    for (const name of ["notes", "warnings", "removed", "opaque"]) link[name] ||= [];
    link.options ||= {};
  }
  for (const module of read.modules) {
    for (const name of ["imports", "candidates", "closures", "sites"]) module[name] ||= [];
  }
  report = read;
  kernels = read.kernels.map(kernelRow);
  shorten(kernels);
}

// Gives rows a label without the scope that all kernels are in, which would take the room of what
// tells them apart.
function shorten(rows) {
  const scopesOf = ({ label }) => /^(?:\w+::)*/.exec(label)[0].split("::").slice(0, -1);
  let common = rows.length > 1 ? scopesOf(rows[0]) : [];
  for (const row of rows) {
    const scopes = scopesOf(row);
    const differs = common.findIndex((scope, at) => scopes[at] !== scope);
    if (differs >= 0) common = common.slice(0, differs);
  }
  const prefix = new RegExp(`(?<![\\w:])${common.map((scope) => `${scope}::`).join("")}`, "g");
  for (const row of rows) {
    row.listed = common.length > 0 ? row.label.replace(prefix, "") : row.label;
  }
}

function mangledName(name) {
  return report.names.mangled[name] ?? "";
}
function wholeName(name) {
  return printable(report.names.demangled[name] || mangledName(name));
}
// Returns a name for lists. Its scopes without a name are left out, as they tell nothing apart.
function shortName(name) {
  const { short, demangled } = report.names;
  const text = short[name] || demangled[name] || mangledName(name);
  return printable(text.replaceAll("(anonymous namespace)::", ""));
}
function moduleId(module) {
  return report.modules[module]?.id ?? "";
}
function architecture(module) {
  return report.links[report.modules[module]?.link ?? 0]?.architecture ?? "";
}

// Values that kernels are compared by: less is better, but for warps.
const VALUES = ["registers", "warps", "stack", "spills", "shared", "instructions", "calls"];

// Returns a kernel as the table shows it.
function kernelRow(kernel, number) {
  const occupancy = kernel.occupancy || null;
  const isSpillKnown = kernel.spill_stores !== undefined || kernel.spill_loads !== undefined;
  const constants = Object.entries(kernel.constant || {});
  const now = {
    registers: kernel.registers,
    warps: occupancy ? occupancy.warps : null,
    stack: kernel.stack || 0,
    spills: isSpillKnown ? (kernel.spill_stores || 0) + (kernel.spill_loads || 0) : null,
    shared: kernel.shared || 0,
    instructions: kernel.instructions || 0,
    calls: (kernel.calls || []).length + (kernel.calls_indirectly ? 1 : 0),
  };
  const unit = moduleId(kernel.module);
  const texts = [wholeName(kernel.name), mangledName(kernel.name), unit];
  return {
    number,
    kernel,
    now,
    unit,
    occupancy,
    label: shortName(kernel.name),
    before: kernel.before || null,
    change: kernel.change || "",
    // Bank 0 holds the parameters, which every kernel has.
    constant: constants.reduce((sum, [bank, size]) => sum + (bank === "0" ? 0 : size), 0),
    ptx: kernel.ptx_bytes ?? null,
    sass: kernel.sass_bytes || 0,
    haystack: texts.join("\n").toLowerCase(),
  };
}

// Returns the difference to before, or null, and whether it is for the worse by the rules of the
// comparison: more instructions are not, and what limits the occupancy counts where that is the
// same.
function difference(row, value) {
  const before = row.before ? row.before[value] : null;
  const now = row.now[value];
  if (before === null || before === undefined || now === null || before === now) return null;
  const isMore = now > before;
  return { by: now - before, isWorse: counts(row, value) && isMore !== (value === "warps") };
}

// Returns whether a value can make a kernel better or worse.
function counts(row, value) {
  if (value === "instructions") return false;
  if (value !== "registers" && value !== "shared") return true;
  const { warps } = row.before;
  return row.now.warps === null || warps === undefined || row.now.warps === warps;
}

// Caches what is derived from a module when it is first asked for.
const callersOfModule = new Map();

// Returns the sites of a module by the name of their caller.
function sitesByCaller(module) {
  let found = callersOfModule.get(module);
  if (!found) {
    found = new Map();
    for (const site of report.modules[module]?.sites || []) {
      const sites = found.get(site[0]);
      if (sites) sites.push(site);
      else found.set(site[0], [site]);
    }
    callersOfModule.set(module, found);
  }
  return found;
}

let definitionsByName = null;

// Returns the definitions of a name.
function definitionsOf(name) {
  if (!definitionsByName) {
    definitionsByName = new Map();
    report.definitions.name.forEach((defined, at) => {
      const list = definitionsByName.get(defined);
      if (list) list.push(at);
      else definitionsByName.set(defined, [at]);
    });
  }
  return definitionsByName.get(name) || [];
}
