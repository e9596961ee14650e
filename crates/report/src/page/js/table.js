// A table of many rows, of which only those are in the page that can be seen. It stays a real
// table, so screen readers know its rows and columns, and for printing all rows are there.

const ROW_HEIGHT = 25;
const MARGIN_ROWS = 6;
const PRINTED_ROWS = 5000;

// Columns have `key`, `title`, `width` in pixels, `isNumber`, `after`, which is the room behind a
// number that its title leaves free, `cell(row)`, which returns the content or an object of
// `content` and `className`, and `value(row)`, which rows are sorted by. `open(row)` is called for
// the row that the keyboard or the mouse chooses, `link(row)` gives its address.
class Table {
  constructor({ label, columns, rows, sort, open, link, onSort }) {
    Object.assign(this, { label, columns, open, link, onSort });
    this.all = rows;
    this.shown = rows;
    this.sort = sort;
    this.chosen = null;
    this.active = 0;
    this.body = element("tbody");
    this.head = element("tr", { "aria-rowindex": 1 });
    this.sizes = element("colgroup");
    this.grid = element(
      "table",
      { "aria-label": label },
      this.sizes,
      element("thead", null, this.head),
      this.body,
    );
    this.none = element("p", { class: "none", hidden: true }, "Nothing fits the filter.");
    this.node = element(
      "div",
      { class: "scroller", tabindex: 0, role: "region", "aria-label": `${label}, scrollable` },
      this.grid,
      this.none,
    );
    this.node.addEventListener("scroll", () => this.draw());
    this.node.addEventListener("keydown", (event) => this.key(event));
    this.drawHead();
    this.watch = new ResizeObserver(() => this.draw());
    this.watch.observe(this.node);
    this.print = () => this.draw(true);
    this.unprint = () => this.draw();
    window.addEventListener("beforeprint", this.print);
    window.addEventListener("afterprint", this.unprint);
  }

  leave() {
    this.watch.disconnect();
    window.removeEventListener("beforeprint", this.print);
    window.removeEventListener("afterprint", this.unprint);
  }

  setColumns(columns) {
    this.columns = columns;
    this.drawHead();
    this.drawAgain();
  }

  // Shows the rows that `isShown` accepts, in the order of the table.
  filter(isShown) {
    this.isShown = isShown;
    this.shown = this.ordered(isShown ? this.all.filter(isShown) : [...this.all]);
    this.active = 0;
    this.node.scrollTop = 0;
    this.drawAgain();
  }

  ordered(rows) {
    const descends = this.sort.startsWith("-");
    const key = descends ? this.sort.slice(1) : this.sort;
    const column = this.columns.find((candidate) => candidate.key === key);
    if (!column) return rows;
    const sign = descends ? -1 : 1;
    const values = new Map(rows.map((row) => [row, column.value(row)]));
    // What is unknown comes last in either order.
    return rows.sort((one, other) => {
      const [first, second] = [values.get(one), values.get(other)];
      if (first === null || second === null) return (first === null) - (second === null);
      return first < second ? -sign : first > second ? sign : one.number - other.number;
    });
  }

  drawHead() {
    const size = (column) => {
      const made = element("col");
      if (column.width) made.style.width = `${column.width}px`;
      return made;
    };
    replaceContent(this.sizes, this.columns.map(size));
    const fixed = this.columns.reduce((sum, column) => sum + (column.width || 280), 0);
    this.grid.style.minWidth = `${fixed}px`;
    replaceContent(
      this.head,
      this.columns.map((column) => this.headCell(column)),
    );
  }

  headCell(column) {
    const isSorted = this.sort.replace("-", "") === column.key;
    const order = this.sort.startsWith("-") ? "descending" : "ascending";
    const onclick = () => {
      // The first click on a number shows the largest first.
      const first = column.isNumber ? `-${column.key}` : column.key;
      const second = column.isNumber ? column.key : `-${column.key}`;
      this.sort = this.sort === first ? second : first;
      this.filter(this.isShown);
      this.drawHead();
      this.head.querySelector("[aria-sort] button").focus();
      if (this.onSort) this.onSort(this.sort);
    };
    const button = element(
      "button",
      { type: "button", onclick, title: column.help || null },
      column.title,
    );
    if (column.after) button.style.paddingRight = `${8 + column.after}px`;
    return element(
      "th",
      {
        scope: "col",
        class: column.isNumber ? "number" : null,
        "aria-sort": isSorted ? order : null,
      },
      button,
    );
  }

