// Runs in the box of an application: reads [{name, line, text}] and prints a JSON list of what is no JavaScript, parsed
// as the body of a function (a script, or a CommonJS module), and then as a module.
const vm = require("vm");
const fs = require("fs");

function findFault(source) {
  let fault;
  try {
    vm.compileFunction(source);
    return null;
  } catch (error) {
    fault = error;
  }
  try {
    new vm.SourceTextModule(source);
    return null;
  } catch (error) {
    return /^\s*(import|export)\b/m.test(source) ? error : fault;
  }
}

const faults = [];
for (const { name, line, text } of JSON.parse(fs.readFileSync(0, "utf8"))) {
  const fault = findFault(text.replace(/^#!.*/, ""));
  if (fault) {
    const place = /:(\d+)$/.exec(String(fault.stack).split("\n")[0]); // evalmachine.<anonymous>:12
    faults.push(`${name}:${line + (place ? Number(place[1]) : 1) - 1}: ${fault.message}`);
  }
}
console.log(JSON.stringify(faults));
