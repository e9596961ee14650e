// The timeline of jobs: a lane for each worker, a bar for each job, the critical path drawn
// through.

const LANE = 22;
const LEAST_LANE = 11;
const HIGHEST = 420;
const KEYS = 34;
const TOP = 24;
const PHASES = ["summarize", "thinlink", "import", "codegen", "assemble"];
const PHASE_COLORS = ["--bar-1", "--bar-4", "--bar-1", "--bar-2", "--bar-3"];
const ORIGINS = {
  here: "run here",
  cache: "from the cache",
  remote_cache: "from a remote cache",
  remote: "run on a cluster",
};

function jobName(job) {
  return job.module === undefined ? job.subject || "" : moduleId(job.module);
}

function jobText(job) {
  const saved = job.saved ? `saved ${duration(job.saved)}` : "";
  return [
    `${job.phase} ${jobName(job)}`,
    `${duration(job.took)}, ${ORIGINS[job.origin] ?? job.origin}` +
      (job.worker ? `, worker ${job.worker}` : ""),
    saved,
    job.why,
  ]
    .filter(Boolean)
    .join("\n");
}

// Returns the lanes in order of their names, those of this machine by number.
function lanesOf(jobs) {
  const names = [...new Set(jobs.map((job) => job.worker))];
  return names.sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
}

