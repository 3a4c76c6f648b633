const express = require("express");

const app = express();
const store = new Map();
app.use(express.json());

app.get("/", (request, response) => {
  response.json({ service: "figures", keys: store.size });
});

app.post("/statistics", (request, response) => {
  const numbers = request.body?.numbers;
  if (!Array.isArray(numbers) || !numbers.length || !numbers.every((number) => typeof number === "number")) {
    return response.status(400).json({ error: "send a list of numbers" });
  }
  response.json({
    count: numbers.length,
    sum: numbers.reduce((sum, number) => sum + number, 0),
    least: Math.min(...numbers),
    most: Math.max(...numbers),
  });
});

app.put("/store/:key", (request, response) => {
  store.set(request.params.key, request.body.value);
  response.json({ key: request.params.key, value: request.body.value });
});

app.get("/store/:key", (request, response) => {
  const { key } = request.params;
  if (!store.has(key)) return response.status(404).json({ error: "nothing is kept under this key" });
  response.json({ key, value: store.get(key) });
});

app.delete("/store/:key", (request, response) => {
  response.status(store.delete(request.params.key) ? 200 : 404).json({ key: request.params.key });
});

app.listen(Number(process.env.PORT ?? 8000), "0.0.0.0");
