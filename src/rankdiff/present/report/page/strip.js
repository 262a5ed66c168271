// The rank strip: two rankings as two lines, recall level by recall level (Figure 3 of the RPP paper).
import { logarithmic, rankTicks } from "./axes.js";
import { drawn, element, named, shortened, signed } from "./dom.js";
import { decidingLevels, NOT_RETRIEVED } from "./ranks.js";
import { saving } from "./save.js";

const SIDE = 14;
const [UPPER, LOWER, HEIGHT] = [40, 140, 200];
const SHAPES = ["M0-4.5A4.5 4.5 0 1 1 0 4.5A4.5 4.5 0 1 1 0-4.5Z", "M-4-4H4V4H-4Z", "M0-6L6 0L0 6L-6 0Z", "M0-6L6 5H-6Z", "M-2-6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z"];
const WINNERS = { 1: "candidate", 0: "tie", "-1": "baseline" };

export function strip(rankings, candidate, baseline, topic) {
  const box = element("div", { class: "strip" });
  const levels = [candidate, baseline].map((run) => rankings.levels(run, topic));
  const words = inWords(rankings, [candidate, baseline], topic, levels);
  const drawing = element("div", { class: "drawing" });
  const pointed = element("p", { class: "pointed note", role: "status" }, "Point at a mark or a line, or touch it, to read which document or level it is.");
  for (const kind of ["pointerover", "pointerdown"]) {
    drawing.addEventListener(kind, ({ target: { dataset } }) => {
      if (dataset.document !== undefined) pointAtDocument(dataset.document, drawing, pointed, rankings, [candidate, baseline]);
      else if (dataset.level !== undefined) pointAtLevel(dataset.level, drawing, pointed, rankings, [candidate, baseline], levels);
    });
  }
  const about = legend(rankings, topic);
  box.append(words, drawing, about, saving(drawing, `strip-${rankings.topics[topic]}`), pointed, documentTable(rankings, candidate, baseline, topic));
  const draw = () => drawing.replaceChildren(stripOf(rankings, [candidate, baseline], topic, levels, drawing, words));
  return { box, drawing, draw };
}

function inWords(rankings, runs, topic, [ours, theirs]) {
  const found = (levels) => levels.filter((rank) => rank !== NOT_RETRIEVED).length;
  const wins = ours.filter((rank, i) => rank < theirs[i]).length;
  const losses = ours.filter((rank, i) => rank > theirs[i]).length;
  const { first, last } = decidingLevels(ours, theirs);
  const [candidate, baseline] = runs.map((run) => rankings.runs[run]);
  const decided = first < 0 ? "The rankings do not differ." : `Lexiprecision is decided at level ${first + 1}, lexirecall at level ${last + 1}.`;
  const preferred = ours.length ? [" Binary RPP ", element("b", { "data-value": (wins - losses) / ours.length }, signed((wins - losses) / ours.length)), "."] : [];
  return element(
    "p",
    { class: "summary" },
    named(candidate, { class: "candidate" }),
    ` finds ${found(ours)} of ${ours.length} relevant documents and wins ${wins} ${wins === 1 ? "recall level" : "recall levels"}; `,
    named(baseline, { class: "baseline" }),
    ` finds ${found(theirs)} and wins ${losses}. ${decided}`,
    ...preferred,
  );
}

