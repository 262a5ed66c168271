// A drawing as a file of its own, for a paper or a talk: as it looks, without the page's styles.
import { drawn, element } from "./dom.js";

const LOOKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "paint-order", "shape-rendering", "vector-effect"];

function alone(svg) {
  const copy = svg.cloneNode(true);
  const [there, here] = [svg, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  there.forEach((node, i) => {
    const style = getComputedStyle(node);
    for (const look of LOOKS) here[i].setAttribute(look, style.getPropertyValue(look));
    here[i].removeAttribute("class");
  });
  const paper = getComputedStyle(document.body).backgroundColor;
  copy.prepend(drawn("rect", { width: "100%", height: "100%", fill: paper }));
  return new XMLSerializer().serializeToString(copy);
}

// The button below a drawing that saves it; what is drawn may change in the meantime.
export function saving(drawing, name) {
  const button = element("button", { type: "button", class: "save" }, "Save as SVG");
  button.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([alone(drawing.querySelector("svg"))], { type: "image/svg+xml" }));
    element("a", { href: address, download: `${name}.svg` }).click();
    URL.revokeObjectURL(address);
  });
  return button;
}
