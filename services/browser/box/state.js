// Tells the state of a page (`state=now`), to be compared with a later one, or whether something is kept in its tab alone
// (`state=tab`). A selector engine of Playwright, run in a world of its own: gives one element that is in no document,
// whose text is JSON.
(() => {
  const isTabUsed = () => Boolean(window.name || sessionStorage.length);

  function readState() {
    let hash = 0, canvas = false;
    const add = (text) => { for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) | 0; };
    const walk = (root) => {
      for (const element of root.children) {
        add(element.localName);
        for (const each of element.attributes) add(each.name + each.value);
        if ("value" in element) add(String(element.value) + element.checked + element.open);
        for (const node of element.childNodes) if (node.nodeType === 3) add(node.data);
        canvas ||= element.localName === "canvas" || element.localName === "video";
        if (element.shadowRoot) walk(element.shadowRoot);
        walk(element);
      }
    };
    walk(document);
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
    letter.textContent = JSON.stringify(which === "tab" ? isTabUsed() : readState());
    return [letter];
  }

  return { query: (root, which) => answer(root, which)[0], queryAll: answer };
})()
