// Scales, ticks and frames that all drawings share.
import { drawn } from "./dom.js";

export function linear(low, high, from, to) {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

export function logarithmic(low, high, from, to) {
  const scale = linear(Math.log(low), Math.log(Math.max(high, low * 1.0001)), from, to);
  return (value) => scale(Math.log(value));
}

// Round values that divide a range into about so many parts.
export function ticks(low, high, parts = 4) {
  const raw = (high - low) / parts || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= raw * 0.999) * power;
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) found.push(i * step);
  return found;
}

// 1, 2, 5, 10, 20, …: as many as there is room for.
export function rankTicks(deepest, room) {
  const all = [];
  for (let power = 1; power <= deepest; power *= 10) {
    for (const factor of [1, 2, 5]) if (factor * power <= deepest) all.push(factor * power);
  }
  return all.length * 34 > room ? all.filter((value) => String(value).startsWith("1")) : all;
}

export function short(value) {
  const text = Math.abs(value) >= 1000 ? value.toLocaleString("en") : String(Number(value.toPrecision(3)));
  return text.replace("-", "−");
}

// An empty drawing of the container's width, and the box within its margins.
export function frame(container, height, label, { left = 46, right = 22, top = 12, bottom = 36, widest = 760 } = {}) {
  const width = Math.min(widest, Math.max(container.clientWidth, 240));
  const svg = drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  container.replaceChildren(svg);
  return { svg, width, height, x0: left, x1: width - right, y0: height - bottom, y1: top };
}

export function bottomAxis({ svg, x0, x1, y0 }, scale, values, title, format = short) {
  svg.append(drawn("line", { class: "axis", x1: x0, x2: x1, y1: y0, y2: y0 }));
  for (const value of values) {
    svg.append(
      drawn("line", { class: "axis", x1: scale(value), x2: scale(value), y1: y0, y2: y0 + 4 }),
      drawn("text", { x: scale(value), y: y0 + 17, "text-anchor": "middle" }, format(value)),
    );
  }
  svg.append(drawn("text", { x: x1, y: y0 + 32, "text-anchor": "end" }, title));
}

// Where the labels need more room than there is, the whole drawing makes it.
export function leftAxis({ svg, width, height, x0, x1 }, scale, values, format = short) {
  const lacking = Math.max(...values.map((value) => format(value).length)) * 7 + 8 - x0;
  if (lacking > 0) svg.setAttribute("viewBox", `${-lacking} 0 ${width + lacking} ${height}`);
  for (const value of values) {
    svg.append(
      drawn("line", { class: value === 0 ? "axis" : "grid", x1: x0, x2: x1, y1: scale(value), y2: scale(value) }),
      drawn("text", { x: x0 - 6, y: scale(value) + 4, "text-anchor": "end" }, format(value)),
    );
  }
}

export function bar(x, y, width, height, kind, title) {
  return drawn(
    "rect",
    { class: `fill-${kind}`, x, y, width: Math.max(width, 0.5), height: Math.max(height, 0) },
    drawn("title", {}, title),
  );
}

export function polyline(points, kind) {
  return drawn("polyline", { class: `line line-${kind}`, points: points.map(([x, y]) => `${x},${y}`).join(" ") });
}
