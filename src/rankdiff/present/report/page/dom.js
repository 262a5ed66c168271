// Making elements and reading the data of a part. Words become text nodes and nothing else.

const SVG = "http://www.w3.org/2000/svg";

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null).map((child) => (child instanceof Node ? child : String(child))));
  return node;
}

export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function drawn(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

// A name of unknown script: marks of direction in it end with it.
export function named(name, attributes = {}) {
  return element("bdi", attributes, name);
}

export function dataOf(part) {
  const script = document.getElementById(`data-${part}`);
  return script === null ? null : JSON.parse(script.textContent);
}

const KINDS = { uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, float64: Float64Array };

export function unpacked({ kind, bytes }) {
  const text = atob(bytes);
  const buffer = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) buffer[i] = text.charCodeAt(i);
  return new KINDS[kind](buffer.buffer);
}

export function formatted(value, digits = 4) {
  if (value === null) return "–";
  return (value < 0 ? "−" : "") + Math.abs(value).toFixed(digits);
}

export function signed(value, digits = 4) {
  return (value > 0 ? "+" : "") + formatted(value, digits);
}

// Long names are cut in drawings; the whole name is in the title beside it.
export function shortened(name, most) {
  const letters = Array.from(name);
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : name;
}

const redraws = new Map();
const observer = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const known = redraws.get(target);
    if (known !== undefined && Math.abs(known.width - contentRect.width) > 1) {
      known.width = contentRect.width;
      known.draw();
    }
  }
});

// Draw now, and again whenever the width of the container changes.
export function responsive(container, draw) {
  if (container === null) return;
  redraws.set(container, { width: container.clientWidth, draw });
  observer.observe(container);
  draw();
}

export function forget(container) {
  redraws.delete(container);
  observer.unobserve(container);
}
