// The table of queries of one golden set with its filters, and the two charts that follow them.

const PAGE = 50;
const PATIENCE = 120; // milliseconds after the last key before a search begins

function explorer(article, set) {
  const section = article.querySelector(".explorer");
  const form = section.querySelector(".filters");
  const body = section.querySelector(".queries tbody");
  const pages = section.querySelector(".pages");
  const clear = form.querySelector("button");
  const rows = rowsOf(set);
  const metrics = [...new Set([...set.gate_metrics, ...set.metrics])];
  const kinds = [...new Set(rows.map((row) => row.query.kind))];
  let shown = rows, page = 0, verdicts = new Map();
  let order = {by: "change", up: true};
  const opened = new Set();
  const choice = (name) => form.elements[name].value;

  fill("metric", metrics.map((metric) => [metric, metric]));
  fill("kind", [["", "all"], ...kinds.map((kind) => [kind, kind])]);
  fill("change", [["", "all"], ...CHANGES.map((change) => [change, change])]);
  fill("outcome", [["", "all"], ["scored", "scored"], ["error", "error"], ["not run", "not run"], ["must", "contract broken"]]);
  section.hidden = false;

  function fill(name, options) {
    form.elements[name].replaceChildren(...options.map(([value, label]) => make("option", {value}, clip(harmless(label), 60))));
  }

  function setMetric() {
    scoreRows(rows, choice("metric"));
    verdicts = verdictsByKind(set, choice("metric"));
    const before = choice("verdict"), words = [...new Set(verdicts.values())];
    fill("verdict", [["", "all"], ...words.map((word) => [word, word])]);
    form.elements.verdict.value = words.includes(before) ? before : "";
    form.elements.verdict.disabled = !words.length;
  }

  function filter() {
    const wanted = choice("search").toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const [kind, change, outcome, verdict] = ["kind", "change", "outcome", "verdict"].map(choice);
    shown = rows.filter((row) => (
      (!kind || row.query.kind === kind)
      && changeIs(row, change)
      && (!outcome || (outcome === "must" ? row.query.must_failed.length > 0 : row.query.outcome === outcome))
      && (!verdict || verdicts.get(row.query.kind) === verdict)
      && wanted.every((part) => searchable(row).includes(part))
    ));
    page = 0;
    sort();
    changes.draw();
    recall.draw();
  }

  function sort() {
    const key = {
      id: (row) => row.place, kind: (row) => kinds.indexOf(row.query.kind),
      before: (row) => row.before, after: (row) => row.after, change: (row) => row.change,
    }[order.by];
    const way = order.up ? 1 : -1;
    shown.sort((one, other) => {
      const a = key(one), b = key(other);
      // what has no value comes last either way
      if (a == null || b == null) return (a == null) - (b == null) || one.place - other.place;
      return way * (a - b) || one.place - other.place;
    });
    for (const button of section.querySelectorAll("[data-sort]")) {
      const chosen = button.dataset.sort === order.by;
      button.parentElement.setAttribute("aria-sort", chosen ? (order.up ? "ascending" : "descending") : "none");
    }
    show();
  }

  function show() {
    const last = Math.max(0, Math.ceil(shown.length / PAGE) - 1);
    page = Math.min(Math.max(page, 0), last);
    const from = page * PAGE, visible = shown.slice(from, from + PAGE);
    body.replaceChildren(...visible.flatMap(tableRow));
    if (!visible.length) body.append(make("tr", {}, make("td", {colspan: 6, class: "empty"}, "No query fits these filters.")));
    section.querySelector(".count").textContent = shown.length === rows.length
      ? count(rows.length, "query", "queries") : `${shown.length.toLocaleString("en")} of ${count(rows.length, "query", "queries")}`;
    pages.hidden = last === 0;
    pages.querySelector("span").textContent = `${from + 1} to ${from + visible.length} of ${shown.length.toLocaleString("en")}`;
    for (const button of pages.querySelectorAll("button")) {
      button.disabled = Number(button.dataset.page) < 0 ? page === 0 : page === last;
    }
  }

  function tableRow(row) {
    const {query} = row, open = opened.has(row), id = `${article.id}-query-${row.place}`;
    const button = make("button", {"type": "button", "class": "opener", "aria-expanded": String(open), "aria-controls": id}, foreign(query.id));
    const direction = row.change < 0 ? "worse" : row.change > 0 ? "better" : null;
    const arrow = {worse: "▼ ", better: "▲ "}[direction];
    const line = make("tr", {"class": "query", "data-place": row.place},
      make("td", {}, button, make("span", {class: "text", dir: "auto"}, clip(harmless(query.text || ""), CLIPPED))),
      make("td", {"data-name": "kind"}, foreign(query.kind)),
      make("td", {"class": "number", "data-name": "before"}, score(row.before)),
      make("td", {"class": "number", "data-name": "after"}, score(row.after)),
      make("td", {"class": "number", "data-name": "change", "data-direction": direction}, arrow && make("span", {"aria-hidden": "true"}, arrow), signed(row.change)),
      make("td", {class: "notes"}, ...notes(row)));
    const cell = make("td", {colspan: 6});
    const detail = make("tr", {id, class: "detail", hidden: !open}, cell);
    if (open) cell.append(...details(row, set, metrics, cutOf(choice("metric"))));
    line.addEventListener("click", (event) => {
      const selects = String(document.getSelection()) && !event.target.closest("button");
      if (!selects) toggle(row, button, detail, cell);
    });
    return [line, detail];
  }

  function toggle(row, button, detail, cell) {
    const open = !opened.has(row);
    opened[open ? "add" : "delete"](row);
    button.setAttribute("aria-expanded", String(open));
    cell.replaceChildren(...(open ? details(row, set, metrics, cutOf(choice("metric"))) : []));
    detail.hidden = !open;
  }

  function notes(row) {
    const {query} = row, words = [];
    if (query.outcome !== "scored") words.push([query.outcome, "error"]);
    if (query.must_failed.length) words.push(["contract broken", "error"]);
    if (query.outcome === "scored" && query.missing.length) words.push([`${query.missing.length} missing`, "missing"]);
    if (query.outcome === "scored" && row.moved && !row.change) words.push(["moved", "moved"]);
    return words.map(([word, mark]) => make("span", {"class": "badge", "data-mark": mark}, word));
  }

  // Leads to a query from a chart: its page, opened, in view and in focus.
  function lead(row) {
    page = Math.floor(shown.indexOf(row) / PAGE);
    opened.add(row);
    show();
    const line = body.querySelector(`[data-place="${row.place}"]`);
    line.scrollIntoView({block: "center"});
    line.querySelector("button").focus({preventScroll: true});
  }

  const [changesFigure, recallFigure] = [".changes", ".recall"].map((name) => section.querySelector(name));
  const changes = chart(changesFigure.querySelector(".plot"), changesFigure.querySelector(".readout"), () => beforeAfter(shown, choice("metric"), lead));
  const recall = chart(recallFigure.querySelector(".plot"), recallFigure.querySelector(".readout"), () => {
    const curves = recallCurves(shown, set.depth);
    recallFigure.querySelector(".key-old").hidden = !curves.before;
    recallFigure.querySelector("details div").replaceChildren(recallTable(curves));
    return recallByCut(curves, set.depth, cutOf(choice("metric")));
  });

  let waiting = 0;
  form.addEventListener("input", (event) => {
    clearTimeout(waiting);
    if (event.target.name === "metric") setMetric();
    waiting = setTimeout(filter, event.target.name === "search" ? PATIENCE : 0);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  clear.addEventListener("click", () => {
    form.reset();
    setMetric();
    filter();
  });
  for (const button of section.querySelectorAll("[data-sort]")) {
    button.addEventListener("click", () => {
      order = {by: button.dataset.sort, up: button.dataset.sort === order.by ? !order.up : true};
      sort();
    });
  }
  pages.addEventListener("click", (event) => {
    const step = Number(event.target.dataset?.page);
    if (!step) return;
    page += step;
    show();
    section.querySelector(".queries").scrollIntoView({block: "start"});
  });
  setMetric();
  filter();

  // Leads from a gate to the queries of its kind, by its metric.
  return (gate) => {
    form.reset();
    form.elements.metric.value = gate.metric;
    form.elements.kind.value = gate.slice.kind ?? "";
    setMetric();
    filter();
    section.scrollIntoView();
  };
}

function recallTable(curves) {
  const columns = ["k", ...(curves.before ? ["baseline"] : []), "this run"];
  const head = make("tr", {}, ...columns.map((name) => make("th", {scope: "col", class: "number"}, name)));
  const lines = curves.after.map((value, place) => make("tr", {}, make("th", {scope: "row", class: "number"}, String(place + 1)),
    ...(curves.before ? [make("td", {class: "number"}, score(curves.before[place]))] : []), make("td", {class: "number"}, score(value))));
  return make("table", {}, make("thead", {}, head), make("tbody", {}, ...lines));
}
