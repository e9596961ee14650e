// The address says what is shown, so that a view can be bookmarked and sent: #VIEW?KEY=VALUE.

function address() {
  const [view, query] = location.hash.slice(1).split("?");
  return { view: view || "", values: new URLSearchParams(query || "") };
}

// Returns the address of a view with some values; the empty ones are left out.
function addressOf(view, values) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== "" && value !== null && value !== undefined) query.set(key, value);
  }
  const text = query.toString();
  return `#${view}${text ? `?${text}` : ""}`;
}

// Changes values of the present address. Nothing is drawn again, and the way back stays short.
function remember(changes) {
  const { view, values } = address();
  const all = { ...Object.fromEntries(values), ...changes };
  history.replaceState(null, "", addressOf(view, all));
}

function go(view, values) {
  location.hash = addressOf(view, values);
}

function kernelLink(number, text) {
  return element("a", { href: addressOf("kernels", { kernel: number }) }, text);
}

function moduleLink(module) {
  const id = moduleId(module);
  return element("a", { href: addressOf("program", { unit: module }), title: id }, lastPart(id));
}
