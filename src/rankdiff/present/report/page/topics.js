// Every topic as a bar: sorted, searched, and opened to its rank strip.
import { linear } from "./axes.js";
import { drawn, element, forget, named, responsive, signed } from "./dom.js";
import { strip } from "./strip.js";
import { compareKeys } from "./tables.js";

const [PAGE, PRINTED] = [40, 400];
const [STEP, TALL] = [0.5, 80];
const narrow = matchMedia("(max-width: 40rem)");

export class TopicList {
  constructor(rankings, data, changed) {
    Object.assign(this, { rankings, candidate: data.candidate, baseline: data.baseline, changed });
    Object.assign(this, { what: "RPP", sought: "", key: "value", descending: true, page: 0, size: PAGE, open: null });
    this.body = document.querySelector("#topic-table tbody");
    this.searched = rankings.topics.map((topic, i) => `${topic} ${rankings.titles[i]}`.toLowerCase());
    this.fillControls();
    responsive(document.getElementById("waterfall"), () => this.drawWaterfall());
    this.update();
  }

  fillControls() {
    for (const side of ["candidate", "baseline"]) {
      const select = document.getElementById(side);
      this.rankings.runs.forEach((run, i) => select.append(element("option", { value: i }, run)));
      select.value = this[side];
      select.addEventListener("change", () => {
        const before = this[side];
        this[side] = Number(select.value);
        const other = side === "candidate" ? "baseline" : "candidate";
        if (this.candidate === this.baseline) document.getElementById(other).value = this[other] = before;
        this.update();
        this.changed(this.candidate, this.baseline);
      });
    }
    const preference = document.getElementById("preference");
    preference.addEventListener("change", () => this.update({ what: preference.value }));
    const search = document.getElementById("topic-search");
    search.addEventListener("input", () => this.update({ sought: search.value.trim().toLowerCase(), page: 0 }));
    document.getElementById("topic-controls").addEventListener("submit", (event) => event.preventDefault());
    for (const header of document.querySelectorAll("#topic-table th[data-key]")) {
      header.firstElementChild.addEventListener("click", () => {
        const key = header.dataset.key;
        this.update({ key, descending: key === this.key ? !this.descending : key !== "topic", page: 0 });
      });
    }
    document.getElementById("previous").addEventListener("click", () => this.update({ page: this.page - 1 }));
    document.getElementById("next").addEventListener("click", () => this.update({ page: this.page + 1 }));
    addEventListener("beforeprint", () => this.update({ size: PRINTED, page: 0 }));
    addEventListener("afterprint", () => this.update({ size: PAGE }));
  }

  update(changes = {}) {
    Object.assign(this, changes);
    const { rankings } = this;
    this.values = rankings.topics.map((_, topic) => rankings.value(this.what, this.candidate, this.baseline, topic));
    const keys = { topic: rankings.topics, relevant: rankings.topics.map((_, i) => rankings.relevant(i)), value: this.values }[this.key];
    const turn = this.descending ? -1 : 1;
    this.listed = [...rankings.topics.keys()].filter((topic) => this.searched[topic].includes(this.sought));
    this.listed.sort((a, b) => compareKeys(keys[a], keys[b]) * (keys[a] === null || keys[b] === null ? 1 : turn) || a - b);
    document.getElementById("topic-what").textContent = this.what;
    this.drawWaterfall();
    this.showPage();
  }

