const KEY = "flat-tasks";
const list = document.querySelector("#tasks");
const form = document.querySelector("#add");
const field = document.querySelector("#title");
const message = document.querySelector("#message");
let tasks = JSON.parse(localStorage.getItem(KEY) ?? "[]");
let shown = "all";

function save() {
  localStorage.setItem(KEY, JSON.stringify(tasks));
  render();
}

function isShown(task) {
  return shown === "all" || task.done === (shown === "done");
}

function makeItem(task) {
  const item = document.createElement("li");
  item.className = task.done ? "done" : "";
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = task.done;
  box.setAttribute("aria-label", `Done: ${task.title}`);
  box.addEventListener("change", () => { task.done = box.checked; save(); });
  const title = document.createElement("span");
  title.textContent = task.title;
  const remove = document.createElement("button");
  remove.type = "button";
  remove.textContent = "Delete";
  remove.addEventListener("click", () => { tasks = tasks.filter((other) => other !== task); save(); });
  item.append(box, title, remove);
  return item;
}

function render() {
  list.replaceChildren(...tasks.filter(isShown).map(makeItem));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const title = field.value.trim();
  message.textContent = title ? "" : "Enter a task";
  if (!title) return;
  tasks.push({ title, done: false });
  field.value = "";
  save();
});

for (const button of document.querySelectorAll("nav button")) {
  button.addEventListener("click", () => {
    shown = button.dataset.show;
    for (const other of document.querySelectorAll("nav button")) other.setAttribute("aria-pressed", other === button);
    render();
  });
}

render();
