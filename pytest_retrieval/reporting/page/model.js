// What the charts and the table read: one row a query, and what is computed from rankings and labels.

const WORSE = "worse", BETTER = "better", EQUAL = "equal score", MOVED = "ranking moved", UNCOMPARED = "not compared";
const CHANGES = [WORSE, BETTER, EQUAL, MOVED, UNCOMPARED];

function rowsOf(set) {
  return set.queries.map((query, place) => ({
    query,
    place,
    moved: query.baseline_ranked != null && !sameList(query.baseline_ranked, query.ranked),
  }));
}

function sameList(one, other) {
  return one.length === other.length && one.every((item, place) => item === other[place]);
}

// What the search looks at; made when it is first needed.
function searchable(row) {
  if (row.searchable === undefined) {
    const {id, text, kind, relevant, ranked, baseline_ranked: old} = row.query;
    const parts = [id, text, kind, ...Object.keys(relevant), ...ranked, ...(old || [])];
    row.searchable = parts.join("\n").toLocaleLowerCase();
  }
  return row.searchable;
}

// Sets before, after and change of every row for one metric; null where there is none.
function scoreRows(rows, metric) {
  for (const row of rows) {
    row.before = row.query.baseline?.[metric] ?? null;
    row.after = row.query.scores?.[metric] ?? null;
    row.change = row.before == null || row.after == null ? null : Math.round((row.after - row.before) * 1e9) / 1e9;
  }
}

function changeIs(row, wanted) {
  switch (wanted) {
    case WORSE: return row.change < 0;
    case BETTER: return row.change > 0;
    case EQUAL: return row.change === 0;
    case MOVED: return row.moved;
    case UNCOMPARED: return row.change == null;
    default: return true;
  }
}

function cutOf(metric) {
  const found = /@(\d+)$/.exec(metric);
  return found ? Number(found[1]) : null;
}

// kind -> the verdict of its gate for one metric, of the small kinds together where it has none.
function verdictsByKind(set, metric) {
  const verdicts = new Map();
  const gates = set.gates.filter((gate) => gate.metric === metric && gate.against === "baseline");
  for (const gate of gates) for (const kind of gate.slice.kinds || []) verdicts.set(kind, gate.verdict);
  for (const gate of gates) {
    if (gate.slice.kind && !(gate.verdict === "too few queries" && verdicts.has(gate.slice.kind))) {
      verdicts.set(gate.slice.kind, gate.verdict);
    }
  }
  return verdicts;
}

// Mean recall at 1 to depth. With a baseline only queries that have both rankings count, so that the
// two curves are about the same queries. Repeated runs are averaged.
function recallCurves(rows, depth) {
  const measured = rows.filter(({query}) => query.scores && Object.values(query.relevant).some((grade) => grade > 0));
  const compared = measured.filter(({query}) => query.baseline && query.baseline_ranked);
  const members = compared.length ? compared : measured;
  const runs = (query) => [query.ranked, ...(query.repeats || [])];
  return {
    n: members.length,
    after: meanRecall(members, depth, runs),
    before: compared.length ? meanRecall(members, depth, (query) => [query.baseline_ranked]) : null,
  };
}

function meanRecall(rows, depth, rankingsOf) {
  const gained = new Float64Array(depth);
  for (const {query} of rows) {
    const wanted = new Set(Object.keys(query.relevant).filter((name) => query.relevant[name] > 0));
    const rankings = rankingsOf(query);
    for (const ranking of rankings) {
      ranking.slice(0, depth).forEach((name, place) => {
        if (wanted.has(name)) gained[place] += 1 / wanted.size / rankings.length;
      });
    }
  }
  let sum = 0;
  return Array.from(gained, (gain) => (sum += gain) / (rows.length || 1));
}
