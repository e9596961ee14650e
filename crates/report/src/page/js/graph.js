// The picture of units and what they import. Arrows go from a unit to the one that imports from it.

const NAMED_FROM = 0.55;
const FEW_EDGES = 400;

// Returns what changed in each module since the earlier build, by its position.
function moduleChanges() {
  const byId = new Map();
  for (const change of report.against?.modules ?? []) {
    byId.set(`${change.architecture} ${change.id}`, change.change);
  }
  const worse = new Set(
    kernels
      .filter(({ change }) => change === "worse" || change === "mixed")
      .map(({ kernel }) => kernel.module),
  );
  return report.modules.map((module, at) =>
    worse.has(at) ? "worse" : (byId.get(`${architecture(at)} ${module.id}`) ?? ""),
  );
}

function graphNodes() {
  const cost = (module) => module.estimated_cost || module.after?.instructions || 1;
  const largest = Math.max(1, ...report.modules.map(cost));
  const changes = moduleChanges();
  return report.modules.map((module, at) => ({
    at,
    module,
    cost: cost(module),
    label: lastPart(module.id),
    change: changes[at],
    radius: 4.5 + 15.5 * Math.sqrt(cost(module) / largest),
    level: Math.min(4, 1 + Math.floor(4 * Math.sqrt(cost(module) / largest))),
  }));
}

function graphEdges() {
  return report.modules
    .flatMap((module, at) => module.imports.map(([source]) => [source, at]))
    .filter(([source, at]) => source !== at && source < report.modules.length);
}

