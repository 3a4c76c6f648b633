import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

const FILE = new URL("items.json", import.meta.url);
const PORT = Number(process.env.PORT ?? 8000);
let items = load();

function load() {
  try {
    return JSON.parse(readFileSync(FILE, "utf-8"));
  } catch {
    return [];
  }
}

function save() {
  writeFileSync(FILE, JSON.stringify(items));
}

function answer(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(body === undefined ? "" : JSON.stringify(body));
}

function isItem(body) {
  return typeof body?.name === "string" && body.name !== "" && typeof body.price === "number";
}

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString() || "null");
  } catch {
    return null;
  }
}

async function handle(request, response) {
  const [, collection, id] = new URL(request.url, "http://host").pathname.split("/");
  if (collection === "") return answer(response, 200, { service: "stock", items: "/items" });
  if (collection !== "items") return answer(response, 404, { error: "no such address" });
  const body = ["POST", "PUT"].includes(request.method) ? await readBody(request) : null;
  if (!id) {
    if (request.method === "GET") return answer(response, 200, items);
    if (request.method !== "POST") return answer(response, 405, { error: "GET or POST" });
    if (!isItem(body)) return answer(response, 400, { error: "an item has a name and a price" });
    const item = { id: 1 + Math.max(0, ...items.map((other) => other.id)), name: body.name, price: body.price };
    items.push(item);
    save();
    return answer(response, 201, item);
  }
  const item = items.find((other) => String(other.id) === id);
  if (!item) return answer(response, 404, { error: "no such item" });
  if (request.method === "GET") return answer(response, 200, item);
  if (request.method === "PUT") {
    if (!isItem(body)) return answer(response, 400, { error: "an item has a name and a price" });
    Object.assign(item, { name: body.name, price: body.price });
    save();
    return answer(response, 200, item);
  }
  if (request.method === "DELETE") {
    items = items.filter((other) => other !== item);
    save();
    return answer(response, 204);
  }
  return answer(response, 405, { error: "GET, PUT or DELETE" });
}

createServer((request, response) => {
  handle(request, response).catch((fault) => answer(response, 500, { error: String(fault) }));
}).listen(PORT, "0.0.0.0", () => console.log(`listening at ${PORT}`));
