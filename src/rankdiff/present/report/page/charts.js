// The drawings of the parts beside the topics.
import { bar, bottomAxis, frame, leftAxis, linear, polyline, short, ticks } from "./axes.js";
import { drawn, element, formatted, named, responsive, shortened, signed, unpacked } from "./dom.js";

const percent = (share) => `${Math.round(share * 100)} %`;

export function drawProfile({ tenths, sum, low, high, candidate, baseline, crossing }) {
  const container = document.getElementById("profile");
  const turns = crossing === null ? "the running sum keeps its sign" : `the running sum falls below zero at ${percent(crossing)}`;
  responsive(container, () => {
    const box = frame(container, 270, `Profile of ${candidate} against ${baseline}: mean preference ${signed(sum[9])}; ${turns}. The numbers are in the table below.`, { right: 104 });
    const values = [...tenths, ...sum, ...low, ...high].filter((value) => value !== null);
    const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
    const [x, y] = [linear(0, 1, box.x0, box.x1), linear(least, most, box.y0 - 6, box.y1 + 8)];
    leftAxis(box, y, ticks(least, most));
    tenths.forEach((value, i) => {
      const [left, right, middle] = [x(i / 10) + 3, x((i + 1) / 10) - 3, x((i + 0.5) / 10)];
      box.svg.append(bar(left, Math.min(y(0), y(value)), right - left, Math.abs(y(value) - y(0)), value > 0 ? "candidate" : "baseline", `${percent(i / 10)} to ${percent((i + 1) / 10)}: ${signed(value)}`));
      if (low[i] !== null && high[i] !== null) {
        box.svg.append(drawn("path", { class: "whisker", d: `M${middle} ${y(low[i])}V${y(high[i])}M${middle - 4} ${y(low[i])}H${middle + 4}M${middle - 4} ${y(high[i])}H${middle + 4}` }));
      }
    });
    box.svg.append(
      polyline([[x(0), y(0)], ...sum.map((value, i) => [x((i + 1) / 10), y(value)])], "ink"),
      drawn("text", { class: "strong", x: box.x1 + 6, y: Math.min(y(sum[9]), box.y0 - 16) - 2 }, signed(sum[9])),
      drawn("text", { x: box.x1 + 6, y: Math.min(y(sum[9]), box.y0 - 16) + 12 }, "binary RPP"),
    );
    if (crossing !== null) {
      const late = crossing > 0.6;
      box.svg.append(
        drawn("line", { class: "crossing", x1: x(crossing), x2: x(crossing), y1: box.y1 - 6, y2: box.y0 }),
        drawn("circle", { class: "dot", cx: x(crossing), cy: y(sum[Math.round(crossing * 10) - 1]), r: 5 }),
        drawn("text", { class: "badge", x: x(crossing) + (late ? -6 : 6), y: box.y1 + 4, "text-anchor": late ? "end" : "start" }, `below zero at ${percent(crossing)}`),
      );
    }
    bottomAxis(box, x, box.x1 > 420 ? [0, 0.2, 0.4, 0.6, 0.8, 1] : [0, 0.5, 1], "share of the relevant documents wanted", percent);
  });
}

// The mean difference as judged, and what it could be however the unjudged documents were judged.
export function drawBounds({ low, at, high }) {
  const container = document.getElementById("bounds-drawing");
  responsive(container, () => {
    const reach = Math.max(Math.abs(low), Math.abs(high), 1e-12);
    const label = `As judged ${signed(at)}; between ${signed(low)} and ${signed(high)} however the unjudged documents are judged.`;
    const box = frame(container, 96, label, { left: 40, right: 40, top: 30, bottom: 40, widest: 620 });
    const [x, y] = [linear(-reach, reach, box.x0, box.x1), 40];
    const part = (from, to, kind) => to > from && box.svg.append(bar(x(from), y - 5, x(to) - x(from), 10, kind, label));
    part(low, Math.min(high, 0), "baseline");
    part(Math.max(low, 0), high, "candidate");
    box.svg.append(
      drawn("line", { class: "axis", x1: x(0), x2: x(0), y1: y - 14, y2: box.y0 + 4 }),
      drawn("circle", { class: "dot", cx: x(at), cy: y, r: 6 }),
      drawn("text", { class: "strong", x: x(at), y: y - 14, "text-anchor": "middle" }, `as judged ${signed(at, 3)}`),
    );
    bottomAxis(box, x, [...new Set([low, 0, high])], "← baseline better · candidate better →", (value) => signed(value, 2));
  });
}

export function drawMovers(movers, names) {
  const container = document.getElementById("movers");
  responsive(container, () => {
    if (!movers.length) return container.replaceChildren(element("p", {}, "All orders agree."));
    const last = Math.max(...movers.flatMap(({ positions }) => positions));
    const label = `Positions of ${movers.length} runs. ${movers.map(({ run, positions }) => `${run}: ${Math.min(...positions)} to ${Math.max(...positions)}`).join("; ")}.`;
    const box = frame(container, movers.length * 50 + 52, label, { left: 14, right: 40 });
    const x = linear(1, last, box.x0, box.x1);
    movers.forEach(({ run, positions }, i) => {
      const y = box.y1 + i * 50 + 22;
      const [best, worst] = [Math.min(...positions), Math.max(...positions)];
      box.svg.append(
        drawn("text", { x: 4, y: y - 12, class: "strong" }, shortened(run, Math.floor(box.width / 9)), drawn("title", {}, run)),
        drawn("line", { class: "track", x1: x(best), x2: x(worst), y1: y, y2: y }),
      );
      positions.forEach((position, j) => box.svg.append(drawn("circle", { class: "mark fill-plain", cx: x(position), cy: y, r: 5 }, drawn("title", {}, `${names[j]}: ${position}`))));
      const ends = [[best, "best"], [worst, "worst"]];
      ends.forEach(([position, kind]) => box.svg.append(drawn("circle", { class: `mark ${kind}`, cx: x(position), cy: y, r: 5 })));
      const words = (position) => `${names[positions.indexOf(position)]} ${position}`;
      const room = x(worst) - x(best) > 130;
      box.svg.append(drawn("text", { x: x(best), y: y + 16, "text-anchor": x(best) < 60 ? "start" : "middle" }, room ? words(best) : `${words(best)} – ${words(worst)}`));
      if (room) box.svg.append(drawn("text", { x: x(worst), y: y + 16, "text-anchor": x(worst) > box.x1 - 40 ? "end" : "middle" }, words(worst)));
    });
    bottomAxis(box, x, [1, ...ticks(1, last).filter((value) => value > 1)], "position");
  });
}

