const byId = (id) => document.getElementById(id);
const splits = JSON.parse(localStorage.getItem("splits") || "[]");

function show() {
  byId("splits").replaceChildren(...splits.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
}

byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const [bill, tip, people] = ["bill", "tip", "people"].map((id) => Number(byId(id).value));
  if (!(bill > 0) || !(people >= 1) || !(tip >= 0)) {
    byId("result").textContent = "Please check the numbers";
    return;
  }
  const each = ((bill * (1 + tip / 100)) / people).toFixed(2);
  byId("result").textContent = `Each pays ${each}`;
  splits.unshift(`${bill} for ${people}: ${each} each`);
  splits.length = Math.min(splits.length, 5);
  localStorage.setItem("splits", JSON.stringify(splits));
  show();
});

show();