  drawWaterfall() {
    if (this.values === undefined) return;
    const counted = this.values.filter((value) => value !== null).sort((a, b) => b - a);
    const mean = counted.reduce((sum, value) => sum + value, 0) / (counted.length || 1);
    const [wins, losses] = [counted.filter((value) => value > 0).length, counted.filter((value) => value < 0).length];
    const summary = document.getElementById("topic-summary");
    const [candidate, baseline] = [this.candidate, this.baseline].map((run) => this.rankings.runs[run]);
    const ties = counted.length - wins - losses;
    summary.replaceChildren(
      named(candidate, { class: "candidate" }), ` better on ${wins} topics, `,
      named(baseline, { class: "baseline" }), ` on ${losses}, ${ties} ${ties === 1 ? "tie" : "ties"}; mean ${this.what} `,
      element("b", { id: "topic-mean", "data-value": mean }, signed(mean)), ".",
    );
    const container = document.getElementById("waterfall");
    const width = Math.max(container.clientWidth, 240);
    const label = `All topics from best to worst for the candidate: ${summary.textContent}`;
    const svg = drawn("svg", { width, height: TALL, viewBox: `0 0 ${width} ${TALL}`, role: "img", "aria-label": label });
    const [least, most] = [Math.min(0, ...counted), Math.max(0, ...counted)];
    const [x, y] = [linear(0, counted.length, 0, width), linear(least, most, TALL - 2, 2)];
    const gap = width / counted.length > 4 ? STEP : 0;
    for (const [kind, chosen] of [["candidate", (v) => v > 0], ["baseline", (v) => v < 0]]) {
      const bars = counted.map((value, i) => (chosen(value) ? `M${x(i) + gap} ${y(0)}V${y(value)}H${x(i + 1) - gap}V${y(0)}Z` : ""));
      svg.append(drawn("path", { class: `fill-${kind}`, d: bars.join("") || "M0 0" }));
    }
    svg.append(drawn("line", { class: "axis", x1: 0, x2: width, y1: y(0), y2: y(0) }));
    container.replaceChildren(svg);
  }

  showPage() {
    const pages = Math.max(1, Math.ceil(this.listed.length / this.size));
    this.page = Math.min(Math.max(this.page, 0), pages - 1);
    const open = this.open?.topic;
    this.close();
    const most = Math.max(...this.values.map((value) => Math.abs(value ?? 0)), 1e-12);
    const here = this.listed.slice(this.page * this.size, (this.page + 1) * this.size);
    this.body.replaceChildren(...here.map((topic) => this.row(topic, most)));
    if (here.includes(open)) this.toggle(this.body.rows[here.indexOf(open)], open);
    if (!here.length) this.body.append(element("tr", {}, element("td", { colspan: 4 }, "No topic has these words.")));
    document.getElementById("page-number").textContent = `${this.listed.length} ${this.listed.length === 1 ? "topic" : "topics"}${pages > 1 ? `, page ${this.page + 1} of ${pages}` : ""}`;
    for (const button of ["previous", "next"]) document.getElementById(button).hidden = pages === 1;
    document.getElementById("previous").disabled = this.page === 0;
    document.getElementById("next").disabled = this.page === pages - 1;
    for (const header of document.querySelectorAll("#topic-table th[data-key]")) {
      if (header.dataset.key === this.key) header.setAttribute("aria-sort", this.descending ? "descending" : "ascending");
      else header.removeAttribute("aria-sort");
    }
  }

  row(topic, most) {
    const value = this.values[topic];
    const title = this.rankings.titles[topic];
    const words = title ? [named(title, { class: "title" })] : [];
    const button = element("button", { type: "button", class: "topic", "aria-expanded": "false" }, named(this.rankings.topics[topic]), ...words);
    const row = element(
      "tr",
      { "data-topic": topic },
      element("th", { scope: "row" }, button),
      element("td", { class: "number" }, this.rankings.relevant(topic)),
      element("td", { class: "number", "data-value": value }, value === null ? "–" : signed(value)),
      element("td", { class: "bar" }, this.bar(value ?? 0, most)),
    );
    button.addEventListener("click", () => this.toggle(row, topic));
    return row;
  }

  bar(value, most) {
    const length = (Math.abs(value) / most) * 100;
    const rect = { class: value > 0 ? "fill-candidate" : "fill-baseline", x: value > 0 ? 0 : -length, y: 1, width: length, height: 12 };
    const axis = drawn("line", { class: "axis", x1: 0, x2: 0, y1: 0, y2: 14 });
    return drawn("svg", { viewBox: "-100 0 200 14", preserveAspectRatio: "none", "aria-hidden": "true" }, drawn("rect", rect), axis);
  }

  toggle(row, topic) {
    const again = this.open !== null && this.open.topic === topic;
    this.close();
    if (again) return;
    const { box, drawing, draw } = strip(this.rankings, this.candidate, this.baseline, topic);
    const below = element("tr", { class: "open" }, element("td", { colspan: narrow.matches ? 3 : 4 }, box));
    row.after(below);
    row.querySelector("button").setAttribute("aria-expanded", "true");
    responsive(drawing, draw);
    this.open = { topic, below, drawing, button: row.querySelector("button") };
  }

  close() {
    if (this.open === null) return;
    forget(this.open.drawing);
    this.open.below.remove();
    this.open.button.setAttribute("aria-expanded", "false");
    this.open = null;
  }
}
