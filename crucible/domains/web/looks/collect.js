// Evaluated in the page, in a world of its own: what there is to see, in pixels of the page, as one JSON text.
// The page's scripts cannot alter what is used here; what its markup says is still somebody's work: texts are cut,
// lists are limited, and the reader (facts.py) checks every value.
(async () => {
  const MOST = { elements: 6000, texts: 700, lines: 12, boxes: 500, images: 120, controls: 250, headings: 200 };
  const MOST_GROUPS = 300, MOST_CHILDREN = 60, MOST_STRAYS = 20, TALLEST_SCROLL = 12000;
  const SKIPPED = ["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD"];
  const WITHOUT_TEXT = ["checkbox", "radio", "range", "color", "file", "hidden", "image"];
  const HOLDERS = [
    "BUTTON", "A", "LABEL", "TH", "TD", "LI", "H1", "H2", "H3", "H4", "H5", "H6", "P", "OPTION", "SELECT", "INPUT",
    "TEXTAREA", "LEGEND", "CODE", "PRE",
  ];
  const CONTROLS = "button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], "
    + "[role=link], [role=tab], [role=checkbox], [role=switch]";
  const SIDES = ["Top", "Right", "Bottom", "Left"];

  // ---- small tools ----
  const root = document.scrollingElement || document.documentElement;
  const nextFrame = () => new Promise((done) => { setTimeout(done, 100); requestAnimationFrame(() => done()); });
  const scrollTo = (top) => root.scrollTo({ top, left: 0, behavior: "instant" });
  const round = (value) => Math.round(Math.max(-1e6, Math.min(1e6, value || 0)) * 10) / 10;
  const pixels = (length) => round(parseFloat(length));
  const cut = (text, most = 80) => String(text || "").replace(/\s+/g, " ").trim().slice(0, most);
  const boxOf = (rect) => [rect.left + scrollX, rect.top + scrollY, rect.width, rect.height].map(round);
  // Left of the page, or above it: nobody can scroll there. Closed menus wait there, and texts for screen readers.
  const isParked = ([left, top, width, height]) => left + width <= 0 || top + height <= 0;
  const firstFamily = (style) => cut(style.fontFamily.split(",")[0].replace(/["']/g, "")).toLowerCase();
  const scrollsBy = (overflow) => overflow === "auto" || overflow === "scroll";
  const cutsBy = (overflow) => overflow === "hidden" || overflow === "clip";
  const isGround = (element) => element === document.body || element === document.documentElement;
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });

  const styles = new Map();
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  const parentOf = (node) => {
    if (node.assignedSlot || node.parentElement) return node.assignedSlot || node.parentElement;
    return node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null;
  };
  const contains = (outer, inner) => {
    for (let each = inner; each; each = parentOf(each)) if (each === outer) return true;
    return false;
  };
  const colourOf = (value) => {
    const numbers = (value.match(/[\d.]+/g) || []).map(Number);
    const scale = value.startsWith("color(srgb") ? 255 : value.startsWith("rgb") ? 1 : 0;
    return scale ? [...numbers.slice(0, 3).map((part) => Math.round(part * scale)), numbers[3] ?? 1] : null;
  };
  const nameOf = (element) => {
    const classes = typeof element.className === "string" ? element.className.trim().split(/\s+/).slice(0, 2) : [];
    const id = element.id ? "#" + element.id : "";
    return cut(element.tagName.toLowerCase() + id + classes.filter(Boolean).map((each) => "." + each).join(""), 60);
  };

  // ---- content that comes into view by scrolling is brought into view, and animations are brought to their end ----
  for (let top = innerHeight; top < Math.min(root.scrollHeight, TALLEST_SCROLL); top += innerHeight) {
    scrollTo(top);
    await nextFrame();
  }
  scrollTo(0);
  await nextFrame();
  for (const animation of document.getAnimations()) {
    try { animation.finish(); } catch { animation.cancel(); }
  }

  // ---- all elements that are laid out, those in shadow trees too; a drawing is a picture, not a layout ----
  const elements = [];
  const walk = (parent) => {
    for (const element of parent.children) {
      if (elements.length >= MOST.elements) return;
      const isDrawn = element instanceof HTMLElement || element instanceof SVGElement;
      if (!isDrawn || SKIPPED.includes(element.tagName) || styleOf(element).display === "none") continue;
      elements.push(element);
      if (element instanceof HTMLElement) walk(element.shadowRoot || element);
    }
  };
  walk(document.documentElement);

  // ---- what its ancestors make of an element: how opaque it is, on which colours it stands, where it is cut off ----
  const NOWHERE = {
    opacity: 1, layers: [], known: true, filtered: false, clip: null, views: [], scrolls: false, fixed: false,
    deliberate: false,
  };
  const surroundings = new Map();
  const surroundingsOf = (element) => {
    if (!element) return NOWHERE;
    if (!surroundings.has(element)) surroundings.set(element, surround(element, surroundingsOf(parentOf(element))));
    return surroundings.get(element);
  };
  const surround = (element, above) => {
    const style = styleOf(element), colour = colourOf(style.backgroundColor);
    const painted = style.backgroundImage !== "none" && style.backgroundClip !== "text";
    const own = { ...above, opacity: above.opacity * Number(style.opacity) };
    own.fixed = above.fixed || style.position === "fixed";
    own.filtered = above.filtered || style.filter !== "none" || style.mixBlendMode !== "normal";
    if (colour && colour[3] === 1 && !painted) { own.layers = [colour]; own.known = true; }
    else if (colour && colour[3] > 0) own.layers = [...above.layers, colour].slice(-8);
    if (painted || !colour || own.filtered || style.backdropFilter !== "none") own.known = false;
    own.scrolls = above.scrolls || scrollsBy(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
    if (isGround(element)) return own;
    const scrolling = scrollsBy(style.overflowX) || scrollsBy(style.overflowY);
    if (scrolling) {
      own.clip = null;
      own.views = [...above.views, boxOf(element.getBoundingClientRect())].slice(-6);
    } else if (cutsBy(style.overflowX) || cutsBy(style.overflowY)) {
      own.clip = boxOf(element.getBoundingClientRect());
      own.deliberate = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
    }
    return own;
  };

  // ---- texts ----
  const holderOf = (element) => {
    for (let each = element, steps = 0; each && steps < 6; each = parentOf(each), steps++) {
      if (HOLDERS.includes(each.tagName)) return each.tagName.toLowerCase();
      const role = each.getAttribute("role");
      if (role === "button" || role === "link") return role === "link" ? "a" : "button";
    }
    return "";
  };
  const blockOf = (element) => {
    let block = element;
    while (parentOf(block) && styleOf(block).display === "inline") block = parentOf(block);
    return block;
  };
  const letterColour = (element, kind, filtered) => {
    const style = styleOf(element), fill = colourOf(style.webkitTextFillColor);
    if (filtered || (style.backgroundClip === "text" && fill && fill[3] === 0)) return null;
    return colourOf(kind === "placeholder" ? getComputedStyle(element, "::placeholder").color : style.color);
  };
  const texts = [];
  const addText = (element, content, rects, kind = "") => {
    const lines = [...rects].filter((rect) => rect.width >= 1 && rect.height >= 1).slice(0, MOST.lines).map(boxOf);
    if (lines.every(isParked) || texts.length >= MOST.texts) return;
    const style = styleOf(element), around = surroundingsOf(element);
    const told = {
      text: cut(content), length: Math.min(content.length, 5000), holder: kind || holderOf(element),
      size: pixels(style.fontSize), family: firstFamily(style),
      weight: parseInt(style.fontWeight) || 400, colour: letterColour(element, kind, around.filtered),
      opacity: round(around.opacity * 100) / 100, layers: around.layers, known: around.known, lines,
      line_height: round(parseFloat(style.lineHeight) || parseFloat(style.fontSize) * 1.2),
      block: boxOf(blockOf(element).getBoundingClientRect()), clip: around.clip, deliberate: around.deliberate,
      fixed: around.fixed, scrolls: around.scrolls, disabled: !!element.closest(":disabled, [aria-disabled=true]"),
      hidden: !!element.closest("[aria-hidden=true]"), covered: false,
    };
    texts.push({ told, source: element, views: around.views });
  };
  const addTextsOf = (element) => {
    const field = [element.getBoundingClientRect()];
    if (element.tagName === "INPUT" || element.tagName === "TEXTAREA") {
      if (WITHOUT_TEXT.includes(element.type)) return;
      if (element.value) addText(element, element.value, field);
      else if (element.placeholder) addText(element, element.placeholder, field, "placeholder");
    } else if (element.tagName === "SELECT") {
      if (element.selectedOptions[0]) addText(element, element.selectedOptions[0].text, field);
    } else {
      for (const node of (element.shadowRoot || element).childNodes) {
        if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        addText(element, cut(node.data, 5000), range.getClientRects());
      }
    }
  };
  for (const element of elements) if (element instanceof HTMLElement && isShown(element)) addTextsOf(element);

  // ---- a text may lie beneath something: what is found at its middle is looked up with that place in view ----
  const covers = (element) => {
    const style = styleOf(element), colour = colourOf(style.backgroundColor);
    return (colour && colour[3] > 0.5) || style.backgroundImage !== "none"
      || ["IMG", "VIDEO", "CANVAS", "IFRAME"].includes(element.tagName);
  };
  const isCovered = ({ told, source, views }) => {
    const [left, top, width, height] = told.lines[0], across = left + width / 2, down = top + height / 2;
    const outside = ([x, y, wide, high]) => across < x || across > x + wide || down < y || down > y + high;
    if (views.some(outside)) return true;
    const hit = document.elementFromPoint(across - scrollX, down - scrollY);
    if (!hit || styleOf(source).pointerEvents === "none" || contains(source, hit)) return false;
    for (let each = hit; each && !contains(each, source); each = parentOf(each)) if (covers(each)) return true;
    return false;
  };
  texts.sort((one, other) => one.told.lines[0][1] - other.told.lines[0][1]);
  let view = 0;
  for (const text of texts) {
    const { told } = text, middle = told.lines[0][1] + told.lines[0][3] / 2;
    if (!told.fixed && middle > view + innerHeight * 0.75) scrollTo(view = middle - innerHeight / 2);
    told.covered = (!told.fixed || scrollY === 0) && isCovered(text);
  }
  scrollTo(0);

  // ---- everything else that shows ----
  const found = { boxes: [], images: [], controls: [], headings: [], groups: [], strays: [] };
  const isInFlow = (element) => {
    const style = styleOf(element);
    return ["static", "relative"].includes(style.position) && !["inline", "contents"].includes(style.display);
  };
  const repeats = (element) => {
    for (let each = element; each && each !== document.body; each = parentOf(each)) {
      if (["TR", "LI", "ARTICLE", "NAV"].includes(each.tagName)) return true;
      const isLike = (other) => other.tagName === each.tagName && other.className === each.className;
      if (each.parentElement && [...each.parentElement.children].filter(isLike).length >= 3) return true;
    }
    return false;
  };
  const bordersOf = (style) => SIDES.map(
    (side) => style[`border${side}Style`] === "none" ? 0 : pixels(style[`border${side}Width`]));
  const imageOf = (style) => {
    if (style.backgroundImage.includes("gradient(")) return "gradient";
    return style.backgroundImage.includes("url(") ? "url" : "";
  };
  const addBox = (element, box, style) => {
    const background = colourOf(style.backgroundColor), border = bordersOf(style), image = imageOf(style);
    if (!image && style.boxShadow === "none" && !border.some(Boolean) && !(background && background[3] > 0)) return;
    found.boxes.push({
      box, where: nameOf(element), background, image, border, line: colourOf(style.borderTopColor),
      gradient: image === "gradient" ? cut(style.backgroundImage, 200) : "", text_clip: style.backgroundClip === "text",
      flow: isInFlow(element),
      control: ["BUTTON", "INPUT", "SELECT", "TEXTAREA", "A"].includes(element.tagName),
    });
  };
  const addImage = (element, box, style) => found.images.push({
    box, where: nameOf(element), complete: element.complete, asked: !!element.getAttribute("src"),
    natural: [element.naturalWidth, element.naturalHeight], fit: style.objectFit,
  });
  const isInSentence = (element, style) => element.tagName === "A" && style.display === "inline"
    && [...element.parentElement.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  // A finger may hit the label for its control: the box with more room on the page counts.
  const roomOf = (box) => (isParked(box) ? 0 : Math.min(box[2], box[3]));
  const roomier = (one, other) => (roomOf(other) > roomOf(one) ? other : one);
  const addControl = (element, box, style) => {
    const label = element.closest("label")
      || (element.id && document.querySelector(`label[for="${CSS.escape(element.id)}"]`));
    const target = label && isShown(label) ? roomier(box, boxOf(label.getBoundingClientRect())) : box;
    if (isParked(target)) return;
    found.controls.push({
      box, where: nameOf(element), kind: element.tagName === "INPUT" ? element.type : element.tagName.toLowerCase(),
      label: cut(element.innerText || element.value || element.getAttribute("aria-label")),
      inline: isInSentence(element, style), disabled: element.matches(":disabled"), repeats: repeats(element),
      background: colourOf(style.backgroundColor), border: bordersOf(style),
      appearance: style.appearance, line: style.borderTopStyle, radius: pixels(style.borderTopLeftRadius),
      family: firstFamily(style), colour: colourOf(style.color),
      target,
    });
  };
  const addHeading = (element, box, style) => found.headings.push({
    box, level: Number(element.tagName[1]), size: pixels(style.fontSize), weight: parseInt(style.fontWeight) || 400,
    text: cut(element.innerText),
  });
  const addGroup = (element) => {
    const children = [...(element.shadowRoot || element).children].filter((child) => styles.has(child)
      && isInFlow(child) && isShown(child) && child.getBoundingClientRect().height >= 1);
    if (children.length < 2) return;
    found.groups.push(children.slice(0, MOST_CHILDREN).map((child) => boxOf(child.getBoundingClientRect())));
  };
  for (const element of elements) {
    if (element === document.documentElement || !isShown(element)) continue;
    const rect = element.getBoundingClientRect(), style = styleOf(element), around = surroundingsOf(element);
    if (rect.width < 1 || rect.height < 1 || around.opacity < 0.02) continue;
    const box = boxOf(rect), edge = root.clientWidth;
    const sticksOut = rect.right > edge + 2 && rect.left < edge && !around.scrolls && !around.clip;
    if (sticksOut && found.strays.length < MOST_STRAYS) found.strays.push({ box, where: nameOf(element) });
    if (!(element instanceof HTMLElement)) continue;
    if (element.matches(CONTROLS) && found.controls.length < MOST.controls) addControl(element, box, style);
    if (isParked(box)) continue;
    if (found.boxes.length < MOST.boxes) addBox(element, box, style);
    if (element.tagName === "IMG" && found.images.length < MOST.images) addImage(element, box, style);
    if (/^H[1-6]$/.test(element.tagName) && found.headings.length < MOST.headings) addHeading(element, box, style);
    if (found.groups.length < MOST_GROUPS) addGroup(element);
  }

  const viewport = document.querySelector("meta[name=viewport]")?.content || "";
  return JSON.stringify({
    page: {
      width: root.clientWidth, height: round(root.scrollHeight), scroll_width: round(root.scrollWidth),
      viewport_height: innerHeight, viewport_meta: /width\s*=\s*device-width/.test(viewport),
      hides_overflow: [document.documentElement, document.body].some((each) => each && cutsBy(styleOf(each).overflowX)),
    },
    texts: texts.map(({ told }) => told), ...found,
  });
})()
