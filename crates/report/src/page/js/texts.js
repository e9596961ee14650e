// Turns numbers into text.

const plainNumber = new Intl.NumberFormat("en-US");

function count(value) {
  return value === null || value === undefined ? "–" : plainNumber.format(value);
}

// Returns a number with its noun: `1 job`, `2 jobs`.
function counted(value, noun) {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

function bytes(value) {
  if (value === null || value === undefined) return "–";
  if (value < 1000) return `${value} B`;
  if (value < 1e6) return `${(value / 1e3).toFixed(1)} kB`;
  return `${(value / 1e6).toFixed(1)} MB`;
}

// Returns a duration that is given in microseconds.
function duration(value) {
  if (value < 1000) return `${value} µs`;
  if (value < 1e6) return `${(value / 1e3).toFixed(value < 1e4 ? 1 : 0)} ms`;
  if (value < 120e6) return `${(value / 1e6).toFixed(value < 1e7 ? 2 : 1)} s`;
  return `${Math.floor(value / 60e6)} min ${Math.round((value % 60e6) / 1e6)} s`;
}

function signed(value) {
  return value < 0 ? `−${count(-value)}` : `+${count(value)}`;
}

// Returns the last part of a path, which is what tells units of a folder apart.
function lastPart(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}

// Returns a name with escapes instead of characters that are not seen or that turn the text around
// them, as the commands print it.
function printable(text) {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (letter) => `\\u{${letter.codePointAt(0).toString(16)}}`,
  );
}

// Cuts a text that is too long to be shown whole.
function atMost(text, length) {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
