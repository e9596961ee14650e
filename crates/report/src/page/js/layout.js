// Places the nodes of a graph: connected ones come close, all others keep their distance. Forces
// are computed for neighbors in a grid alone, so a thousand nodes take a fraction of a second. The
// same graph gives the same picture, as nothing is random.

const ROUNDS = 220;
const APART = 46;
const WIDEST = 4.4;

// `nodes` get `x` and `y`; they have `radius`. `edges` are pairs of positions in `nodes`.
function placeNodes(nodes, edges) {
  const spread = APART * Math.sqrt(nodes.length) * 0.62;
  nodes.forEach((node, at) => {
    // A sunflower's order: even, and neighbors in the list start close by.
    const turn = at * 2.399963;
    const distance = spread * Math.sqrt((at + 0.5) / nodes.length);
    node.x = distance * Math.cos(turn);
    node.y = distance * Math.sin(turn);
  });
  const degree = nodes.map(() => 0);
  for (const [one, other] of edges) {
    degree[one] += 1;
    degree[other] += 1;
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const heat = 1 - round / ROUNDS;
    const moves = nodes.map(() => ({ x: 0, y: 0 }));
    push(nodes, moves);
    pull(nodes, edges, degree, moves);
    nodes.forEach((node, at) => {
      const move = moves[at];
      move.x -= node.x * 0.006;
      move.y -= node.y * 0.006;
      const length = Math.hypot(move.x, move.y) || 1;
      const step = Math.min(length, 1 + 24 * heat);
      node.x += (move.x / length) * step;
      node.y += (move.y / length) * step;
    });
  }
  widen(nodes);
}

// Pictures are wider than high, so the nodes are drawn apart to that shape.
function widen(nodes) {
  const extent = (values) => Math.max(...values, 1) - Math.min(...values, 0);
  const [width, height] = [extent(nodes.map(({ x }) => x)), extent(nodes.map(({ y }) => y))];
  const factor = Math.max(1, (WIDEST * height) / width);
  for (const node of nodes) node.x *= factor;
}

// Keeps close nodes apart.
function push(nodes, moves) {
  const reach = APART * 2;
  const cells = new Map();
  const cellOf = (node) => [Math.floor(node.x / reach), Math.floor(node.y / reach)];
  nodes.forEach((node, at) => {
    const key = cellOf(node).join();
    if (cells.has(key)) cells.get(key).push(at);
    else cells.set(key, [at]);
  });
  nodes.forEach((node, at) => {
    const [column, line] = cellOf(node);
    for (let dx = -1; dx <= 1; dx += 1) {
      for (let dy = -1; dy <= 1; dy += 1) {
        for (const other of cells.get(`${column + dx},${line + dy}`) || []) {
          if (other !== at) pushOne(node, nodes[other], moves[at], at - other);
        }
      }
    }
  });
}

function pushOne(node, other, move, order) {
  let [x, y] = [node.x - other.x, node.y - other.y];
  if (x === 0 && y === 0) [x, y] = [order, 1];
  const distance = Math.hypot(x, y);
  const room = APART + node.radius + other.radius;
  if (distance >= room * 1.6) return;
  const force = ((room * room) / (distance * distance + 60)) * 3.2;
  move.x += (x / distance) * force;
  move.y += (y / distance) * force;
}

// Brings connected nodes together; nodes with many edges hardly move for one of them.
function pull(nodes, edges, degree, moves) {
  for (const [one, other] of edges) {
    const x = nodes[other].x - nodes[one].x;
    const y = nodes[other].y - nodes[one].y;
    const distance = Math.hypot(x, y) || 1;
    const wanted = APART + nodes[one].radius + nodes[other].radius;
    const force = ((distance - wanted) * 0.05) / distance;
    const weak = 1 / Math.sqrt(Math.max(1, Math.min(degree[one], degree[other])));
    const shares = [1 / Math.sqrt(degree[one]), 1 / Math.sqrt(degree[other])];
    moves[one].x += x * force * weak * shares[0];
    moves[one].y += y * force * weak * shares[0];
    moves[other].x -= x * force * weak * shares[1];
    moves[other].y -= y * force * weak * shares[1];
  }
}
