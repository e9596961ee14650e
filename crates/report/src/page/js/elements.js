// Makes elements. Every text becomes a text node, so no name can become markup.

// Returns a new element. An attribute that starts with "on" is a listener, `null` leaves an
// attribute out, and children may be nested lists.
function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  append(made, children);
  return made;
}

function append(parent, child) {
  if (child === null || child === undefined || child === false) return;
  if (Array.isArray(child)) child.forEach((part) => append(parent, part));
  else parent.append(child instanceof Node ? child : String(child));
}

function replaceContent(parent, ...children) {
  parent.replaceChildren();
  append(parent, children);
}

// Returns the head of a table that has numbers in all columns but the first.
function numbersHead(titles) {
  const heads = titles.map((title, at) =>
    element("th", { scope: "col", class: at > 0 ? "number" : null }, title),
  );
  return element("thead", null, element("tr", null, heads));
}

// Says something to screen readers.
function say(text) {
  document.getElementById("status").textContent = text;
}

function toggleButton(label, isPressed, onclick) {
  return element("button", { type: "button", "aria-pressed": String(isPressed), onclick }, label);
}

// Returns the color that a custom property has at the moment, for a canvas.
function colorOf(property) {
  const probe = document.getElementById("status");
  probe.style.color = `var(${property})`;
  const color = getComputedStyle(probe).color;
  probe.style.color = "";
  return color;
}

// Prepares a canvas for its size on this screen and returns its context, in CSS pixels.
function context(canvas) {
  const { width, height } = canvas.getBoundingClientRect();
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const drawing = canvas.getContext("2d");
  drawing.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { drawing, width, height };
}
