// The three charts: changes of the means with their intervals, queries before and after, recall by cut-off.

const VERDICT_COLOURS = {
  "regression": "worse", "below floor": "worse", "suspected": "doubt", "not evaluated": "doubt", "improved": "better",
};

// A forest plot of one metric: a row a slice, the change with its interval, the margin as a zone.
// Enter or a click leads to the queries of a kind.
function forest(metric, gates, width, open) {
  const labels = [...new Set(gates.map((gate) => sliceLabel(gate.slice)))];
  const opponents = new Set(gates.map((gate) => gate.against));
  const rows = gates.map((gate) => ({
    gate,
    row: labels.indexOf(sliceLabel(gate.slice)) + (opponents.size < 2 ? 0 : gate.against === "anchor" ? 0.2 : -0.2),
  })).sort((one, other) => one.row - other.row);
  const ends = rows.flatMap(({gate}) => [...(gate.interval || []), gate.difference ?? 0, -(gate.margin ?? 0), gate.margin ?? 0]);
  const low = Math.min(0, ...ends), high = Math.max(0, ...ends);
  const room = Math.max(0.01, (high - low) * 0.06);
  const narrow = width < 420;
  const names = labels.map((label) => clip(label, narrow ? 14 : 26));
  const words = labels.map((_, place) => [...new Set(rows.filter((one) => Math.round(one.row) === place).map((one) => one.gate.verdict))].join(" / "));
  const upright = {scale: "x", splits: () => labels.map((_, place) => place), grid: {show: false}, gap: 6};
  const axes = [
    axis({...upright, side: 3, size: textWidth(names) + 14, stroke: colour("ink"), values: () => names}),
    axis({scale: "y", side: 2, space: 55, size: 30, values: (_, splits) => splits.map((split) => split === 0 ? "0" : signed(split).replace(/0$/, ""))}),
  ];
  if (!narrow) axes.push(axis({...upright, side: 1, size: textWidth(words) + 14, values: () => words}));

  function say(index) {
    const {gate} = rows[index];
    const head = `${sliceLabel(gate.slice)}, ${metric} against ${gate.against === "baseline" ? "the baseline" : "the anchor"}: `;
    if (gate.difference == null) return `${head}${gate.verdict}${gate.reason ? ": " + harmless(gate.reason) : ""}`;
    const bounds = gate.interval ? ` [${gate.interval.map(signed).join(", ")}]` : "";
    const margin = gate.margin == null ? "" : `, margin ${gate.margin}`;
    return `${head}${score(gate.before)} to ${score(gate.after)}, ${signed(gate.difference)}${bounds}${margin}, n ${gate.n}: ${gate.verdict}`;
  }

  function drawZones(self) {
    const {ctx, bbox} = self, ratio = uPlot.pxRatio;
    ctx.save();
    ctx.fillStyle = colour("zone");
    for (const {gate, row} of rows) {
      if (gate.margin == null) continue;
      const half = opponents.size < 2 ? 0.5 : 0.3;
      const left = self.valToPos(-gate.margin, "y", true), right = self.valToPos(gate.margin, "y", true);
      const top = self.valToPos(row - half, "x", true), bottom = self.valToPos(row + half, "x", true);
      // a margin of 0 is a line
      ctx.fillRect(left, top, Math.max(ratio, right - left), bottom - top);
    }
    ctx.restore();
    const zero = self.valToPos(0, "y", true);
    stroke(ctx, colour("axis"), ratio, () => { ctx.moveTo(zero, bbox.top); ctx.lineTo(zero, bbox.top + bbox.height); });
  }

  function drawRows(self) {
    const {ctx} = self, ratio = uPlot.pxRatio;
    for (const {gate, row} of rows) {
      if (gate.difference == null) continue;
      const y = self.valToPos(row, "x", true), x = self.valToPos(gate.difference, "y", true);
      const paint = colour(VERDICT_COLOURS[gate.verdict] || "neutral");
      if (gate.interval) {
        const [from, to] = gate.interval.map((end) => self.valToPos(end, "y", true));
        stroke(ctx, paint, 2 * ratio, () => {
          ctx.moveTo(from, y); ctx.lineTo(to, y);
          for (const end of [from, to]) { ctx.moveTo(end, y - 4 * ratio); ctx.lineTo(end, y + 4 * ratio); }
        });
      }
      mark(ctx, gate.against === "anchor" ? "diamond" : "circle", x, y, 4.5 * ratio, paint, gate.against !== "anchor");
    }
  }

  const tallied = new Map();
  for (const gate of gates) tallied.set(gate.verdict, (tallied.get(gate.verdict) || 0) + 1);
  return {
    upright: true,
    label: `Changes of ${metric} by kind, with intervals: ${[...tallied].map(([word, number]) => `${number} ${word}`).join(", ")}`,
    height: labels.length * (opponents.size < 2 ? 27 : 36) + 44,
    data: [rows.map((one) => one.row), rows.map((one) => one.gate.difference)],
    say,
    open: (index) => open(rows[index].gate),
    options: {
      padding: [8, 10, 0, 0],
      scales: {
        x: {time: false, ori: 1, dir: -1, range: () => [-0.6, labels.length - 0.4]},
        y: {ori: 0, dir: 1, range: () => [low - room, high + room]},
      },
      axes,
      series: [{}, {paths: () => null, points: {show: false}}],
      cursor: {drag: {x: false, y: false}, points: {show: false}, y: false},
      hooks: {drawAxes: [drawZones], draw: [drawRows]},
    },
  };
}