// Returns the picture with its controls. `choose(module)` is called for a unit that is clicked.
function moduleGraph(choose) {
  const nodes = graphNodes();
  const edges = graphEdges();
  placeNodes(nodes, edges);
  let mode = report.against ? "change" : "size";
  let chosen = null;
  let under = null;
  const view = { x: 0, y: 0, scale: 1 };
  const canvas = element("canvas", {
    tabindex: 0,
    role: "img",
    id: "graph",
    "aria-label":
      `Picture of ${counted(nodes.length, "unit")} and ${counted(edges.length, "import")}. ` +
      "Plus, minus and the arrow keys zoom and move it. The table below says the same.",
  });
  const picture = element("div", { class: "picture" }, canvas);
  const hint = hintIn(picture);

  function fit() {
    const box = canvas.getBoundingClientRect();
    const [left, right] = range(nodes.map((node) => node.x));
    const [top, bottom] = range(nodes.map((node) => node.y));
    view.x = (left + right) / 2;
    view.y = (top + bottom) / 2;
    view.scale = Math.min(
      2,
      (box.width - 90) / (right - left + 40),
      (box.height - 44) / (bottom - top + 40),
    );
    view.scale = Math.max(0.02, view.scale);
  }
  const range = (values) => [Math.min(...values, 0), Math.max(...values, 0)];

  function draw() {
    const { drawing, width, height } = context(canvas);
    const [text, muted, line] = ["--text", "--muted", "--strong-line"].map(colorOf);
    const place = (node) => [
      (node.x - view.x) * view.scale + width / 2,
      (node.y - view.y) * view.scale + height / 2,
    ];
    const grow = Math.max(0.35, Math.min(1.6, view.scale));
    const focus = under ?? chosen;
    drawEdges(drawing, place, grow, focus, [muted, line, text]);
    const fills = [1, 2, 3, 4].map((level) => colorOf(`--bar-${level}`));
    const [surface, worse] = ["--surface", "--worse"].map(colorOf);
    for (const node of nodes) {
      const [x, y] = place(node);
      if (x < -30 || y < -30 || x > width + 30 || y > height + 30) continue;
      drawing.beginPath();
      drawing.arc(x, y, node.radius * grow, 0, 7);
      const byChange = { worse, plan: fills[3], code: fills[2], new: fills[3] };
      drawing.fillStyle =
        mode === "size" ? fills[node.level - 1] : (byChange[node.change] ?? fills[0]);
      if (node.module.empty) drawing.fillStyle = surface;
      drawing.fill();
      drawing.strokeStyle = node.at === focus ? text : node.module.empty ? muted : surface;
      drawing.lineWidth = node.at === focus ? 2 : 1;
      drawing.stroke();
    }
    drawNames(drawing, place, grow, focus, { text, surface, width, height });
    canvas.dataset.mode = mode;
  }

  function drawEdges(drawing, place, grow, focus, [muted, line, text]) {
    const paint = (chosenEdges, color, alpha, arrows) => {
      drawing.strokeStyle = drawing.fillStyle = color;
      drawing.globalAlpha = alpha;
      drawing.lineWidth = 1;
      drawing.beginPath();
      for (const [one, other] of chosenEdges)
        arrow(drawing, place, grow, nodes[one], nodes[other], arrows);
      drawing.stroke();
      drawing.globalAlpha = 1;
    };
    const isNear = ([one, other]) => one === focus || other === focus;
    const alpha = Math.max(0.12, Math.min(0.75, 90 / Math.sqrt(edges.length + 1) / 8));
    paint(edges, line, focus === null ? alpha : alpha * 0.45, edges.length < FEW_EDGES);
    if (focus !== null) paint(edges.filter(isNear), text, 0.85, true);
  }

  function arrow(drawing, place, grow, from, to, hasHead) {
    const [fromX, fromY] = place(from);
    const [toX, toY] = place(to);
    const length = Math.hypot(toX - fromX, toY - fromY) || 1;
    const [x, y] = [(toX - fromX) / length, (toY - fromY) / length];
    const endX = toX - x * (to.radius * grow + 2);
    const endY = toY - y * (to.radius * grow + 2);
    drawing.moveTo(fromX + x * from.radius * grow, fromY + y * from.radius * grow);
    drawing.lineTo(endX, endY);
    if (!hasHead || length < 14) return;
    drawing.moveTo(endX - x * 6 - y * 3, endY - y * 6 + x * 3);
    drawing.lineTo(endX, endY);
    drawing.lineTo(endX - x * 6 + y * 3, endY - y * 6 - x * 3);
  }

  // Writes names where there is room, those of large units first.
  function drawNames(drawing, place, grow, focus, { text, surface, width, height }) {
    drawing.font = "11px system-ui, sans-serif";
    drawing.textAlign = "center";
    const near = new Set(focus === null ? [] : edges.filter((edge) => edge.includes(focus)).flat());
    if (focus !== null) near.add(focus);
    const weight = (node) => (near.has(node.at) ? 1e12 : 0) + node.cost;
    const taken = [];
    for (const node of [...nodes].sort((one, other) => weight(other) - weight(one))) {
      if (!near.has(node.at) && view.scale < NAMED_FROM && taken.length > 24) break;
      const [x, centerY] = place(node);
      const y = centerY + node.radius * grow + 12;
      if (x < 0 || y < 0 || x > width || y > height) continue;
      const half = drawing.measureText(node.label).width / 2 + 3;
      const box = [x - half, y - 11, x + half, y + 3];
      const isFree = taken.every(
        (other) => box[2] < other[0] || box[0] > other[2] || box[3] < other[1] || box[1] > other[3],
      );
      if (!isFree) continue;
      taken.push(box);
      drawing.strokeStyle = surface;
      drawing.lineWidth = 3;
      drawing.strokeText(node.label, x, y);
      drawing.fillStyle = text;
      drawing.fillText(node.label, x, y);
    }
  }

  function nodeAt(x, y) {
    const { width, height } = canvas.getBoundingClientRect();
    const grow = Math.max(0.35, Math.min(1.6, view.scale));
    const found = nodes.findLast(
      (node) =>
        Math.hypot(
          (node.x - view.x) * view.scale + width / 2 - x,
          (node.y - view.y) * view.scale + height / 2 - y,
        ) <=
        node.radius * grow + 4,
    );
    return found?.at ?? null;
  }

  const { buttons, leave } = makeZoomable(canvas, view, {
    draw,
    fit,
    most: 12,
    least: () => 0.02,
    click: (x, y) => choose(nodeAt(x, y)),
    hover: (x, y) => {
      const next = x < 0 ? null : nodeAt(x, y);
      if (next !== under) {
        under = next;
        draw();
      }
      const node = nodes[under];
      hint(
        node &&
          [
            node.module.id,
            `${count(node.cost)} IR instructions`,
            `imports from ${counted(node.module.imports.length, "unit")}`,
            node.change && changeWords(node.change),
          ]
            .filter(Boolean)
            .join("\n"),
        x,
        y,
      );
    },
  });
  const modes = report.against ? ["change", "size"] : [];
  const modeButtons = modes.map((one) =>
    toggleButton(`by ${one}`, one === mode, () => {
      mode = one;
      modeButtons.forEach((button, at) =>
        button.setAttribute("aria-pressed", String(modes[at] === one)),
      );
      replaceContent(keys, graphKeys(mode));
      draw();
    }),
  );
  const keys = element("div", { class: "keys", "aria-hidden": true }, graphKeys(mode));
  picture.append(keys);
  redraws.add(draw);
  return {
    picture,
    controls: [modeButtons, buttons],
    mark: (module) => {
      chosen = module;
      draw();
    },
    leave: () => {
      leave();
      redraws.delete(draw);
    },
  };
}

function changeWords(change) {
  return (
    {
      worse: "a kernel got worse",
      plan: "another plan",
      code: "the same plan, other code",
      new: "new",
    }[change] ?? change
  );
}

function graphKeys(mode) {
  const key = (property, text) => {
    const sample = element("i");
    sample.style.background = `var(${property})`;
    return element("span", null, sample, text);
  };
  if (mode === "size")
    return [key("--bar-1", "small"), key("--bar-4", "large, in IR instructions")];
  return [
    key("--worse", "a kernel got worse"),
    key("--bar-4", "new or another plan"),
    key("--bar-3", "other code"),
    key("--bar-1", "as before"),
  ];
}
