// What is shown when a query is opened: both rankings side by side, every document with its mark.

const SHOWN = 20;
const CLIPPED = 160; // signs of a text in the table; an open query shows all of it

function details(row, set, metrics, cut) {
  const {query} = row;
  const parts = [];
  if (Array.from(query.text || "").length > CLIPPED) parts.push(make("p", {class: "text", dir: "auto"}, harmless(query.text)));
  if (query.error) parts.push(make("pre", {class: "error"}, query.error.split("\n").map(harmless).join("\n")));
  if (query.must_failed.length) parts.push(fact("Broken contract", query.must_failed.map(foreign)));
  if (query.diagnosis) parts.push(fact("Diagnosis", [foreign(query.diagnosis)]));
  const missing = query.missing.map((name) => make("span", {}, foreign(name), ` (grade ${query.relevant[name]})`));
  if (missing.length) parts.push(fact("Relevant and not found", missing));
  parts.push(scoresTable(query, metrics));
  const lists = make("div", {class: "rankings"});
  if (query.baseline_ranked) lists.append(ranking("Baseline", query.baseline_ranked, query.ranked, query, "lost", cut));
  if (query.outcome === "scored") lists.append(ranking("This run", query.ranked, query.baseline_ranked, query, "new", cut));
  parts.push(lists);
  if (query.repeats && query.repeats.length) {
    parts.push(make("p", {class: "quiet"}, `Asked ${query.repeats.length + 1} times; the first answer is shown.`));
  }
  parts.push(make("p", {class: "quiet"}, foreign(`${set.golden}:${query.line}`)));
  return parts;
}

function fact(title, items) {
  const line = make("p", {}, make("strong", {}, title + ": "));
  items.forEach((item, place) => line.append(place ? ", " : "", item));
  return line;
}

function scoresTable(query, metrics) {
  const head = make("tr", {}, make("td", {}), ...metrics.map((metric) => make("th", {scope: "col", class: "number"}, harmless(metric))));
  const line = (title, values) => make("tr", {}, make("th", {scope: "row"}, title), ...metrics.map((metric) => make("td", {class: "number"}, score(values?.[metric]))));
  const lines = [...(query.baseline ? [line("before", query.baseline)] : []), line("after", query.scores)];
  return make("div", {class: "scroll"}, make("table", {class: "scores"}, make("thead", {}, head), make("tbody", {}, ...lines)));
}

// Documents that the other ranking lacks get the word: lost on the old side, new on the new one.
function ranking(title, names, others, query, word, cut) {
  const places = others && new Map(others.map((name, place) => [name, place]));
  const items = names.map((name, place) => {
    const [mark, label] = judgement(query.relevant, name);
    const item = make("li", {"data-mark": mark, "data-cut": cut === place + 1 && place + 1 < names.length, "value": place + 1, "hidden": place >= SHOWN},
      make("span", {class: "name"}, foreign(name)), make("span", {class: "badge", "data-mark": mark}, label));
    if (places && !places.has(name)) item.append(make("span", {class: "badge", "data-mark": word}, word));
    else if (places && word === "new" && places.get(name) !== place) item.append(movement(places.get(name), place));
    return item;
  });
  const box = make("section", {"aria-label": title}, make("h4", {}, title), make("ol", {}, ...items));
  if (!names.length) box.append(make("p", {class: "empty"}, "nothing was returned"));
  if (names.length > SHOWN) box.append(moreButton(items));
  return box;
}

function judgement(relevant, name) {
  if (!Object.hasOwn(relevant, name)) return ["unjudged", "unjudged"];
  const grade = relevant[name];
  return grade > 0 ? ["relevant", `relevant ${grade}`] : ["irrelevant", "not relevant"];
}

function movement(from, to) {
  const up = to < from;
  return make("span", {class: "movement"}, make("span", {"aria-hidden": "true"}, up ? "↑" : "↓"),
    make("span", {class: "unseen"}, up ? "up from rank" : "down from rank"), ` ${from + 1}`);
}

function moreButton(items) {
  const button = make("button", {type: "button", class: "plain"}, `All ${items.length} documents`);
  button.addEventListener("click", () => {
    items.forEach((item) => { item.hidden = false; });
    button.remove();
  });
  return button;
}