// Every query that moved: where it was, where it is; the worst on the left.
function beforeAfter(rows, metric, open) {
  const moved = rows.filter((row) => row.change).sort((one, other) => one.change - other.change || one.before - other.before || one.place - other.place);
  if (!moved.length) {
    const compared = rows.some((row) => row.change != null);
    return {empty: compared ? `No ${metric} moved among these queries.` : `None of these queries has a ${metric} to compare.`};
  }
  const fallen = moved.filter((row) => row.change < 0).length;
  const high = Math.max(1, ...moved.map((row) => Math.max(row.before, row.after)));

  function drawQueries(self) {
    const {ctx, bbox} = self, ratio = uPlot.pxRatio;
    const {min, max} = self.scales.x;
    const step = bbox.width / (max - min);
    const first = Math.max(0, Math.ceil(min)), last = Math.min(moved.length - 1, Math.floor(max));
    const paints = {worse: colour("worse"), better: colour("better"), before: colour("before")};
    const size = Math.min(5 * ratio, step * 0.42);
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left - size, bbox.top - size * 2, bbox.width + 2 * size, bbox.height + 4 * size);
    ctx.clip();
    for (let index = first; index <= last; index++) {
      const row = moved[index], word = row.change < 0 ? "worse" : "better";
      const x = self.valToPos(index, "x", true);
      const from = self.valToPos(row.before, "y", true), to = self.valToPos(row.after, "y", true);
      const dense = size < 1.5 * ratio;
      ctx.globalAlpha = dense ? 0.35 : 1;
      stroke(ctx, paints[word], Math.max(1, Math.min(2 * ratio, step * 0.6)), () => { ctx.moveTo(x, from); ctx.lineTo(x, to); });
      ctx.globalAlpha = 1;
      if (dense) {
        // no room for shapes: two outlines say where the queries were and where they are
        const half = Math.max(ratio, step) / 2;
        for (const [paint, y] of [[paints.before, from], [paints[word], to]]) {
          stroke(ctx, paint, 2 * ratio, () => { ctx.moveTo(x - half, y); ctx.lineTo(x + half, y); });
        }
      } else {
        mark(ctx, "circle", x, from, size * 0.8, paints.before, false);
        mark(ctx, word === "worse" ? "down" : "up", x, to, size, paints[word], true);
      }
    }
    ctx.restore();
  }

  return {
    label: `${metric} of ${count(moved.length, "query", "queries")} before and after: ${fallen} worse, ${moved.length - fallen} better. Enter opens a query.`,
    height: 260,
    data: [moved.map((_, index) => index), moved.map((row) => row.before), moved.map((row) => row.after)],
    say: (index) => `${harmless(moved[index].query.id)}: ${score(moved[index].before)} to ${score(moved[index].after)} (${signed(moved[index].change)}) ${clip(harmless(moved[index].query.text || ""), 80)}`,
    open: (index) => open(moved[index]),
    options: {
      padding: [10, 10, 0, 0],
      scales: {
        x: {time: false, range: (_, min, max) => min === 0 && max === moved.length - 1 ? [-0.6, moved.length - 0.4] : [min, max]},
        y: {range: () => [-0.05 * high, 1.05 * high]},
      },
      axes: [
        axis({grid: {show: false}, size: 30, space: 50, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000], values: (_, splits) => splits.map((split) => split < 0 || split >= moved.length ? "" : String(split + 1))}),
        axis({size: 42, space: 40, values: (_, splits) => splits.map((split) => split.toFixed(1))}),
      ],
      series: [{}, {paths: () => null, points: {show: false}}, {paths: () => null, points: {show: false}}],
      cursor: {points: {show: false}, y: false},
      hooks: {draw: [drawQueries]},
    },
  };
}

// Mean recall over the cut-off, both rankings.
function recallByCut(curves, depth, cut) {
  if (!curves.n) return {empty: "None of these queries has a ranking and relevant documents."};
  const cuts = Array.from({length: depth}, (_, place) => place + 1);
  const line = (paint, more = {}) => ({
    stroke: colour(paint), width: 2.5, points: {show: depth <= 30, size: 6, fill: colour("card"), stroke: colour(paint), width: 2}, ...more,
  });
  const series = [{}, ...(curves.before ? [line("before", {dash: [6, 4]})] : []), line("now")];
  const before = (index) => (curves.before ? `${score(curves.before[index])} to ` : "");

  function drawCut(self) {
    if (cut == null || cut > depth) return;
    const x = self.valToPos(cut, "x", true), {ctx, bbox} = self;
    stroke(ctx, colour("axis"), uPlot.pxRatio, () => { ctx.moveTo(x, bbox.top); ctx.lineTo(x, bbox.top + bbox.height); }, [3 * uPlot.pxRatio, 3 * uPlot.pxRatio]);
  }

  return {
    label: `Recall by cut-off over ${count(curves.n, "query", "queries")}; at ${depth}: ${before(depth - 1)}${score(curves.after[depth - 1])}`,
    height: 260,
    data: [cuts, ...(curves.before ? [curves.before] : []), curves.after],
    say: (index) => `recall@${cuts[index]}: ${before(index)}${score(curves.after[index])}`,
    options: {
      padding: [10, 12, 0, 0],
      scales: {x: {time: false, range: () => [Math.min(1, depth - 1) - 0.02 * depth, depth + 0.02 * depth]}, y: {range: () => [-0.05, 1.05]}},
      axes: [
        axis({grid: {show: false}, size: 30, space: 30, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]}),
        axis({size: 42, space: 40, values: (_, splits) => splits.map((split) => split.toFixed(1))}),
      ],
      series,
      cursor: {drag: {x: false, y: false}, y: false, points: {size: 9}},
      hooks: {drawAxes: [drawCut]},
    },
  };
}
