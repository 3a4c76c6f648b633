const KEY = "lost-property";
const FIRST = [
  { name: "Umbrella", place: "Platform 4", amount: 3 },
  { name: "Violin case", place: "Night train", amount: 1 },
];
const at = (id) => document.getElementById(id);
const entries = JSON.parse(localStorage.getItem(KEY) ?? "null") ?? FIRST;

function makeRow(entry) {
  const row = document.createElement("tr");
  for (const text of [entry.name, entry.place, entry.amount]) {
    row.insertCell().textContent = text;
  }
  return row;
}

function render() {
  const wanted = at("search").value.trim().toLowerCase();
  const found = entries.filter(({ name, place }) => `${name}\n${place}`.toLowerCase().includes(wanted));
  at("rows").replaceChildren(...found.map(makeRow));
}

at("search").addEventListener("input", render);
at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  entries.push({ name: at("name").value, place: at("place").value, amount: Math.round(Number(at("amount").value)) });
  localStorage.setItem(KEY, JSON.stringify(entries));
  at("form").reset();
  render();
});
render();
