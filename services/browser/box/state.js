// Tells the state of a page, to be compared with a later one. A selector engine of Playwright, run in a world of its own:
// gives one element that is in no document, whose text is JSON. Called with
//
//   now              the state as a whole
//   now:PLACE,...    the same without these places in the document, each named by its way from the root (`0.1.3`); with
//                    `*` behind it also without all that is below it
//   parts            what each place holds, and how many elements are right below it
//   tab              whether something is kept in the page's tab alone
(() => {
  const isTabUsed = () => Boolean(window.name || sessionStorage.length);

  // What an element is by itself, as a number; `hash` is that of what came before it.
  function hashElement(element, hash) {
    const add = (text) => { for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) | 0; };
    add(element.localName);
    for (const each of element.attributes) add(each.name + each.value);
    if ("value" in element) add(String(element.value) + element.checked + element.open);
    for (const node of element.childNodes) if (node.nodeType === 3) add(node.data);
    return hash;
  }

  // Visit each element with its way from the root; what is below it as well, if the visit says so.
  function walk(root, visit, above = "") {
    let place = 0;
    for (const element of root.children) {
      const way = `${above}${place++}`;
      if (visit(element, way) === false) continue;
      if (element.shadowRoot) walk(element.shadowRoot, visit, `${way}.s`);
      walk(element, visit, `${way}.`);
    }
  }

  function readParts() {
    const parts = {};
    walk(document, (element, way) => { parts[way] = [hashElement(element, 0), element.children.length]; });
    return parts;
  }

  function readState(skipped) {
    let hash = 0, canvas = false;
    walk(document, (element, way) => {
      canvas ||= element.localName === "canvas" || element.localName === "video";
      if (skipped.has(`${way}*`)) return false;
      if (!skipped.has(way)) hash = hashElement(element, hash);
    });
    const stored = (store) => { try { return JSON.stringify({ ...store() }); } catch { return ""; } };
    const focus = document.activeElement;
    const field = "input:not([type=button], [type=submit], [type=reset], [type=image]), textarea, select, [contenteditable]";
    return {
      document: hash, address: location.href, canvas,
      storage: stored(() => localStorage) + stored(() => sessionStorage) + stored(() => document.cookie),
      focus: focus?.matches(field) ? focus.outerHTML.slice(0, 200) : "",
      scroll: [scrollX, scrollY].join(),
    };
  }

  function answer(root, which) {
    const letter = document.createElement("i");
    const [what, places] = which.split(":");
    const read = { tab: isTabUsed, parts: readParts, now: () => readState(new Set(places?.split(","))) };
    letter.textContent = JSON.stringify(read[what]());
    return [letter];
  }

  return { query: (root, which) => answer(root, which)[0], queryAll: answer };
})()