export function drawMatrix(packedMatrix, order) {
  const container = document.getElementById("matrix");
  if (container === null) return;
  const better = unpacked(packedMatrix);
  const size = order.length;
  const label = `Which of ${size} runs, in the order of the leaderboard, are shown to be better than which: ${better.reduce((sum, cell) => sum + cell, 0)} pairs. The ranks that each run can have are in the table above.`;
  const side = Math.min(400, Math.max(container.clientWidth, 240));
  const cells = [];
  better.forEach((cell, at) => cell && cells.push(`M${at % size} ${Math.floor(at / size)}h1v1h-1z`));
  const svg = drawn("svg", { width: side, height: side, viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label });
  svg.append(drawn("rect", { class: "matrix-ground", width: size, height: size }), drawn("path", { class: "matrix-diagonal", d: `M0 0L${size} ${size}` }), drawn("path", { class: "matrix-cells", d: cells.join("") || "M0 0" }));
  const words = element("p", { class: "pointed" }, "Point at a cell, or touch it, to read it.");
  const note = element("p", { class: "note" }, "Rows and columns stand in the order of the leaderboard, the best run first. A filled cell: the run of the row is shown to be better than that of the column. Where a row begins to be filled, the runs begin that its run is shown to beat.");
  const read = (event) => {
    const [column, row] = [event.offsetX, event.offsetY].map((at) => Math.min(size - 1, Math.floor((at / svg.clientWidth) * size)));
    const verdict = better[row * size + column] ? "is shown to be better than" : better[column * size + row] ? "is shown to be worse than" : "is not shown to differ from";
    words.replaceChildren(...(row === column ? [named(order[row])] : [named(order[row]), ` ${verdict} `, named(order[column])]));
  };
  for (const kind of ["pointermove", "pointerdown"]) svg.addEventListener(kind, read);
  container.replaceChildren(svg, element("div", {}, note, words));
}

export function drawFinds({ histogram: counts, noun }) {
  const container = document.getElementById("finds");
  responsive(container, () => {
    const label = `Relevant documents by how many ${noun}s find them: ${counts[0]} by none, ${counts[1]} by one, ${counts.at(-1)} by all ${counts.length - 1}.`;
    const box = frame(container, 210, label);
    const most = Math.max(...counts, 1);
    const [x, y] = [linear(-0.5, counts.length - 0.5, box.x0, box.x1), linear(0, most, box.y0, box.y1)];
    leftAxis(box, y, ticks(0, most).filter(Number.isInteger));
    const width = x(1) - x(0);
    counts.forEach((count, i) => box.svg.append(bar(x(i) - width * 0.42, y(count), width * 0.84, box.y0 - y(count), i === 1 ? "alone" : "plain", `${count} documents found by ${i} ${noun}s`)));
    bottomAxis(box, x, ticks(0, counts.length - 1, 6).filter(Number.isInteger), `${noun}s that find the document`);
  });
}

const entry = (kind, ...words) => element("li", {}, drawn("svg", { width: 26, height: 14, "aria-hidden": "true" }, drawn("line", { class: `line line-${kind}`, x1: 1, x2: 25, y1: 7, y2: 7 })), ...words);
const key = (pair) => ["candidate", "baseline"].map((kind, i) => entry(kind, named(pair[i], { class: kind })));

export function drawUnjudged({ depths, lines }, pair) {
  const container = document.getElementById("unjudged");
  responsive(container, () => {
    const label = `Share of unjudged documents among the first ${depths[0]} to ${depths.at(-1)} of ${lines.length} runs. The shares at 10 and 100 are in the table below.`;
    const box = frame(container, 230, label, { right: 20 });
    document.getElementById("unjudged-runs").replaceChildren(...key(pair), ...(lines.length > 2 ? [entry("plain", "other runs")] : []));
    const [x, y] = [linear(0, depths.length - 1, box.x0 + 8, box.x1), linear(0, 1, box.y0, box.y1)];
    leftAxis(box, y, [0, 0.25, 0.5, 0.75, 1], percent);
    const kindOf = (run) => (run === pair[0] ? "candidate" : run === pair[1] ? "baseline" : "plain");
    const last = [...lines].sort((a, b) => (kindOf(a.run) !== "plain") - (kindOf(b.run) !== "plain"));
    for (const { run, share } of last) {
      const points = share.flatMap((value, i) => (value === null ? [] : [[x(i), y(value)]]));
      const line = polyline(points, kindOf(run));
      line.append(drawn("title", {}, `${run}: ${share.map((value, i) => `${formatted(value, 2)} at ${depths[i]}`).join(", ")}`));
      box.svg.append(line);
    }
    bottomAxis(box, x, [...depths.keys()], "first k documents", (i) => short(depths[i]));
  });
}
