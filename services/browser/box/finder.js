// Finds elements as a person would point at them. A selector engine of Playwright, run in a world of its own: what the
// page does to its own prototypes does not reach it. Applied to the data of finder.toml; then called with the
// URL-encoded JSON of one of
//
//   {find: {role, names, within, nth}}   elements that fit, the best kind of fit only, best first; with `strict: true`
//                                        nothing is guessed: for what is expected, or counted; with `sure: true` what has
//                                        no name does not stand in; with `holds: true` in the
//                                        target, and no role, what holds a value comes before all that is called so;
//                                        with `texts` in it, it is told whether one of them stands in what is held
//   {shows: [text, ...]}                 the smallest elements that show one of the texts
//   {fields: true}                       every visible field
//   {filled: target}                     as find; what the found field holds no longer counts as shown by the page
//   {selected: target}                   as find, where it is a field for text: it has the focus then, its text selected
//   {quiet: milliseconds}                the document, once nothing in it has changed for so long
//   {anything: true}                     the document, if it shows any text, picture or field
//   {words: true}                        an element that is in no document: all that the page shows, shadow trees included
//
// With `tell: most` what is found is described instead, so many at most: one element that is in no document, whose text
// is JSON; with `wait: true` not before there is something to describe. To ask in the page's own world would take a
// second copy of Playwright's scripts there, and the page could answer as it likes.
((DATA) => {
  const { kin: KIN, tags: TAGS, inputs: INPUTS, signs: SIGNS, pictures: PICTURES, passive: PASSIVE } = DATA;
  const TICKS = ["checkbox", "radio", "switch"];
  const FIELDS = ["field", "textbox", "searchbox", "spinbutton", "combobox", "slider"];
  const filled = new WeakSet(), called = new WeakMap();
  let texts = new Map(), windows = new Map(), hasDrawn = false;

  const squeeze = (text) => (text ?? "").normalize("NFKC").replace(/[\s\u200b\u00ad]+/g, " ").trim().toLowerCase();
  const squeezeSpaces = (text) => text.replace(/\s+/g, " ").trim();
  const children = (node) => {
    if (node.shadowRoot) return [...node.shadowRoot.childNodes];
    if (node.localName === "slot" && node.assignedNodes().length) return node.assignedNodes();
    return [...node.childNodes];
  };
  const parent = (element) => element.assignedSlot ?? element.parentElement ?? element.getRootNode().host ?? null;
  const contains = (outer, inner) => {
    for (let each = inner; each; each = parent(each)) if (each === outer) return true;
    return false;
  };

  function* walk(root) {
    for (const child of children(root)) {
      if (child.nodeType !== 1) continue;
      yield child;
      yield* walk(child);
    }
  }

  function hasBox(element, transparent = false) {
    if (getComputedStyle(element).display === "contents") return element.childNodes.length > 0;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: !transparent })) return false;
    const box = element.getBoundingClientRect();
    if (isBeyond(box.right + scrollX, box.width) || isBeyond(box.bottom + scrollY, box.height)) return false;
    if (isBeside(element, box)) return false;
    return (box.width > 1 && box.height > 1) || getComputedStyle(element).overflow === "visible";
  }

  // Whether what ends there is left of the page, or above it. A body whose contents are placed apart has no height, and
  // ends where the page begins.
  const isBeyond = (end, size) => end < 0 || (end === 0 && size > 0);

  // What an element is placed in: it is cut off there, and moves when that is scrolled; null for the window itself.
  function holderOf(element) {
    const position = getComputedStyle(element).position;
    if (!["absolute", "fixed"].includes(position) || element.offsetParent === undefined) return parent(element);
    return element.offsetParent ?? (position === "fixed" ? null : document.body);
  }

  const cuts = (overflow) => ["hidden", "clip"].includes(overflow);
  const scrolls = (overflow) => ["auto", "scroll"].includes(overflow);
  const isPage = (element) => ["html", "body"].includes(element.localName);

  // Whether a box waits beside the window, where nobody can scroll to: a menu or a message that slides in later.
  function isBeside(element, box) {
    const isInWindow = box.left < innerWidth && box.right > 0 && box.top < innerHeight && box.bottom > 0;
    if (isInWindow || !box.width || !box.height) return false;
    for (let each = element; each && !isPage(each); each = holderOf(each)) {
      const { position, overflowX, overflowY } = getComputedStyle(each), own = each.getBoundingClientRect();
      if (each !== element && (scrolls(overflowX) || scrolls(overflowY))) return isBeside(each, own);
      if (position !== "fixed" || each.offsetParent) continue;
      return box.left >= innerWidth || box.right <= 0 || box.bottom <= 0 || own.top >= innerHeight;
    }
    const page = [document.documentElement, document.body].filter(Boolean);
    return box.left >= innerWidth && page.some((each) => cuts(getComputedStyle(each).overflowX));
  }

  const EVERYWHERE = { across: [-Infinity, Infinity], down: [-Infinity, Infinity] };

  // From where to where, across and down, the contents of a box can be seen: all that one can scroll to, and what the
  // window is too small for, but not what a box cuts off.
  function windowOf(element) {
    if (!element || isPage(element)) return EVERYWHERE;
    if (windows.has(element)) return windows.get(element);
    const { overflowX, overflowY } = getComputedStyle(element), outer = windowOf(holderOf(element));
    const box = element.getBoundingClientRect(), left = box.left - element.scrollLeft, top = box.top - element.scrollTop;
    const seen = {
      across: narrow(outer.across, overflowX, [box.left, box.right], [left, left + element.scrollWidth]),
      down: narrow(outer.down, overflowY, [box.top, box.bottom], [top, top + element.scrollHeight]),
    };
    windows.set(element, seen);
    return seen;
  }

  function narrow([from, to], overflow, [start, end], contents) {
    if (scrolls(overflow) && start < to && end > from) return contents;
    return cuts(overflow) || scrolls(overflow) ? [Math.max(start, from), Math.min(end, to)] : [from, to];
  }

  // Whether a box lies wholly where the boxes around it cut everything off, as the answer of a question that is folded.
  function isCutOff(element) {
    const { across, down } = windowOf(holderOf(element)), box = element.getBoundingClientRect();
    if (!box.width || !box.height) return false;
    return box.left >= across[1] - 1 || box.right <= across[0] + 1 || box.top >= down[1] - 1 || box.bottom <= down[0] + 1;
  }

  function isVisible(element) {
    // The native box of a check mark or a choice is often transparent, under a drawn one.
    const drawn = element.localName === "input" && ["checkbox", "radio", "range", "file"].includes(element.type);
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && hasBox(element, drawn);
  }

  const isField = (element) =>
    ["input", "textarea", "select"].includes(element.localName) || element.isContentEditable;

  // The text that an element shows. What was typed into a field by us is not shown by the page.
  function textOf(element) {
    if (texts.has(element)) return texts.get(element);
    let text = "";
    if (["script", "style", "template", "noscript"].includes(element.localName)) text = "";
    else if (!hasBox(element) || isCutOff(element)) text = "";
    else if (filled.has(element)) text = "";
    else if (element.localName === "input") {
      text = ["checkbox", "radio", "password", "range", "color"].includes(element.type) ? "" : ` ${element.value} `;
    } else if (element.localName === "textarea") text = ` ${element.value} `;
    else if (element.localName === "select") {
      text = ` ${[...element.selectedOptions].map((option) => option.label).join(" ")} `;
    } else {
      const block = !getComputedStyle(element).display.startsWith("inline") ? " " : "";
      text = block + children(element).map((child) =>
        child.nodeType === 3 ? child.data : child.nodeType === 1 ? textOf(child) : "").join("") + block;
      if (element.localName === "br") text = " ";
    }
    texts.set(element, text);
    return text;
  }

  // Whether a text stands in another. A number stands only as a whole one, grouped or not, with zeros or not: 12 in
  // "$12.00", not in "112", "-12" or "12.37"; 1234.5 in "1,234.50".
  function stands(wanted, text) {
    if (standsPlainly(wanted, text) || standsPlainly(closeUp(wanted), closeUp(text))) return true;
    return /\d/.test(wanted) &&
      (standsPlainly(wanted, ungroup(text)) || standsPlainly(trim(wanted), trim(ungroup(text))));
  }

  const ungroup = (text) => text.replace(/(\d),(?=\d{3}(?!\d))/g, "$1");
  // Numbers without zeros at their end: "46.60 miles" is "46.6 miles", "24.00%" is "24%".
  const trim = (text) => text.replace(/(?<![\d.,])(\d+)(?:(\.\d*[1-9])|\.)0+(?!\d|[.,]\d)/g, "$1$2");

  // Marks that stand in elements of their own have spaces around them in the markup: "( 1 )" is "(1)", "2 , 3" is "2, 3",
  // and a clock may show "00 : 25".
  const closeUp = (text) => text.replace(/(?<=\d) : (?=\d)/g, ":").replace(/ (?=[,;:!?)\]])|(?<=[([]) /g, "");

  function standsPlainly(wanted, text) {
    for (let at = text.indexOf(wanted); wanted && at >= 0; at = text.indexOf(wanted, at + 1)) {
      const before = text.slice(0, at), after = text.slice(at + wanted.length);
      const startsInside = /^\d/.test(wanted) && /(\d|\d[.,]|(^|[\s$€£(])[-−])$/.test(before);
      const zeros = /\d\.\d+$/.test(wanted) ? /^0*(?![\d]|[.,]\d)/ : /^([.,]0+)?(?!\d|[.,]\d)/;
      const endsInside = /\d$/.test(wanted) && !zeros.test(after);
      if (!startsInside && !endsInside) return true;
    }
    return false;
  }

  function showing(root, wanted) {
    const some = (element) => wanted.some((text) => stands(text, squeeze(textOf(element))));
    const smallest = (element) => {
      const inner = children(element).filter((child) => child.nodeType === 1 && some(child));
      return inner.length ? inner.flatMap(smallest) : [element];
    };
    const tops = root.nodeType === 1 ? [root] : [root.body ?? root.documentElement];
    return tops.filter(some).flatMap(smallest);
  }

  function roleOf(element) {
    const given = (element.getAttribute("role") ?? "").trim().split(/\s+/)[0];
    if (given && given !== "presentation" && given !== "none") return given;
    const tag = element.localName;
    if (tag === "input") return INPUTS[element.type] ?? "textbox";
    if (tag === "a") return element.hasAttribute("href") ? "link" : "";
    if (tag === "select") return element.multiple || element.size > 1 ? "listbox" : "combobox";
    if (element.isContentEditable && !element.parentElement?.isContentEditable) return "textbox";
    return TAGS[tag] ?? "";
  }

  function isClickable(element) {
    // A label takes clicks for its control; one that has none is mere words.
    if (element.hasAttribute("onclick") || element.tabIndex >= 0 || element.control) return true;
    return getComputedStyle(element).cursor === "pointer";
  }

  // A card: one of several neighbours that are made alike, and more than a word.
  function isCard(element) {
    if (!["div", "section", "dd", "details", "a", "label", "button"].includes(element.localName)) return false;
    if (!element.firstElementChild && !element.className) return false;
    const alike = [...(element.parentElement?.children ?? [])].filter(
      (other) => other.localName === element.localName && other.classList[0] === element.classList[0]);
    return alike.length > 1 || /\b(card|item|row|entry|todo|task|note|post)\b/i.test(element.className);
  }

  function hasRole(element, role) {
    const own = roleOf(element);
    if (role === "clickable") return (!own || PASSIVE.includes(own)) && isClickable(element);
    if (role === "editable") return own === "combobox" && element.localName === "input";
    if (role === "card") return !own && isCard(element);
    return own === role;
  }

  const drawnText = (element) =>
    ["::before", "::after"].map((part) => /^"(.*)"$/.exec(getComputedStyle(element, part).content)?.[1] ?? "").join("");
  // The signs of icon fonts are pictures, and name nothing.
  const pseudo = (element) => drawnText(element).replace(/\p{Co}/gu, "");
  // Some of their signs are letters of every font: a plus, an equals sign.
  const isIcon = (element) => /\p{Co}/u.test(drawnText(element)) || (!!drawnText(element) && !squeeze(element.textContent));

  // What a font draws in place of the words within an element: a cross for "close".
  const DRAWN = DATA.drawn.classes.map((name) => `[class^="${name}"], [class*=" ${name}"]`).join();
  const drawnWords = (element) => !hasDrawn ? []
    : (element.matches(DRAWN) ? [element] : [...element.querySelectorAll(DRAWN)])
      .flatMap((icon) => [...(DATA.drawn[squeeze(icon.textContent)] ?? "")]);

  // Of several labels not those that stand before another field: they are its own, whatever they say that they are for.
  function labelsOf(element) {
    const labels = [...(element.labels ?? [])];
    const leads = (label) => {
      const next = label.nextElementSibling;
      return next && isField(next) && next !== element;
    };
    return labels.length > 1 ? labels.filter((label) => !leads(label)) : labels;
  }

  // What a person reads on, in or at an element.
  function namesOf(element) {
    const ids = (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter(Boolean);
    const root = element.getRootNode();
    const field = isField(element);
    const button = element.localName === "input" && ["button", "submit", "reset"].includes(element.type);
    const default_ = { submit: "Submit", reset: "Reset" }[element.type] ?? "";
    return [
      ...ids.map((id) => root.getElementById?.(id)?.textContent),
      element.getAttribute("aria-label"),
      ...labelsOf(element).map((label) => label.textContent),
      element.getAttribute("placeholder") ?? element.getAttribute("aria-placeholder") ?? element.dataset?.placeholder,
      element.getAttribute("title"),
      ...DATA.tooltips.map((name) => element.getAttribute(name)),
      element.getAttribute("alt"),
      button ? element.value || default_ : "",
      element.localName === "select" ? element.selectedOptions[0]?.label : "",  // "Choose a colour"
      field ? "" : textOf(element) + pseudo(element),
      field ? "" : element.textContent.length < 200 ? element.textContent : "",
      ...(field ? [] : drawnWords(element)),
      ...(field ? [] : [...element.querySelectorAll("img[alt], svg title, [aria-label], [title]")].map((inner) =>
        inner.getAttribute("alt") ?? inner.getAttribute("aria-label") ?? inner.getAttribute("title") ??
        inner.textContent)),
    ].map(squeeze).filter(Boolean);
  }

  // What the author calls it: words of its id, class and the like, those of a picture within included.
  function hintsOf(element) {
    const attributes = ["id", "name", "class", "data-testid", "data-test", "data-action", "data-icon", "href", "src"];
    const own = [element, ...element.querySelectorAll("i, svg, img, use, span[class]")].slice(0, 6);
    return splitWords(own.flatMap((each) => attributes.map((name) => each.getAttribute(name) ?? "")).join(" "));
  }
  const ownHints = (element) => splitWords(`${element.id} ${element.getAttribute("class") ?? ""}`);
  const splitWords = (words) => squeeze(parts(words.replace(/([a-z])([A-Z])/g, "$1 $2")));
  const parts = (words) => words.replace(/[-_./#:]+/g, " ");

  // The words before a field, as in `<td>Name</td><td><input></td>`; not those before a box of several fields.
  function nearbyText(element, most = 3) {
    for (let each = element, steps = 0; each && steps < most; each = parent(each), steps += 1) {
      if (steps && each.querySelectorAll("input, select, textarea").length > 1) return "";
      const before = each.previousSibling?.nodeType === 3 ? each.previousSibling.data : "";
      const text = squeeze(before) || squeeze(each.previousElementSibling?.textContent);
      if (text) return text.length <= 60 && !each.previousElementSibling?.querySelector?.("input, select") ? text : "";
    }
    return "";
  }

  // The words beside a box to tick, before or after it: those of the smallest box around it that holds no other field.
  function besideText(element, most = 2) {
    for (let each = parent(element), steps = 0; each && steps < most; each = parent(each), steps += 1) {
      if (each.querySelectorAll("input, select, textarea").length > 1) return "";
      const text = squeeze(textOf(each));
      if (text) return text.length <= 60 ? text : "";
    }
    return "";
  }

  // How well a text fits a name: 0 the same, 1 begins with it, 2 has its words, 3 holds it, 9 not at all.
  function fit(name, text) {
    if (text === name) return 0;
    if (!stands(name, text)) return 9;
    const at = text.indexOf(name);
    const edge = (char) => !char || !/[\p{L}\p{N}]/u.test(char);
    const word = edge(text[at - 1]) && (edge(text[at + name.length]) || /^(s|es)\b/.test(text.slice(at + name.length)));
    return at === 0 && word ? 1 : word ? 2 : name.length > 3 ? 3 : 9;
  }
  const best = (names, all) => Math.min(9, ...names.flatMap((name) => all.map((text) => fit(name, text))));
  const isSign = (sign, text) => text === sign || ([...text][0] === sign && text.length < 4 && !/\p{L}/u.test(sign));
  const hasSign = (names, all) =>
    names.some((name) => [...(SIGNS[name] ?? "")].some((sign) => all.some((text) => isSign(sign, text))));

  function nameFit(element, names) {
    const all = namesOf(element);
    const fits = best(names, all);
    if (!all.length && isField(element) && names.includes(nearbyText(element))) return 0.5;
    return fits < 9 ? fits : hasSign(names, all.length ? all : drawnSigns(element)) ? 4 : 9;
  }

  const isFilled = (shape) => getComputedStyle(shape).fill !== "none";
  const isStroked = (shape) =>
    getComputedStyle(shape).stroke !== "none" && parseFloat(getComputedStyle(shape).strokeWidth) > 0;
  const isInked = (shape, place) =>
    (isFilled(shape) && shape.isPointInFill(place)) || (isStroked(shape) && shape.isPointInStroke(place));

  const MIDDLE = [0, 1, 2, 3, 4].flatMap((each) => [[each, 2], [2, each]]);
  const DIAGONALS = [0, 1, 2, 3, 4].flatMap((each) => [[each, each], [each, 4 - each]]);
  const BESIDE_PLUS = DIAGONALS.filter(([column]) => column !== 2), BESIDE_CROSS = [[0, 2], [2, 0], [4, 2], [2, 4]];

  // The sign that a drawing without words is: a minus, a plus or a cross, told by five times five points of it.
  function drawnSigns(element) {
    const drawings = element.localName === "svg" ? [element] : [...element.querySelectorAll("svg")];
    const shapes = [...(drawings[0]?.querySelectorAll("path, line, polyline, polygon, rect") ?? [])]
      .filter((shape) => isFilled(shape) || isStroked(shape));
    if (drawings.length !== 1 || !shapes.length) return [];
    const boxes = shapes.map((shape) => shape.getBoundingClientRect());
    const left = Math.min(...boxes.map((box) => box.left)), top = Math.min(...boxes.map((box) => box.top));
    const width = Math.max(...boxes.map((box) => box.right)) - left;
    const height = Math.max(...boxes.map((box) => box.bottom)) - top;
    const isInk = ([column, row]) => {
      const place = new DOMPoint(left + width * (0.1 + column * 0.2), top + height * (0.1 + row * 0.2));
      return shapes.some((shape) => isInked(shape, place.matrixTransform(shape.getScreenCTM().inverse())));
    };
    if (height <= width / 3) return MIDDLE.filter(([, row]) => row === 2).every(isInk) ? ["-"] : [];
    if (MIDDLE.every(isInk) && !BESIDE_PLUS.some(isInk)) return ["+"];
    return DIAGONALS.every(isInk) && !BESIDE_CROSS.some(isInk) ? ["×"] : [];
  }

  // An own stand-in for an input that is not drawn itself: its label, which takes the clicks for it.
  function clickableLabel(element) {
    if (element.localName !== "input" || !["checkbox", "radio", "file"].includes(element.type)) return null;
    return [...(element.labels ?? [])].find(isVisible) ?? null;
  }

  function visibleOnes(root) {
    const found = [];
    for (const element of walk(root)) {
      if (isVisible(element)) found.push([element, element]);
      else if (clickableLabel(element)) found.push([element, clickableLabel(element)]);
    }
    return found;
  }

  const INSIDE = "nav, [role=navigation], [role=tablist], [role=menu]";
  const mayCount = (element, role) => role !== "listitem" || !element.closest(INSIDE);

  // Of those that fit, one element for one thing: not the box around it, where both fit alike.
  const innermost = (found) => found.filter(([one]) => !found.some(([other]) => other !== one && contains(one, other)));

  const VAGUE = ["button", "link", "clickable", "card"];
  const ROWS = "li, tr, article, [role=listitem], [role=row], [role=option]";
  const ITEMS = ["listitem", "row", "article", "card", "clickable"];

  // Pairs of an element and what stands for it on the screen, the best fit first; those that do not fit (9) left out.
  function ranked(pairs, rank) {
    const fits = pairs.map((pair) => [pair, rank(pair[0])]).filter(([, fit]) => fit < 9);
    return fits.sort((one, other) => one[1] - other[1]).map(([pair]) => pair);
  }

  function findIn(root, target, withKin = true) {
    const names = target.names.map(squeeze).filter(Boolean);
    const pairs = visibleOnes(root);
    if (!target.role) return findHolder(pairs, names, target) ?? findByName(root, pairs, names, target.strict);
    // Without a name or a place anything that takes clicks would do for a button, and any box for an item.
    const kin = (KIN[target.role] ?? []).filter((role) => names.length || target.within || !VAGUE.includes(role));
    const roles = [target.role, ...(withKin ? kin : [])];
    const byRole = roles.map((role) => pairs.filter(([element]) => hasRole(element, role) && mayCount(element, role)));
    if (!names.length) return innermost(byRole.find((found) => found.length) ?? []);
    for (const [index, found] of byRole.entries()) {
      const fits = ranked(found, (element) => nameFit(element, names));
      if (fits.length) return ITEMS.includes(roles[index]) ? innermost(fits) : fits;
    }
    if (!withKin) return [];
    const seen = findBySight(target.role, names, byRole.flat(), target.strict);
    return seen.length || target.strict ? seen : guess(target.role, names, pairs, byRole.flat());
  }

  // Without a name of its own: a field by the words before it, a box to tick by those beside it, a button by its picture.
  function findBySight(role, names, kin, strict) {
    if (FIELDS.includes(role)) return ranked(kin, (element) => best(names, [nearbyText(element)].filter(Boolean)));
    const nameless = kin.filter(([element]) => !namesOf(element).length);
    const ticked = TICKS.includes(role) ? nameless.filter(([element]) => TICKS.includes(roleOf(element))) : [];
    const beside = ranked(ticked, (element) => best(names, [besideText(element)].filter(Boolean)));
    if (beside.length) return beside;
    return ranked(nameless, (element) => strict ? hintFit(element, names) : pictureFit(element, names));
  }
  const hintFit = (element, names) => Math.min(9, best(names.map(parts), [hintsOf(element)]) * 4);

  // By what its author calls it, or else by other words for such a picture.
  function pictureFit(element, names) {
    const others = names.flatMap((name) => parts(name).split(" ")).flatMap((word) => PICTURES[word] ?? []);
    const fits = hintFit(element, names);
    return fits < 9 ? fits : best(others, [hintsOf(element), ...namesOf(element)]) <= 2 ? 8.5 : 9;
  }

  // What a person would try where nothing is called as it should be.
  function guess(role, names, pairs, kin) {
    const known = FIELDS.includes(role) ? findKnown(kin, names) : [];
    if (known.length) return known;
    const hinted = ranked(kin, (element) => hintFit(element, names));
    if (hinted.length) return hinted;
    if (FIELDS.includes(role)) return kin.length === 1 ? kin : findUnnamed(kin);
    if (!(KIN[role] ?? []).includes("clickable")) return [];
    const icons = findIcons(pairs, names);
    if (icons.length) return icons;
    const reads = (text) => names.includes(text.replace(/^(\d+|[a-z])[.)] /, "")) || hasSign(names, [text]);
    const isPlain = (element) => !roleOf(element) || PASSIVE.includes(roleOf(element));
    const plain = pairs.filter(([element]) => isPlain(element) && reads(squeeze(textOf(element))));
    const keys = plain.filter(([element]) => isCalledButton(element));
    return innermost(keys.length ? keys : plain);
  }

  const isCalledButton = (element) => /\b(btn|button|switch|toggle)\b/.test(ownHints(element));
  const isUnnamed = ([element]) => !namesOf(element).length;

  // The field without a name that was filled in under this one before: what the list holds by now is called alike.
  const findKnown = (kin, names) => kin.filter(isUnnamed).filter(([element]) => called.get(element) === names.join());

  // The only field without a name that was filled in under no other.
  function findUnnamed(kin) {
    const free = kin.filter(isUnnamed).filter(([element]) => !called.has(element) && !nearbyText(element, 2));
    return free.length === 1 ? free : [];
  }

  // Where a value is to be written or read: a field, or what shows a result, before a button or a text of that name.
  function findHolder(pairs, names, target) {
    if (!target.holds || !names.length) return null;
    const holders = pairs.filter(([element]) => isField(element) || element.localName === "output")
      .filter(([element]) => !["button", "checkbox", "radio"].includes(roleOf(element)));
    const fits = ranked(holders, (element) => nameFit(element, names));
    const called = (element) => [nearbyText(element).replace(/ ?[:*]$/, ""), parts(element.id), parts(element.name ?? "")];
    const beside = holders.filter(([element]) => called(element).map(squeeze).some((word) => names.includes(word)));
    return fits.length ? fits : beside.length ? beside : null;
  }

  function findByName(root, pairs, names, strict) {
    if (!names.length) return pairs.slice(0, 1);
    const controls = pairs.filter(([element]) => isField(element) || ["button", "link", "tab"].includes(roleOf(element)));
    const fits = ranked(controls, (element) => nameFit(element, names));
    const called = fits.length ? fits : showing(root, names).map((element) => [element, element]);
    if (called.length || strict) return called;
    return findIcons(pairs, names);
  }

  // What has no name, or is a picture, and takes clicks, is an icon, or is called a button: by the sign that it is, or what
  // its author calls it.
  function findIcons(pairs, names) {
    const mayBe = (element) =>
      isClickable(element) || isIcon(element) || element.localName === "svg" || isCalledButton(element);
    const isPicture = (element) => isIcon(element) || roleOf(element) === "img";
    const icons = pairs.filter((pair) => (isUnnamed(pair) || isPicture(pair[0])) && mayBe(pair[0]));
    return innermost(ranked(icons, (element) => Math.min(nameFit(element, names), pictureFit(element, names))));
  }

  // The smallest box around a text in which the target is found, or which is it; but never in a neighbour that is made
  // like the text's own.
  function findWithin(root, target, withKin) {
    for (const start of showing(root, [squeeze(target.within)])) {
      let branch = null;
      for (let box = start; box && box.localName !== "html"; branch = box, box = parent(box)) {
        if (isItself(box, target)) return [[box, box]];
        const found = findIn(box, target, withKin);
        const foreign = branch && found.some(([element]) => isInTwin(element, box, branch));
        if (found.length && !foreign) return nearestFirst(found, start, target);
        if (foreign || isRow(box)) break;
      }
    }
    return [];
  }

  // Of several that fit alike, as one under each heading: what stands in line with the text, then what follows it.
  function nearestFirst(found, start, target) {
    const names = target.names.map(squeeze);
    const fits = new Map(found.map((pair) => [pair, names.length ? nameFit(pair[0], names) : 0]));
    const alike = found.filter((pair) => fits.get(pair) === fits.get(found[0]));
    const text = start.getBoundingClientRect();
    const distance = ([element]) => {
      const box = element.getBoundingClientRect();
      if (box.top < text.bottom && text.top < box.bottom) return 0;
      return start.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING ? 1 : 2;
    };
    alike.sort((one, other) => distance(one) - distance(other));
    return [...alike, ...found.filter((pair) => !alike.includes(pair))];
  }

  // Of several that fit alike, as under a dialog and in it: what lies in front, then what something else covers.
  function frontFirst(found, target) {
    const names = target.names.map(squeeze);
    const fitOf = ([element]) => names.length ? nameFit(element, names) : 0;
    const alike = found.filter((pair) => fitOf(pair) === fitOf(found[0]));
    const covered = alike.length > 1 ? alike.filter(([, shown]) => isCovered(shown)) : [];
    return [...alike.filter((pair) => !covered.includes(pair)), ...covered, ...found.filter((pair) => !alike.includes(pair))];
  }

  // Beside a text, the only control that has no name at all: a picture that says nothing to us.
  function findNameless(root, target) {
    for (const start of target.role === "button" ? showing(root, [squeeze(target.within)]) : []) {
      for (let box = start; box && box.localName !== "html"; box = parent(box)) {
        const controls = findIn(box, { ...target, names: [] }, false).filter(([element]) => !contains(element, start));
        const nameless = controls.filter(isUnnamed);
        if (controls.length) return nameless.length === 1 ? nameless : [];
      }
    }
    return [];
  }

  // A list item outside of any list, or an article that stands alone in its box, is a mere text, with its buttons beside
  // it.
  const isRow = (box) => box.matches(ROWS) && (box.localName !== "li" || box.matches(":is(ul, ol, menu, [role]) > li")) &&
    !(box.localName === "article" && box.matches(":only-of-type:not(:only-child)"));

  const isItself = (box, target) =>
    target.role && hasRole(box, target.role) && (!target.names.length || nameFit(box, target.names.map(squeeze)) < 9);

  const madeOf = (element) => [...element.children].map((child) => `${child.localName}(${madeOf(child)})`).join();
  const isMadeAlike = (one, other) => madeOf(one) === madeOf(other);

  // Two parts are no twins, though they are called alike: cells of a row that hold nothing but text, parts of a row that
  // hold other things, a mere text beside what holds more, as in a grid of columns, and what each holds something that
  // the other does not, in a box that has the same parts as another beside it, as cards have.
  function isInTwin(element, box, branch) {
    const twin = children(box).find((child) => child.nodeType === 1 && contains(child, element));
    const alike = twin?.localName === branch.localName && twin?.className === branch.className;
    if (twin === branch || !alike) return false;
    const holds = (part) => [...part.children].map((child) => child.localName);
    const lacks = (part, other) => holds(part).some((name) => !holds(other).includes(name));
    const differ = holds(twin).join() !== holds(branch).join();
    const isRepeated = () => [...(box.parentElement?.children ?? [])].some(
      (other) => other !== box && other.localName === box.localName && isMadeAlike(other, box));
    if (box.matches(ROWS) && (differ || !branch.firstElementChild)) return false;
    if (differ && (!branch.firstElementChild || (lacks(twin, branch) && lacks(branch, twin) && isRepeated()))) return false;
    return !!branch.className || !!branch.firstElementChild;
  }

  function find(root, target) {
    let found = [];
    if (!target.within) found = findIn(root, target);
    else for (const withKin of [false, true]) found = found.length ? found : findWithin(root, target, withKin);
    if (!found.length && target.within && !target.strict && !target.sure) found = findNameless(root, target);
    if (found.length > 1 && !target.strict) found = frontFirst(found, target);
    return [...new Set(found.map(([, shown]) => shown))].slice(target.nth ?? 0);
  }

  function showsAnything(root) {
    const pictures = ["img", "svg", "canvas", "video", "iframe"];
    return !!document.body && (!!squeeze(textOf(document.body)) ||
      visibleOnes(root).some(([element]) => isField(element) || pictures.includes(element.localName)));
  }

  let lastChange = 0, observed = null;
  function quiet(root, milliseconds) {
    if (observed !== document) {
      observed = document;
      lastChange = performance.now();
      const observer = new MutationObserver(() => { lastChange = performance.now(); });
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    }
    return performance.now() - lastChange >= milliseconds ? [document.documentElement] : [];
  }

  // Where the mouse would hit the element as it stands; null where it is disabled, out of sight, covered, or may move.
  function pointAt(element) {
    if (element.matches(":disabled") || element.closest("[aria-disabled=true]")) return null;
    if (document.getAnimations().some((each) => each.playState === "running")) return null;
    const point = middleOf(element), hit = point && frontAt(point);
    return hit && (contains(element, hit) || standsFor(hit, element)) ? point : null;
  }

  // The middle of what is wholly in the window.
  function middleOf(element) {
    const box = element.getClientRects()[0];
    if (!box || box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight) return null;
    return [box.left + box.width / 2, box.top + box.height / 2];
  }

  // What lies in front at a point, in shadow trees too.
  function frontAt(point) {
    let hit = null;
    for (let root = document; root; root = hit?.shadowRoot) {
      const inner = root.elementFromPoint(...point);
      if (inner === hit) break;
      hit = inner;
    }
    return hit;
  }

  function isCovered(element) {
    const point = middleOf(element), hit = point && frontAt(point);
    return !!hit && !contains(element, hit) && !standsFor(hit, element);
  }

  // Whether a click on what lies in front is meant for the element: on its label, or on a drawing of it that is no control
  // itself.
  function standsFor(front, element) {
    if (front.closest("label")?.control === element) return true;
    const [box, drawn] = [element, front].map((each) => each.getBoundingClientRect());
    const isSmall = drawn.width <= Math.max(2 * box.width, 120) && drawn.height <= Math.max(2 * box.height, 60);
    return isSmall && !roleOf(front) && parent(element)?.contains(front);
  }

  const TYPED = ["text", "search", "email", "password", "tel", "url"];
  function selectText(element) {
    const typed = element.localName === "textarea" || (element.localName === "input" && TYPED.includes(element.type));
    if (!typed || element.readOnly || element.matches(":disabled")) return false;
    element.select();
    element.focus();
    return element.getRootNode().activeElement === element;
  }

  const MARKUP_CHARS = 300, NAME_CHARS = 200, HELD_CHARS = 100000;
  function describe(element, texts) {
    const box = element.getBoundingClientRect();
    const value = "value" in element && element.localName !== "li" ? element.value : element.innerText;
    const own = (name) => element.getAttribute(name);
    const name = own("aria-label") || element.placeholder || element.innerText || element.value || element.title
      || own("alt") || element.id || element.className || "";
    return {
      markup: String(element.outerHTML).slice(0, MARKUP_CHARS),
      box: [box.x, box.y, box.width, box.height].map(Math.round),
      point: pointAt(element),
      name: squeezeSpaces(String(name)).slice(0, NAME_CHARS),
      enabled: !element.disabled && own("aria-disabled") !== "true" && element.type !== "file",
      tag: element.localName,
      kind: String(element.type || ""),
      held: String(value ?? "").slice(0, HELD_CHARS),
      holds: texts.some((text) => stands(squeeze(text), squeeze(String(value ?? "")))),
      options: element.localName === "select" ? [...element.options].map((each) => [each.value, each.label.trim()]) : [],
    };
  }

  const tell = (found, most, texts) =>
    write(JSON.stringify(found.slice(0, most).map((element) => describe(element, texts))));

  function write(text) {
    const letter = document.createElement("i");
    letter.textContent = text;
    return [letter];
  }

  function answer(root, query) {
    const asked = JSON.parse(decodeURIComponent(query));
    if (asked.quiet) return quiet(root, asked.quiet);
    const found = lookUp(root, asked);
    return asked.tell && (found.length || !asked.wait) ? tell(found, asked.tell, asked.find?.texts ?? []) : found;
  }

  function lookUp(root, asked) {
    texts = new Map();
    windows = new Map();
    hasDrawn = document.querySelector(DRAWN) !== null;
    if (asked.anything) return showsAnything(root) ? [document.documentElement] : [];
    if (asked.words) return write(squeezeSpaces(document.body ? textOf(document.body) : ""));
    if (asked.shows) return showing(root, asked.shows.map(squeeze));
    if (asked.fields) return visibleOnes(root).map(([element]) => element).filter((e) => isField(e) && !e.disabled);
    const found = find(root, { ...(asked.find ?? asked.filled ?? asked.selected), strict: asked.strict, sure: asked.sure });
    if (asked.filled && found[0]) {
      filled.add(found[0]);
      called.set(found[0], asked.filled.names.map(squeeze).filter(Boolean).join());
    }
    return asked.selected ? found.slice(0, 1).filter(selectText) : found;
  }

  return { query: (root, query) => answer(root, query)[0] ?? null, queryAll: answer };
})
