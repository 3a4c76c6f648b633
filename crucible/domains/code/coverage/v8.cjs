// Laid into a box and run by Node there: says which lines of the wanted files V8 saw executed, over all processes.
//     node v8.cjs FOLDER < [paths]
"use strict";
const fs = require("fs");
const path = require("path");
const { fileURLToPath } = require("url");

const folder = process.argv[2];
const asked = JSON.parse(fs.readFileSync(0, "utf8")).filter((name) => fs.existsSync(name));
const wanted = new Map(asked.map((name) => [fs.realpathSync(name), name]));
const seen = {};

/** How often each character was executed; inner stretches come after those they lie in. */
function counts(script, length) {
  const found = new Float64Array(length);
  const stretches = script.functions.flatMap((one) => one.ranges);
  stretches.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const one of stretches) found.fill(one.count, one.startOffset, one.endOffset);
  return found;
}

function note(name, source, script) {
  const found = counts(script, source.length);
  const lines = (seen[name] = seen[name] || {});
  let line = 1;
  for (let at = 0; at < source.length; at++) {
    if (source[at] === "\n") line++;
    else if (found[at] > 0 && source[at].trim()) lines[line] = true;
  }
}

/** What was compiled into something else has other places: its lines are not known. */
function isAsWritten(source, script) {
  return Math.max(...script.functions.flatMap((one) => one.ranges.map((range) => range.endOffset))) === source.length;
}

for (const file of fs.readdirSync(folder)) {
  if (!file.startsWith("coverage-")) continue;
  for (const script of JSON.parse(fs.readFileSync(path.join(folder, file), "utf8")).result) {
    const name = script.url.startsWith("file://") && wanted.get(fileURLToPath(script.url));
    if (!name) continue;
    const source = fs.readFileSync(name, "utf8");
    if (isAsWritten(source, script)) note(name, source, script);
  }
}
for (const name of Object.keys(seen)) seen[name] = Object.keys(seen[name]).map(Number);
process.stdout.write(JSON.stringify(seen));
