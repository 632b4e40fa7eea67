// One chart in the page: uPlot draws; the arrow keys walk through its points, and what is said of the
// point under the pointer or the key is read by screen readers, too.

const plots = new Set();

// A colour of the page as the canvas takes it, in the theme that is on.
function colour(name) {
  const probe = document.getElementById("probe") || document.body.appendChild(make("span", {id: "probe", hidden: true}));
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

// host: the element to draw in; readout: where the point is told. describe() gives, for the width at
// hand, {label, height, options, data, say(i), open(i), empty}; it is asked again when width or theme change.
function chart(host, readout, describe) {
  let drawn = null, width = 0, place = -1, description = null;

  function draw() {
    drawn?.destroy();
    drawn = null;
    place = -1;
    description = describe(width);
    readout.textContent = "";
    host.replaceChildren();
    if (description.empty) {
      for (const name of ["role", "tabindex", "aria-valuenow", "aria-valuemin", "aria-valuemax", "aria-valuetext"]) {
        host.removeAttribute(name);
      }
      host.append(make("p", {class: "empty"}, description.empty));
      return;
    }
    const last = description.data[0].length - 1;
    const attributes = {
      "role": "slider", "tabindex": 0, "aria-label": description.label, "aria-valuemin": 0, "aria-valuemax": last,
      "aria-valuenow": 0, "aria-valuetext": description.say(0), "aria-orientation": description.upright ? "vertical" : "horizontal",
    };
    for (const [name, value] of Object.entries(attributes)) host.setAttribute(name, value);
    const options = {
      width, height: description.height, legend: {show: false}, ...description.options,
      hooks: {...description.options.hooks, setCursor: [(self) => tell(self.cursor.idx)]},
    };
    drawn = new uPlot(options, description.data, host);
    if (description.open) {
      drawn.over.classList.add("opens");
      drawn.over.addEventListener("click", () => drawn.cursor.idx != null && description.open(drawn.cursor.idx));
    }
  }

  function tell(index) {
    readout.textContent = index == null ? "" : description.say(index);
    if (index != null) {
      place = index;
      host.setAttribute("aria-valuenow", index);
      host.setAttribute("aria-valuetext", description.say(index));
    }
  }

  host.addEventListener("keydown", (event) => {
    if (!drawn) return;
    const last = description.data[0].length - 1;
    const steps = {ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity};
    if (event.key in steps) {
      const next = Math.min(last, Math.max(0, place + steps[event.key]));
      const along = drawn.valToPos(description.data[0][next], "x");
      drawn.setCursor(description.upright ? {left: 10, top: along} : {left: along, top: 10});
      tell(next);
    } else if (event.key === "Enter" && description.open && place >= 0) {
      description.open(place);
    } else {
      return;
    }
    event.preventDefault();
  });

  new ResizeObserver(() => {
    const now = Math.floor(host.clientWidth);
    if (now && now !== width) {
      width = now;
      draw();
    }
  }).observe(host);
  const handle = {draw: () => width && draw()};
  plots.add(handle);
  return handle;
}

function redrawAll() {
  for (const plot of plots) plot.draw();
}

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

function axis(more) {
  return {
    stroke: colour("quiet"), font: FONT, grid: {stroke: colour("grid"), width: 1}, ticks: {show: false}, ...more,
  };
}

function textWidth(texts) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = FONT;
  return Math.max(0, ...texts.map((text) => context.measureText(text).width));
}

function stroke(context, colourOf, width, draw, dash = []) {
  context.save();
  context.strokeStyle = colourOf;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.beginPath();
  draw(context);
  context.stroke();
  context.restore();
}

// Shapes carry the meaning, too: circle, diamond, triangle up, triangle down.
function mark(context, shape, x, y, size, colourOf, filled) {
  context.save();
  context.beginPath();
  if (shape === "circle") context.arc(x, y, size, 0, 2 * Math.PI);
  else {
    const corners = {
      diamond: [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]],
      up: [[0, -1.2], [1.15, 0.9], [-1.15, 0.9]],
      down: [[0, 1.2], [1.15, -0.9], [-1.15, -0.9]],
    }[shape];
    corners.forEach(([right, below], corner) => context[corner ? "lineTo" : "moveTo"](x + right * size, y + below * size));
    context.closePath();
  }
  context.fillStyle = filled ? colourOf : colour("card");
  context.fill();
  context.strokeStyle = colourOf;
  context.lineWidth = Math.max(1.5, size / 4);
  context.stroke();
  context.restore();
}
