// Tells the state of a page, to be compared with a later one. A selector engine of Playwright, run in a world of its own:
// gives one element that is in no document, whose text is JSON. Called with
//
//   now      the state as a whole
//   parts    what each element is by itself, by its way from the root (`0.1.3`), and what is stored
//   tab      whether something is kept in the page's tab alone
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

  // Visit each element with its way from the root.
  function walk(root, visit, above = "") {
    let place = 0;
    for (const element of root.children) {
      const way = `${above}${place++}`;
      visit(element, way);
      if (element.shadowRoot) walk(element.shadowRoot, visit, `${way}.s`);
      walk(element, visit, `${way}.`);
    }
  }

  function readStorage() {
    const read = (store) => { try { return JSON.stringify({ ...store() }); } catch { return ""; } };
    return read(() => localStorage) + read(() => sessionStorage) + read(() => document.cookie);
  }

  function readParts() {
    const parts = {};
    walk(document, (element, way) => { parts[way] = hashElement(element, 0); });
    return { ...parts, storage: readStorage() };
  }

  function readState() {
    let hash = 0, canvas = false;
    walk(document, (element) => {
      hash = hashElement(element, hash);
      canvas ||= element.localName === "canvas" || element.localName === "video";
    });
    const focus = document.activeElement;
    const field = "input:not([type=button], [type=submit], [type=reset], [type=image]), textarea, select, [contenteditable]";
    return {
      document: hash, address: location.href, canvas,
      storage: readStorage(),
      focus: focus?.matches(field) ? focus.outerHTML.slice(0, 200) : "",
      scroll: [scrollX, scrollY].join(),
    };
  }

  function answer(root, which) {
    const letter = document.createElement("i");
    letter.textContent = JSON.stringify({ now: readState, parts: readParts, tab: isTabUsed }[which]());
    return [letter];
  }

  return { query: (root, which) => answer(root, which)[0], queryAll: answer };
})()