  drawAgain() {
    this.from = -1;
    this.draw();
  }

  draw(isWhole) {
    const height = this.node.clientHeight || 800;
    const top = Math.max(0, Math.floor(this.node.scrollTop / ROW_HEIGHT) - MARGIN_ROWS);
    // Steps of a few rows, so that scrolling by a pixel draws nothing.
    const from = isWhole ? 0 : top - (top % 4);
    const most = isWhole ? PRINTED_ROWS : Math.ceil(height / ROW_HEIGHT) + 2 * MARGIN_ROWS + 4;
    const to = Math.min(this.shown.length, from + most);
    if (from === this.from && to === this.to) return;
    [this.from, this.to] = [from, to];
    const focused = this.body.contains(document.activeElement);
    this.grid.setAttribute("aria-rowcount", this.shown.length + 1);
    const rows = [];
    for (let at = from; at < to; at += 1) rows.push(this.row(this.shown[at], at));
    replaceContent(this.body, this.space(from), rows, this.space(this.shown.length - to));
    this.none.hidden = this.shown.length > 0;
    if (focused) this.focusActive();
  }

  // A row that takes the room of rows that are not there.
  space(rows) {
    if (rows <= 0) return null;
    const cell = element("td", { class: "space", colspan: this.columns.length });
    cell.style.height = `${rows * ROW_HEIGHT}px`;
    return element("tr", { "aria-hidden": true }, cell);
  }

  row(row, at) {
    const cells = this.columns.map((column, position) => {
      const made = column.cell(row);
      const isRich = made && typeof made === "object" && "content" in made;
      const className = [column.isNumber ? "number" : "", isRich ? made.className : ""];
      const content = isRich ? made.content : made;
      const title = isRich ? made.title || null : null;
      const inside =
        position === 0 && this.link
          ? element("a", { href: this.link(row), tabindex: at === this.active ? 0 : -1 }, content)
          : content;
      return element(
        "td",
        {
          class: className.join(" ").trim() || null,
          title,
          role: position === 0 ? "rowheader" : null,
        },
        inside,
      );
    });
    const tr = element(
      "tr",
      { "aria-rowindex": at + 2, class: row.number === this.chosen ? "chosen" : null },
      cells,
    );
    if (this.open) {
      tr.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        this.active = at;
        this.open(row);
      });
    }
    return tr;
  }

  choose(number) {
    this.chosen = number;
    const at = this.shown.findIndex((row) => row.number === number);
    if (at >= 0) {
      this.active = at;
      this.reveal();
    }
    this.drawAgain();
  }

  reveal() {
    const top = this.active * ROW_HEIGHT;
    const height = (this.node.clientHeight || 800) - 2 * ROW_HEIGHT;
    if (top < this.node.scrollTop) this.node.scrollTop = top;
    if (top > this.node.scrollTop + height) this.node.scrollTop = top - height;
  }

  focusActive() {
    const index = `tr[aria-rowindex="${this.active + 2}"] a`;
    this.body.querySelector(index)?.focus({ preventScroll: true });
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.node.clientHeight / ROW_HEIGHT) - 2);
    const steps = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -Infinity,
      End: Infinity,
    };
    if (!(event.key in steps) || event.target.closest("th") || !this.link) return;
    event.preventDefault();
    const last = this.shown.length - 1;
    const isOnTable = event.target === this.node;
    const next =
      isOnTable && event.key === "ArrowDown" ? this.active : this.active + steps[event.key];
    this.active = Math.max(0, Math.min(last, next));
    this.reveal();
    this.drawAgain();
    this.focusActive();
  }
}
