// The jobs as a trace that Perfetto and browsers' own viewers open: the Trace Event Format.

function traceEvents() {
  const jobs = report.jobs.filter((job) => !job.earlier);
  const lanes = lanesOf(jobs);
  const events = lanes.map((name, at) => ({
    ph: "M",
    name: "thread_name",
    pid: 1,
    tid: at + 1,
    args: { name: name || "worker" },
  }));
  events.push({
    ph: "M",
    name: "process_name",
    pid: 1,
    tid: 0,
    args: { name: report.title || "build" },
  });
  const tid = (job) => lanes.indexOf(job.worker) + 1;
  for (const job of jobs) {
    events.push({
      ph: "X",
      name: `${job.phase} ${jobName(job)}`,
      cat: job.phase,
      pid: 1,
      tid: tid(job),
      ts: job.start,
      dur: job.took,
      args: { origin: job.origin, why: job.why || undefined, saved: job.saved || undefined },
    });
  }
  const path = report.critical_path
    .map((at) => report.jobs[at])
    .filter((job) => job && !job.earlier);
  path.slice(1).forEach((job, at) => {
    const before = path[at];
    const step = { name: "critical path", cat: "critical path", id: at + 1, pid: 1 };
    events.push(
      { ...step, ph: "s", tid: tid(before), ts: before.start + before.took },
      { ...step, ph: "f", bp: "e", tid: tid(job), ts: job.start },
    );
  });
  return { traceEvents: events, displayTimeUnit: "ms" };
}

function downloadTrace() {
  const blob = new Blob([JSON.stringify(traceEvents())], { type: "application/json" });
  const link = element("a", {
    href: URL.createObjectURL(blob),
    download: `${(report.title || "build").replace(/[^\w.-]+/g, "_").slice(0, 80)}.trace.json`,
  });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
