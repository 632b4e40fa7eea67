// The page: light and dark, one golden set at a time, and the charts of the set that is shown.

const report = JSON.parse(document.getElementById("report").textContent);
const begun = new Set();

function begin(article) {
  if (begun.has(article)) return;
  begun.add(article);
  const set = report.sets[Number(article.dataset.set)];
  const lead = explorer(article, set);
  const box = article.querySelector(".forests");
  const gates = set.gates.filter((gate) => gate.against !== "floor");
  for (const metric of box ? new Set(gates.map((gate) => gate.metric)) : []) {
    const plot = make("div", {class: "plot"}), readout = make("p", {class: "readout"});
    box.append(make("figure", {class: "forest"}, make("figcaption", {}, harmless(metric)), plot, readout));
    const members = gates.filter((gate) => gate.metric === metric);
    chart(plot, readout, (width) => forest(metric, members, width, lead));
  }
}

function showSet() {
  const articles = [...document.querySelectorAll("article.set")];
  const chosen = articles.find((article) => "#" + article.id === location.hash) || articles[0];
  for (const article of articles) article.hidden = article !== chosen;
  for (const link of document.querySelectorAll("nav.sets a")) {
    if (chosen && link.hash === "#" + chosen.id) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  if (chosen) begin(chosen);
}

const THEME = "pytest-retrieval-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");
const button = document.getElementById("theme");

// A browser may keep nothing for files; then the choice lasts as long as the page.
function remembered() {
  try { return localStorage.getItem(THEME); } catch { return null; }
}

function remember(theme) {
  try { localStorage.setItem(THEME, theme); } catch { /* see above */ }
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  button.textContent = theme === "dark" ? "Light" : "Dark";
  button.setAttribute("aria-label", theme === "dark" ? "Switch to light colours" : "Switch to dark colours");
  redrawAll();
}

const ofSystem = () => (dark.matches ? "dark" : "light");
button.hidden = false;
button.addEventListener("click", () => {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  remember(theme);
  setTheme(theme);
});
dark.addEventListener("change", () => remembered() || setTheme(ofSystem()));
setTheme(remembered() === "dark" || remembered() === "light" ? remembered() : ofSystem());
addEventListener("hashchange", showSet);
showSet();
