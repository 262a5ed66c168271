// How far down relevant documents stand: of each run, and from one to the other.
import { bar, bottomAxis, frame, leftAxis, linear, short, ticks } from "./axes.js";
import { drawn, element, named, responsive } from "./dom.js";

// Where the buckets of search lengths begin; one reaches up to the next.
const EDGES = [1, 2, 3, 6, 11, 21, 51, 101, 201, 501, 1001, 2001, 5001, 10001];

const bucketOf = (length) => EDGES.filter((edge) => edge <= length).length;

function span(bucket) {
  const [first, next] = [EDGES[bucket - 1], EDGES[bucket]];
  if (next === undefined) return `${short(first)} or more`;
  return next - first === 1 ? String(first) : `${short(first)} to ${short(next - 1)}`;
}

// Of every relevant document how many non-relevant ones stand above it, plus 1; 0 where it is not retrieved, −1 where
// its topic does not count.
export function searchLengths(rankings, run) {
  const lengths = new Int32Array(rankings.documents.length);
  rankings.topics.forEach((_, topic) => {
    const documents = rankings.documentsOf(run, topic);
    if (!rankings.counts[run * rankings.topics.length + topic]) documents.forEach(({ index }) => (lengths[index] = -1));
    else {
      const found = documents.filter(({ rank }) => rank > 0).sort((a, b) => a.rank - b.rank);
      found.forEach(({ index, rank }, above) => (lengths[index] = rank - above));
    }
  });
  return lengths;
}

function counted(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return (value) => counts.get(value) ?? 0;
}

// Rows of how far down: what is said of them, the label of the axis, and the documents of the two runs.
function lengthRows(ours, theirs) {
  const last = Math.max(1, ...[ours, theirs].map((lengths) => bucketOf(lengths.reduce((a, b) => Math.max(a, b), 0))));
  const counts = [ours, theirs].map((lengths) => counted(lengths.map((length) => (length > 0 ? bucketOf(length) : length))));
  const row = (bucket, words, label) => ({ words, label, counts: counts.map((of) => of(bucket)) });
  const buckets = Array.from({ length: last }, (_, i) => row(i + 1, span(i + 1), short(EDGES[i])));
  return [...buckets, { ...row(0, "not retrieved", "none"), end: true }];
}

// Rows of what changes, from what the baseline alone finds to what the candidate alone finds.
function changeRows(ours, theirs) {
  const ends = { lost: "only the baseline finds it", won: "only the candidate finds it" };
  const kinds = [...ours].flatMap((our, i) => {
    const their = theirs[i];
    if (our < 0 || their < 0 || (our === 0 && their === 0)) return [];
    if (our === 0 || their === 0) return [our ? "won" : "lost"];
    return [Math.sign(their - our) * bucketOf(Math.abs(their - our))];
  });
  const of = counted(kinds);
  const reach = Math.max(1, ...kinds.map((kind) => (typeof kind === "number" ? Math.abs(kind) : 0)));
  const changes = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach).map((bucket) => ({
    words: bucket === 0 ? "as far down in both" : `${span(Math.abs(bucket))} further ${bucket > 0 ? "up" : "down"}`,
    label: bucket === 0 ? "0" : `${bucket > 0 ? "+" : "−"}${short(EDGES[Math.abs(bucket) - 1])}`,
    counts: [of(bucket)],
    kind: bucket > 0 ? "candidate" : bucket < 0 ? "baseline" : "tie",
  }));
  const end = (kind, color) => ({ words: ends[kind], label: "alone", counts: [of(kind)], kind: color, end: true });
  return [end("lost", "baseline"), ...changes, end("won", "candidate")];
}

// Bars; those at the ends, which may dwarf all others, are cut at the top and have their number beside them.
function drawRows(container, rows, title, label) {
  const box = frame(container, 230, label, { widest: 520, top: 22 });
  const high = Math.max(1, ...rows.flatMap(({ counts, end }) => (end ? [] : counts)));
  // Up to a round number, so that only bars that are cut touch the top.
  const step = ticks(0, high).at(1) ?? high;
  const most = Math.ceil((high * 1.02) / step) * step;
  const [x, y] = [linear(0, rows.length, box.x0, box.x1), linear(0, most, box.y0, box.y1)];
  leftAxis(box, y, ticks(0, most).filter(Number.isInteger));
  const width = x(1) - x(0);
  rows.forEach(({ words, counts, kind, end }, i) => {
    const each = (width * 0.86) / counts.length;
    counts.forEach((count, which) => {
      const [left, top] = [x(i) + width * 0.07 + which * each, y(Math.min(count, most))];
      const rect = bar(left, top, each - 0.5, box.y0 - top, kind ?? ["candidate", "baseline"][which], `${words}: ${short(count)} documents`);
      rect.dataset.count = count;
      box.svg.append(rect);
      if (count > most) box.svg.append(drawn("path", { class: "cut", d: `M${left} ${top + 12}l${each} -6M${left} ${top + 16}l${each} -6` }));
    });
    const shown = counts.map(short).join(" · ");
    if (end) box.svg.append(drawn("text", { x: i ? box.x1 + 14 : box.x0, y: box.y1 - 8, "text-anchor": i ? "end" : "start" }, shown));
  });
  const every = Math.ceil(34 / width);
  const shown = [...rows.keys()].filter((i) => rows[i].label === "0" || i === 0 || i === rows.length - 1 || (i % every === 0 && Math.min(i, rows.length - 1 - i) >= every));
  bottomAxis(box, (i) => x(i + 0.5), shown, title, (i) => rows[i].label);
}

function tableOf(heads, rows) {
  const head = element("tr", {}, ...heads.map((name, i) => element("th", { scope: "col", class: i ? "number" : null }, named(name))));
  const body = rows.map(({ words, counts }) => element("tr", {}, element("th", { scope: "row" }, words), ...counts.map((count) => element("td", { class: "number", "data-value": count }, short(count)))));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
}

const listed = (rows) => rows.map(({ words, counts }) => `${words} ${counts.join(" and ")}`).join("; ");

export function drawTail(rankings) {
  const state = { candidate: 0, baseline: 0 };
  const draw = () => {
    const [candidate, baseline] = [state.candidate, state.baseline];
    const [ours, theirs] = [candidate, baseline].map((run) => searchLengths(rankings, run));
    const [lengths, changes] = [lengthRows(ours, theirs), changeRows(ours, theirs)];
    const names = [candidate, baseline].map((run) => rankings.runs[run]);
    drawRows(document.getElementById("lengths"), lengths, "search length, from", `Relevant documents by search length, of ${names.join(" and ")}: ${listed(lengths)}.`);
    drawRows(document.getElementById("changes"), changes, "← baseline better · places · candidate better →", `Relevant documents by how much further up ${names[0]} has them than ${names[1]}: ${listed(changes)}.`);
    document.getElementById("tail-names").replaceChildren(named(names[0], { class: "candidate" }), " (left bars) and ", named(names[1], { class: "baseline" }), " (right bars)");
    document.getElementById("tail-tables").replaceChildren(tableOf(["search length", ...names], lengths), tableOf(["change", "documents"], changes));
  };
  responsive(document.getElementById("lengths"), draw);
  return (candidate, baseline) => {
    Object.assign(state, { candidate, baseline });
    draw();
  };
}