function stripOf(rankings, runs, topic, levels, container, words) {
  const width = Math.max(container.clientWidth, 260);
  const label = `Rank strip: ${words.textContent}`;
  const svg = drawn("svg", { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": label });
  const park = Math.max(70, width * 0.16);
  const end = width - park - SIDE;
  const found = levels.flat().filter((rank) => rank !== NOT_RETRIEVED);
  const deepest = Math.max(10, ...runs.map((run) => rankings.depth(run, topic)), ...found);
  const scale = logarithmic(1, deepest, SIDE, end);
  const parked = { from: end + 16, to: width - 8 };
  const places = levels.map((ranks) => placesOf(ranks, scale, parked));
  svg.append(ground(deepest, scale, end, parked));
  svg.append(...connections(levels, places), ...decisions(levels, places), ...touching(levels, places));
  [UPPER, LOWER].forEach((y, which) => {
    const kind = which ? "baseline" : "candidate";
    svg.append(
      drawn("text", { x: SIDE - 6, y: which ? y + 24 : y - 16, class: kind }, shortened(rankings.runs[runs[which]], Math.floor((end - SIDE - 40) / 8))),
      drawn("text", { x: parked.to, y: which ? y + 24 : y - 16, "text-anchor": "end" }, `${missing(levels[which])} not retrieved`),
      ...marks(rankings, runs, which, topic, places[which], y),
    );
  });
  return svg;
}

const missing = (ranks) => ranks.filter((rank) => rank === NOT_RETRIEVED).length;

// Where each recall level stands on a line; those not reached are parked behind the end, evenly.
function placesOf(ranks, scale, { from, to }) {
  const lost = missing(ranks);
  const found = ranks.length - lost;
  return ranks.map((rank, i) => (rank === NOT_RETRIEVED ? from + ((i - found + 0.5) / lost) * (to - from) : scale(rank)));
}

function ground(deepest, scale, end, parked) {
  const group = drawn("g", {});
  group.append(drawn("rect", { class: "park", x: parked.from - 6, y: UPPER - 10, width: parked.to - parked.from + 10, height: LOWER - UPPER + 20, rx: 4 }));
  for (const rank of rankTicks(deepest, end - SIDE)) {
    group.append(
      drawn("line", { class: "grid", x1: scale(rank), x2: scale(rank), y1: UPPER, y2: LOWER }),
      drawn("text", { x: scale(rank), y: HEIGHT - 16, "text-anchor": "middle" }, rank),
    );
  }
  group.append(drawn("text", { x: end + 4, y: HEIGHT - 2, "text-anchor": "end" }, "rank"));
  for (const y of [UPPER, LOWER]) group.append(drawn("line", { class: "track", x1: SIDE - 6, x2: end + 4, y1: y, y2: y }));
  return group;
}

function connection(levels, places, level, further = "") {
  const [ours, theirs] = levels.map((ranks) => ranks[level]);
  const won = WINNERS[(ours < theirs) - (ours > theirs)];
  const line = { x1: places[0][level], x2: places[1][level], y1: UPPER, y2: LOWER };
  return drawn("line", { class: `line level line-${won}${further}`, "data-level": level + 1, ...line });
}

// A line is thin: what can be pointed at is broader.
function touching(levels, places) {
  return levels[0].map((_, level) => drawn("line", { class: "touch", "data-level": level + 1, x1: places[0][level], x2: places[1][level], y1: UPPER, y2: LOWER }));
}

function connections(levels, places) {
  const both = levels[0].map((rank, i) => Math.min(rank, levels[1][i]));
  return both.flatMap((best, level) => (best === NOT_RETRIEVED ? [] : [connection(levels, places, level)]));
}

// The levels that decide the lexicographic preferences: thick, and with their names.
function decisions(levels, places) {
  const { first, last } = decidingLevels(...levels);
  if (first < 0) return [];
  const named = first === last ? [[first, "LP = LR", 0.5]] : [[first, "LP", 0.4], [last, "LR", 0.6]];
  return named.flatMap(([level, name, height]) => {
    const x = places[0][level] + height * (places[1][level] - places[0][level]);
    const y = UPPER + height * (LOWER - UPPER) + 4;
    const rings = [UPPER, LOWER].map((at, which) => drawn("circle", { class: "ring", cx: places[which][level], cy: at, r: 8 }));
    return [connection(levels, places, level, " deciding"), ...rings, drawn("text", { class: "badge", x, y, "text-anchor": "middle" }, name)];
  });
}

function marks(rankings, runs, which, topic, places, y) {
  const others = rankings.documentsOf(runs[1 - which], topic);
  const documents = rankings.documentsOf(runs[which], topic).map((item, i) => ({ ...item, other: others[i].rank }));
  // Those not retrieved by grade, the best first: where they are too many to be told apart, they are a band of each.
  const inOrder = documents.sort((a, b) => (a.rank && b.rank ? a.rank - b.rank : !a.rank - !b.rank || b.grade - a.grade));
  const crowded = places.length > 1 && places.at(-1) - places.at(-2) < 6;
  return inOrder.map(({ index, grade, rank, other }, level) => {
    const rankText = (value) => (value ? `rank ${value}` : "not retrieved");
    const text = rankings.texts[index] ? `\n${rankings.texts[index]}` : "";
    const title = `${rankings.documents[index]}, grade ${rankings.grades[grade]}: ${rankText(rank)}; the other run: ${rankText(other)}${text}`;
    const attributes = { d: SHAPES[grade % SHAPES.length], transform: `translate(${places[level]} ${y})`, "data-run": which ? "baseline" : "candidate", "data-rank": rank, "data-document": index };
    return drawn("path", { class: `mark grade-${grade % SHAPES.length}${crowded && !rank ? " crowded" : ""}`, ...attributes }, drawn("title", {}, title));
  });
}

const ranked = (rankings, runs, ranks) => runs.flatMap((run, i) => [i ? ", " : ": ", ranks[i] ? `rank ${ranks[i]} by ` : "not retrieved by ", named(rankings.runs[run], { class: ["candidate", "baseline"][i] })]);

// What is pointed at, in words and emphasized: a document, which is ringed in both rankings …
function pointAtDocument(at, drawing, pointed, rankings, runs) {
  for (const emphasis of drawing.querySelectorAll(".same")) emphasis.remove();
  for (const mark of drawing.querySelectorAll(`[data-document="${at}"]`)) {
    mark.after(drawn("circle", { class: "same", r: 9, transform: mark.getAttribute("transform") }));
  }
  const where = ranked(rankings, runs, runs.map((run) => rankings.rank[run * rankings.documents.length + Number(at)]));
  const text = rankings.texts[at] ? [". ", named(rankings.texts[at])] : ["."];
  pointed.replaceChildren(named(rankings.documents[at]), `, grade ${rankings.grades[rankings.grade[at]]}`, ...where, ...text);
}

// … or a recall level.
function pointAtLevel(at, drawing, pointed, rankings, runs, levels) {
  for (const emphasis of drawing.querySelectorAll(".same")) emphasis.remove();
  const line = drawing.querySelector(`.touch[data-level="${at}"]`).cloneNode();
  line.setAttribute("class", "same");
  drawing.querySelector(".mark").before(line);
  const ranks = levels.map((of) => (of[at - 1] === NOT_RETRIEVED ? 0 : of[at - 1]));
  pointed.replaceChildren(`Recall level ${at} of ${levels[0].length}`, ...ranked(rankings, runs, ranks), ".");
}

function legend(rankings, topic) {
  const present = new Set(rankings.grade.subarray(rankings.start[topic], rankings.start[topic + 1]));
  const icon = (...parts) => drawn("svg", { width: 26, height: 14, viewBox: "-13 -7 26 14", "aria-hidden": "true" }, ...parts);
  const line = (kind) => icon(drawn("line", { class: `line line-${kind}`, x1: -12, x2: 12, y1: 0, y2: 0 }));
  const grades = [...present].sort().map((grade) =>
    element("li", {}, icon(drawn("path", { class: `mark grade-${grade % SHAPES.length}`, d: SHAPES[grade % SHAPES.length] })), `grade ${rankings.grades[grade]}`),
  );
  const lines = [["candidate", "level won by the candidate"], ["baseline", "by the baseline"], ["tie", "tie"]];
  const deciding = element("li", {}, icon(drawn("line", { class: "decides", x1: -12, x2: 12, y1: 0, y2: 0 })), "the level that decides lexiprecision (LP), lexirecall (LR)");
  return element("ul", { class: "legend" }, ...grades, ...lines.map(([kind, words]) => element("li", {}, line(kind), words)), deciding);
}

function documentTable(rankings, candidate, baseline, topic) {
  const theirs = rankings.documentsOf(baseline, topic);
  const rows = rankings.documentsOf(candidate, topic).map((item, i) => ({ ...item, other: theirs[i].rank }));
  rows.sort((a, b) => (a.rank || NOT_RETRIEVED) - (b.rank || NOT_RETRIEVED) || (a.other || NOT_RETRIEVED) - (b.other || NOT_RETRIEVED) || 0);
  const texts = rows.some(({ index }) => index in rankings.texts);
  const heads = ["document", "grade", "candidate’s rank", "baseline’s rank", ...(texts ? ["text"] : [])];
  const body = rows.map(({ index, grade, rank, other }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, named(rankings.documents[index])),
      ...[rankings.grades[grade], rank || "–", other || "–"].map((value) => element("td", { class: "number" }, value)),
      ...(texts ? [element("td", { class: "long" }, named(rankings.texts[index] ?? ""))] : []),
    ),
  );
  const head = element("tr", {}, ...heads.map((name, i) => element("th", { scope: "col", class: i > 0 && i < 4 ? "number" : null }, name)));
  const table = element("table", {}, element("caption", {}, "Relevant documents"), element("thead", {}, head), element("tbody", {}, ...body));
  const scroll = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Relevant documents" }, table);
  const details = element("details", {}, element("summary", {}, `${rows.length} relevant ${rows.length === 1 ? "document" : "documents"}`), scroll);
  details.open = texts && rows.length <= 20;
  return details;
}
