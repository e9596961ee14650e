// Reads what is typed into a search field: words that must all occur, and conditions on numbers
// such as `registers>64`. A word of a condition may be shortened: `reg>64`.

const CONDITION = /^([a-z]+)(<=|>=|<|>|=)(\d+)$/;

// Returns a function that says whether a row fits. `number(row, name)` gives the value that a
// condition names, and `names` are all of them.
function rowFilter(text, names, number) {
  const tests = [];
  for (const word of text.toLowerCase().split(/\s+/).filter(Boolean)) {
    const parts = CONDITION.exec(word);
    const name = parts && names.find((candidate) => candidate.startsWith(parts[1]));
    if (name) {
      const wanted = Number(parts[3]);
      tests.push((row) => holds(number(row, name), parts[2], wanted));
    } else {
      tests.push((row) => row.haystack.includes(word));
    }
  }
  return (row) => tests.every((test) => test(row));
}

function holds(value, sign, wanted) {
  if (value === null) return false;
  if (sign === "<") return value < wanted;
  if (sign === ">") return value > wanted;
  if (sign === "<=") return value <= wanted;
  return sign === ">=" ? value >= wanted : value === wanted;
}

// Returns a search field that calls `onText` while one types.
function searchField(label, hint, text, onText) {
  const field = element("input", {
    type: "search",
    placeholder: hint,
    "aria-label": label,
    spellcheck: "false",
    autocomplete: "off",
    id: "search",
  });
  field.value = text;
  field.addEventListener("input", () => onText(field.value));
  return field;
}