// Returns the picture of the jobs that ran in this build. `choose(job)` gets the job that is
// clicked.
function timeline(jobs, choose) {
  const lanes = lanesOf(jobs);
  // Many workers get narrow lanes, so that all are seen.
  const lane = Math.max(
    LEAST_LANE,
    Math.min(LANE, Math.floor((HIGHEST - TOP - KEYS) / lanes.length)),
  );
  const laneOf = new Map(lanes.map((name, at) => [name, at]));
  const start = jobs.reduce((least, job) => Math.min(least, job.start), Infinity);
  const end = jobs.reduce((most, job) => Math.max(most, job.start + job.took), 0);
  const path = report.critical_path
    .map((at) => report.jobs[at])
    .filter((job) => job && !job.earlier);
  const view = { x: (start + end) / 2, y: 0, scale: 1, isFlat: true };
  const canvas = element("canvas", {
    tabindex: 0,
    role: "img",
    id: "timeline",
    "aria-label":
      `Timeline of ${counted(jobs.length, "job")} on ${counted(lanes.length, "worker")}. ` +
      "Plus, minus and the arrow keys zoom and move it. The table below says the same.",
  });
  const picture = element("div", { class: "picture" }, canvas);
  const hint = hintIn(picture);
  const height = () => canvas.clientHeight;

  function fit() {
    view.x = (start + end) / 2;
    view.y = 0;
    view.scale = Math.max(1, canvas.clientWidth - 24) / Math.max(1, end - start);
  }
  const left = (job, width) => (job.start - view.x) * view.scale + width / 2;
  const top = (job) => TOP + laneOf.get(job.worker) * lane - view.y;

  function draw() {
    const { drawing, width } = context(canvas);
    const limit = Math.max(0, TOP + lanes.length * lane + 6 - height());
    view.y = Math.max(0, Math.min(limit, view.y));
    const [text, muted, line, surface] = ["--text", "--muted", "--line", "--surface"].map(colorOf);
    const fills = PHASE_COLORS.map(colorOf);
    const isCritical = new Set(path);
    drawing.font = "11px system-ui, sans-serif";
    drawing.textBaseline = "middle";
    drawGrid(drawing, width, line);
    for (const job of jobs) {
      const x = left(job, width);
      const wide = Math.max(1, job.took * view.scale);
      const y = top(job);
      if (x > width || x + wide < 0 || y < 0 || y > height()) continue;
      const color = fills[Math.max(0, PHASES.indexOf(job.phase))];
      drawing.fillStyle = drawing.strokeStyle = color;
      if (job.origin === "here") drawing.fillRect(x, y + 2, wide, lane - 4);
      else outlined(drawing, job, x, y + 2, wide);
      if (isCritical.has(job)) {
        drawing.fillStyle = text;
        drawing.fillRect(x, y + lane - 4, wide, 2.5);
      }
      if (wide > 60 && lane >= 14) label(drawing, job, { x, y, wide, color, text, surface });
    }
    drawPath(drawing, width, text);
    drawScale(drawing, width, { muted, surface });
  }

  // Jobs from elsewhere are outlined: those of a cache empty, those of a cluster hatched.
  function outlined(drawing, job, x, y, wide) {
    drawing.lineWidth = 1.5;
    drawing.strokeRect(x + 0.75, y + 0.75, Math.max(0.5, wide - 1.5), lane - 5.5);
    if (job.origin !== "remote") return;
    drawing.save();
    drawing.beginPath();
    drawing.rect(x, y, wide, lane - 4);
    drawing.clip();
    drawing.beginPath();
    for (let at = x - lane; at < Math.min(x + wide, canvas.clientWidth); at += 5) {
      drawing.moveTo(at, y + lane);
      drawing.lineTo(at + lane, y);
    }
    drawing.stroke();
    drawing.restore();
  }

  function label(drawing, job, { x, y, wide, text, surface }) {
    const isDark = job.origin === "here" && job.phase === "thinlink";
    const from = Math.max(x, 0) + 5;
    const room = x + wide - from - 4;
    if (room < 30) return;
    drawing.save();
    drawing.beginPath();
    drawing.rect(from, y, room, lane);
    drawing.clip();
    drawing.fillStyle =
      isDark || (job.phase === "assemble" && job.origin === "here") ? surface : text;
    drawing.fillText(`${job.phase} ${lastPart(jobName(job))}`, from, y + lane / 2);
    drawing.restore();
  }

  function drawPath(drawing, width, color) {
    drawing.strokeStyle = color;
    drawing.lineWidth = 1;
    drawing.setLineDash([3, 2]);
    drawing.beginPath();
    for (let at = 1; at < path.length; at += 1) {
      const [from, to] = [path[at - 1], path[at]];
      drawing.moveTo(left(from, width) + from.took * view.scale, top(from) + lane - 3);
      drawing.lineTo(left(to, width), top(to) + lane - 3);
    }
    drawing.stroke();
    drawing.setLineDash([]);
  }

  // Returns the places of the scale's marks, each with its time since the start.
  function marks(width) {
    const rough = 110 / view.scale;
    const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
    const step = power * [1, 2, 5, 10].find((times) => times * power >= rough);
    const first = view.x - width / 2 / view.scale - start;
    const found = [];
    for (let at = Math.max(0, Math.ceil(first / step) * step); at <= end - start; at += step) {
      const x = Math.round((at + start - view.x) * view.scale + width / 2) + 0.5;
      if (x > width) break;
      found.push([x, at]);
    }
    return found;
  }

  function drawGrid(drawing, width, line) {
    drawing.strokeStyle = line;
    drawing.lineWidth = 1;
    drawing.beginPath();
    for (const [x] of marks(width)) {
      drawing.moveTo(x, TOP - 6);
      drawing.lineTo(x, Math.min(height(), TOP + lanes.length * lane));
    }
    drawing.stroke();
  }

  function drawScale(drawing, width, { muted, surface }) {
    drawing.fillStyle = surface;
    drawing.fillRect(0, 0, width, TOP - 4);
    drawing.fillStyle = muted;
    for (const [x, at] of marks(width)) {
      drawing.fillText(at === 0 ? "0" : duration(Math.round(at)), x + 3, 10);
    }
  }

  function jobAt(x, y) {
    const width = canvas.clientWidth;
    return (
      jobs.findLast((job) => {
        const from = left(job, width);
        const wide = Math.max(3, job.took * view.scale);
        return y >= top(job) && y < top(job) + lane && x >= from && x <= from + wide;
      }) ?? null
    );
  }

  const { buttons, leave } = makeZoomable(canvas, view, {
    draw,
    fit,
    most: 50,
    least: () => (Math.max(1, canvas.clientWidth - 24) / Math.max(1, end - start)) * 0.5,
    click: (x, y) => choose(jobAt(x, y)),
    hover: (x, y) => {
      const job = x < 0 ? null : jobAt(x, y);
      hint(job && jobText(job), x, y);
    },
  });
  picture.append(timelineKeys());
  redraws.add(draw);
  picture.style.flex = `0 0 ${Math.min(HIGHEST, TOP + lanes.length * lane + KEYS)}px`;
  return {
    picture,
    buttons,
    leave: () => {
      leave();
      redraws.delete(draw);
    },
  };
}

function timelineKeys() {
  const key = (property, text) => {
    const sample = element("i");
    sample.style.background = `var(${property})`;
    return element("span", null, sample, text);
  };
  return element(
    "div",
    { class: "keys", "aria-hidden": true },
    key("--bar-1", "summarize, import"),
    key("--bar-2", "codegen"),
    key("--bar-3", "assemble"),
    key("--bar-4", "thin link"),
    element("span", null, "empty: from a cache"),
    element("span", null, "underlined: critical path"),
  );
}
