// Moves and zooms a picture on a canvas by wheel, mouse, touch and keys.

const NO_MOVE = 4;

// `view` has `x`, `y` (what is in the middle), `scale` and, if only one direction is zoomed,
// `isFlat`. `draw()` draws the picture, `click(x, y)` and `hover(x, y)` get points of the canvas.
function makeZoomable(canvas, view, { draw, click, hover, fit, least, most }) {
  let drag = null;
  let isWhole = true;

  function zoomBy(factor, x, y) {
    isWhole = false;
    const box = canvas.getBoundingClientRect();
    const [fromX, fromY] = [x - box.width / 2, y - box.height / 2];
    const scale = Math.max(least(), Math.min(most, view.scale * factor));
    view.x += fromX / view.scale - fromX / scale;
    if (!view.isFlat) view.y += fromY / view.scale - fromY / scale;
    view.scale = scale;
    changed();
  }
  function moveBy(x, y) {
    isWhole = false;
    view.x -= x / view.scale;
    view.y -= y / (view.isFlat ? 1 : view.scale);
    changed();
  }
  function changed() {
    canvas.dataset.zoom = view.scale.toPrecision(6);
    draw();
  }
  function middle() {
    const box = canvas.getBoundingClientRect();
    return [box.width / 2, box.height / 2];
  }
  const zoomIn = () => zoomBy(1.5, ...middle());
  const zoomOut = () => zoomBy(1 / 1.5, ...middle());
  const whole = () => {
    isWhole = true;
    fit();
    changed();
  };
  // A picture that was shown whole stays whole.
  const watch = new ResizeObserver(() => (isWhole ? whole() : draw()));
  watch.observe(canvas);

  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      zoomBy(
        Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0016)),
        event.offsetX,
        event.offsetY,
      );
    },
    { passive: false },
  );
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    drag = { x: event.offsetX, y: event.offsetY, startX: event.offsetX, startY: event.offsetY };
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!drag) {
      hover(event.offsetX, event.offsetY);
      return;
    }
    moveBy(event.offsetX - drag.x, event.offsetY - drag.y);
    [drag.x, drag.y] = [event.offsetX, event.offsetY];
  });
  canvas.addEventListener("pointerup", (event) => {
    const far = drag && Math.hypot(event.offsetX - drag.startX, event.offsetY - drag.startY);
    drag = null;
    if (far !== null && far < NO_MOVE) click(event.offsetX, event.offsetY);
  });
  canvas.addEventListener("pointerleave", () => hover(-1, -1));
  canvas.addEventListener("keydown", (event) => {
    const keys = {
      "+": zoomIn,
      "=": zoomIn,
      "-": zoomOut,
      0: whole,
      ArrowLeft: () => moveBy(60, 0),
      ArrowRight: () => moveBy(-60, 0),
      ArrowUp: () => moveBy(0, 60),
      ArrowDown: () => moveBy(0, -60),
    };
    if (!keys[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  const buttons = element(
    "span",
    { class: "zoom", role: "group", "aria-label": "Zoom" },
    element("button", { type: "button", "aria-label": "Zoom in", onclick: zoomIn }, "+"),
    element("button", { type: "button", "aria-label": "Zoom out", onclick: zoomOut }, "−"),
    element("button", { type: "button", onclick: whole }, "whole"),
  );
  return { buttons, leave: () => watch.disconnect() };
}

// A small box beside the pointer.
function hintIn(picture) {
  const hint = element("div", { class: "hint", hidden: true });
  picture.append(hint);
  return (text, x, y) => {
    hint.hidden = !text;
    if (!text) return;
    hint.textContent = text;
    const box = picture.getBoundingClientRect();
    hint.style.left = `${Math.max(0, Math.min(x + 14, box.width - hint.offsetWidth - 6))}px`;
    hint.style.top = `${Math.max(0, Math.min(y + 14, box.height - hint.offsetHeight - 6))}px`;
  };
}
