type Operation = (first: number, second: number) => number;

const OPERATIONS: Record<string, Operation> = {
  add: (first, second) => first + second,
  subtract: (first, second) => first - second,
  multiply: (first, second) => first * second,
  divide: (first, second) => first / second,
};

function field(id: string): HTMLInputElement {
  return document.querySelector<HTMLInputElement>(`#${id}`)!;
}

function compute(does: string): string {
  const [first, second] = [field("first").valueAsNumber, field("second").valueAsNumber];
  if (Number.isNaN(first) || Number.isNaN(second)) return "Enter two numbers";
  if (does === "divide" && second === 0) return "Cannot divide by zero";
  return String(Number(OPERATIONS[does](first, second).toFixed(10)));
}

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-does]")) {
  button.addEventListener("click", () => {
    document.querySelector("#result")!.textContent = compute(button.dataset.does!);
  });
}
