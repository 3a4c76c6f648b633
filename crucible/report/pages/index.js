"use strict";
// The two tables: rows come as columns of JSON, and only those in sight are in the page. Text goes in as text.
const data = JSON.parse(document.getElementById("data").textContent);
const AHEAD = 6;
const HEIGHT = 60; // of a row, as the style sheet has it
const tables = {};

function reader(column) {
  return column.list ? (row) => column.list[row] : (row) => column.values[column.places[row]];
}

function element(name, text, kind) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function table(section) {
  const rows = data[section.dataset.table];
  const read = Object.fromEntries(Object.entries(rows.columns).map(([name, column]) => [name, reader(column)]));
  const heads = [...section.querySelectorAll("th")];
  const box = section.querySelector(".window");
  const body = section.querySelector("tbody");
  const inputs = [...section.querySelectorAll("[data-filter]")];
  let shown = [];
  let haystack = null;
  let sorted = { name: "", down: false };

  function cell(head, row) {
    const kind = head.dataset.kind;
    const made = element("td", undefined, head.className);
    made.dataset.kind = kind;
    const value = read[head.dataset.column](row);
    if (kind === "badge") made.append(element("span", value, "badge " + value));
    else if (kind === "link" || kind === "two") {
      const [main, sub] = head.dataset.lines.split(" ").map((name) => read[name](row));
      made.append(kind === "two" ? element("span", main) : linked(row, main || value));
      made.append(element("span", sub, "sub"));
      made.title = main + "\n" + sub + "\n" + read.id(row);
    } else {
      made.textContent = value;
      made.title = value;
    }
    return made;
  }

  function linked(row, text) {
    if (!rows.link) return element("span", text, "main");
    const made = element("a", text);
    const id = read.id(row);
    const known = Object.prototype.hasOwnProperty.call(rows.names, id);
    made.href = rows.link[0] + encodeURIComponent(known ? rows.names[id] : id) + rows.link[1];
    return made;
  }

  function space(pixels) {
    const made = element("tr", undefined, "space");
    const inside = made.appendChild(element("td"));
    inside.colSpan = heads.length;
    inside.style.height = pixels + "px";
    made.setAttribute("aria-hidden", "true");
    return made;
  }

  function draw() {
    const first = Math.max(0, Math.floor(box.scrollTop / HEIGHT) - AHEAD);
    const last = Math.min(shown.length, first + Math.ceil(box.clientHeight / HEIGHT) + 2 * AHEAD);
    const page = document.createDocumentFragment();
    if (first) page.append(space(first * HEIGHT));
    for (let at = first; at < last; at++) {
      const line = page.appendChild(element("tr"));
      line.setAttribute("aria-rowindex", at + 2);
      line.append(...heads.map((head) => cell(head, shown[at])));
    }
    if (last < shown.length) page.append(space((shown.length - last) * HEIGHT));
    if (!shown.length) {
      const empty = page.appendChild(element("tr")).appendChild(element("td", rows.n ? "Nothing fits these filters." : "Nothing here."));
      empty.colSpan = heads.length;
    }
    body.replaceChildren(page);
  }

  function search(row) {
    haystack ??= new Array(rows.n);
    haystack[row] ??= Object.values(read).map((one) => one(row)).join("\n").toLowerCase();
    return haystack[row];
  }

  function filter() {
    const wanted = inputs.filter((input) => input.value !== "");
    const exact = wanted.filter((input) => input.dataset.filter !== "text");
    const words = wanted.filter((input) => input.dataset.filter === "text")
      .flatMap((input) => input.value.toLowerCase().split(/\s+/)).filter(Boolean);
    shown = [];
    for (let row = 0; row < rows.n; row++) {
      if (exact.every((input) => read[input.dataset.filter](row) === input.value)
        && words.every((word) => search(row).includes(word))) shown.push(row);
    }
    order();
    const all = rows.n.toLocaleString("en");
    section.querySelector("[data-count]").textContent =
      shown.length === rows.n ? all : shown.length.toLocaleString("en") + " of " + all;
    section.querySelector("table").setAttribute("aria-rowcount", shown.length + 1);
    box.scrollTop = 0;
    draw();
  }

  function order() {
    if (!sorted.name) return;
    const value = read[sorted.name];
    const sign = sorted.down ? -1 : 1;
    shown.sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      return sign * (x < y ? -1 : x > y ? 1 : a - b);
    });
  }

  function chosen() {
    const set = inputs.filter((input) => input.value);
    return new URLSearchParams(set.map((input) => [input.dataset.filter, input.value]));
  }

  function remember() {
    const query = chosen().toString();
    history.replaceState(null, "", "#" + section.id + (query && "?" + query));
  }

  function choose(query) {
    for (const input of inputs) {
      const value = query.get(input.dataset.filter) || "";
      if (input.tagName === "SELECT" && value && ![...input.options].some((option) => option.value === value)) {
        input.append(new Option(value, value));
      }
      input.value = value;
    }
    filter();
  }

  for (const head of heads) {
    const button = element("button", head.textContent);
    button.type = "button";
    button.addEventListener("click", () => {
      sorted = { name: head.dataset.column, down: sorted.name === head.dataset.column && !sorted.down };
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      order();
      draw();
    });
    head.replaceChildren(button);
  }
  for (const input of inputs) {
    if (input.tagName === "SELECT") {
      const counts = new Map();
      const value = read[input.dataset.filter];
      for (let row = 0; row < rows.n; row++) counts.set(value(row), (counts.get(value(row)) || 0) + 1);
      input.append(new Option("any", ""));
      const common = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 300);
      for (const [name, n] of common) if (name !== "") input.append(new Option(name + " (" + n.toLocaleString("en") + ")", name));
    }
    input.addEventListener("input", () => { filter(); remember(); });
  }
  const form = section.querySelector("form");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { filter(); remember(); }));
  section.querySelector("[data-everything]")?.addEventListener("click", () => {
    const query = chosen();
    location.assign("/?table=" + section.id + "&" + query + "#" + section.id + "?" + query);
  });
  let waiting = false;
  box.addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  }, { passive: true });
  new ResizeObserver(draw).observe(box);
  filter();
  return choose;
}

function follow() {
  const [id, query] = location.hash.slice(1).split("?");
  if (!tables[id] || query === undefined) return;
  tables[id](new URLSearchParams(query));
  document.getElementById(id).scrollIntoView();
}

for (const section of document.querySelectorAll("[data-table]")) tables[section.dataset.table] = table(section);
addEventListener("hashchange", follow);
follow();
