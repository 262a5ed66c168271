// Tables that sort by a click on their headers, and show their first rows until asked for all.
import { element, responsive } from "./dom.js";

// That columns lie beyond the edge is to be seen.
function hintAtMore(scroll) {
  const hint = () => scroll.classList.toggle("more-columns", scroll.scrollLeft + scroll.clientWidth < scroll.scrollWidth - 1);
  scroll.addEventListener("scroll", hint, { passive: true });
  responsive(scroll, hint);
}

export function enhanceTables() {
  for (const scroll of document.querySelectorAll(".table > .scroll")) hintAtMore(scroll);
  for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);
  for (const table of document.querySelectorAll("table[data-limit]")) limitRows(table, Number(table.dataset.limit));
}

function makeSortable(table) {
  [...table.tHead.rows[0].cells].forEach((header, column) => {
    const button = element("button", { type: "button" }, ...header.childNodes);
    header.replaceChildren(button);
    button.addEventListener("click", () => sortBy(table, header, column));
  });
}

function sortBy(table, header, column) {
  const numbers = header.classList.contains("number");
  const before = header.getAttribute("aria-sort");
  const descending = before === null ? numbers : before === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", descending ? "descending" : "ascending");
  const keyed = [...table.tBodies[0].rows].map((row) => [keyOf(row.cells[column].dataset.value, numbers), row]);
  keyed.sort(([a], [b]) => compareKeys(a, b) * (descending && a !== null && b !== null ? -1 : 1));
  const hidden = keyed.filter(([, row]) => row.hidden).length;
  table.tBodies[0].replaceChildren(...keyed.map(([, row]) => row));
  keyed.forEach(([, row], i) => (row.hidden = i >= keyed.length - hidden));
}

function keyOf(value, numbers) {
  if (value === "") return null;
  return numbers ? Number(value) : value;
}

// What has no value comes last, whichever way the others go.
export function compareKeys(a, b) {
  if (a === null || b === null) return (a === null) - (b === null);
  return typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true });
}

function limitRows(table, limit) {
  const rows = [...table.tBodies[0].rows];
  if (rows.length <= limit * 1.2) return;
  rows.slice(limit).forEach((row) => (row.hidden = true));
  const more = element("button", { type: "button", class: "more" }, `Show all ${rows.length} rows`);
  more.addEventListener("click", () => {
    rows.forEach((row) => (row.hidden = false));
    more.remove();
    table.parentElement.focus();
  });
  table.parentElement.after(more);
}
