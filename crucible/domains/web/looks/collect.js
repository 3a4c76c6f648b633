// Evaluated in the page, in a world of its own: what there is to see, in pixels of the page, as one JSON text.
// The page's scripts cannot alter what is used here; what its markup says is still somebody's work: texts are cut,
// lists are limited, and the reader (facts.py) checks every value.
(async () => {
  const MOST = { elements: 6000, texts: 700, lines: 12, boxes: 500, images: 120, controls: 250, groups: 300, gaps: 60, strays: 20 };
  const frame = () => new Promise((done) => { setTimeout(done, 100); requestAnimationFrame(() => done()); });
  const root = document.scrollingElement || document.documentElement;
  const scrollTo = (top) => root.scrollTo({ top, left: 0, behavior: "instant" });
  const round = (value) => Math.round(Math.max(-1e6, Math.min(1e6, value || 0)) * 10) / 10;
  const cut = (text, most = 80) => String(text || "").replace(/\s+/g, " ").trim().slice(0, most);

  // Content that comes into view by scrolling is brought into view, and animations are brought to their end.
  const bottom = Math.min(root.scrollHeight, 12000);
  for (let top = innerHeight; top < bottom; top += innerHeight) { scrollTo(top); await frame(); }
  scrollTo(0);
  await frame();
  for (const animation of document.getAnimations()) {
    try { animation.finish(); } catch { animation.cancel(); }
  }

  const styles = new Map();
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  const parentOf = (node) => node.assignedSlot || node.parentElement || (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null);
  const boxOf = (rect) => [round(rect.left + scrollX), round(rect.top + scrollY), round(rect.width), round(rect.height)];
  const colourOf = (value) => {
    const numbers = (value.match(/[\d.]+/g) || []).map(Number);
    if (value.startsWith("color(srgb")) return [...numbers.slice(0, 3).map((part) => Math.round(part * 255)), numbers[3] ?? 1];
    return value.startsWith("rgb") ? [...numbers.slice(0, 3).map(Math.round), numbers[3] ?? 1] : null;
  };
  const nameOf = (element) => {
    const classes = typeof element.className === "string" ? element.className.trim().split(/\s+/).filter(Boolean).slice(0, 2) : [];
    return cut(element.tagName.toLowerCase() + (element.id ? "#" + element.id : "") + classes.map((each) => "." + each).join(""), 60);
  };
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });

  const elements = [];
  const walk = (parent) => {
    for (const element of parent.children) {
      if (elements.length >= MOST.elements) return;
      if (["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD"].includes(element.tagName)) continue;
      if (!(element instanceof HTMLElement || element instanceof SVGElement)) continue;
      if (styleOf(element).display === "none") continue;
      elements.push(element);
      if (element instanceof SVGElement) continue;  // a drawing is a picture, not a layout
      walk(element.shadowRoot || element);
    }
  };
  walk(document.documentElement);

  // What its ancestors make of an element: how opaque it is, on which colour it stands, and where it is cut off.
  const surroundings = new Map();
  const surroundingsOf = (element) => {
    if (surroundings.has(element)) return surroundings.get(element);
    const above = parentOf(element) ? surroundingsOf(parentOf(element)) : { opacity: 1, layers: [], known: true, filtered: false, clip: null, views: [], scrolls: false, fixed: false, deliberate: false };
    const style = styleOf(element);
    const colour = colourOf(style.backgroundColor);
    const painted = style.backgroundImage !== "none" && style.backgroundClip !== "text";
    const own = { ...above, opacity: above.opacity * Number(style.opacity), fixed: above.fixed || style.position === "fixed" };
    if (colour && colour[3] === 1 && !painted) { own.layers = [colour]; own.known = true; }
    else if (colour && colour[3] > 0) own.layers = [...above.layers, colour].slice(-8);
    own.filtered = above.filtered || style.filter !== "none" || style.mixBlendMode !== "normal";
    if (painted || !colour || own.filtered || style.backdropFilter !== "none") own.known = false;
    const clips = ["hidden", "clip"].includes(style.overflowX) || ["hidden", "clip"].includes(style.overflowY);
    own.scrolls = above.scrolls || ["auto", "scroll"].includes(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
    if (clips && element !== document.body && element !== document.documentElement) {
      own.clip = boxOf(element.getBoundingClientRect());
      own.deliberate = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
    }
    if (["auto", "scroll"].includes(style.overflowY) || ["auto", "scroll"].includes(style.overflowX)) own.clip = null;
    if (["auto", "scroll"].includes(style.overflowX) && element !== document.body && element !== document.documentElement)
      own.views = [...above.views, boxOf(element.getBoundingClientRect())].slice(-6);
    surroundings.set(element, own);
    return own;
  };

  const HOLDERS = ["BUTTON", "A", "LABEL", "TH", "TD", "LI", "H1", "H2", "H3", "H4", "H5", "H6", "P", "OPTION", "SELECT", "INPUT", "TEXTAREA", "LEGEND", "CODE", "PRE"];
  const holderOf = (element) => {
    for (let each = element, steps = 0; each && steps < 6; each = parentOf(each), steps++) {
      if (HOLDERS.includes(each.tagName)) return each.tagName.toLowerCase();
      if (["button", "link"].includes(each.getAttribute("role"))) return each.getAttribute("role") === "link" ? "a" : "button";
    }
    return "";
  };
  const blockOf = (element) => {
    let block = element;
    while (parentOf(block) && styleOf(block).display.startsWith("inline") && !styleOf(block).display.includes("-")) block = parentOf(block);
    return block;
  };

  const texts = [];
  const addText = (element, content, rects, kind) => {
    const lines = [...rects].filter((rect) => rect.width >= 1 && rect.height >= 1).slice(0, MOST.lines).map(boxOf);
    if (!lines.length || texts.length >= MOST.texts) return;
    const style = styleOf(element), around = surroundingsOf(element), block = blockOf(element);
    const fill = colourOf(style.webkitTextFillColor);
    texts.push({
      text: cut(content), length: Math.min(content.length, 5000), holder: kind || holderOf(element), where: nameOf(element),
      size: round(parseFloat(style.fontSize)), family: cut(style.fontFamily.split(",")[0].replace(/["']/g, "")).toLowerCase(), weight: parseInt(style.fontWeight) || 400,
      colour: around.filtered || style.backgroundClip === "text" && fill && fill[3] === 0 ? null : colourOf(kind === "placeholder" ? getComputedStyle(element, "::placeholder").color : style.color),
      opacity: round(around.opacity * 100) / 100, layers: around.layers, known: around.known, lines,
      line_height: round(parseFloat(style.lineHeight) || parseFloat(style.fontSize) * 1.2), align: style.textAlign,
      block: boxOf(block.getBoundingClientRect()), clip: around.clip, deliberate: around.deliberate, fixed: around.fixed, scrolls: around.scrolls,
      disabled: !!element.closest(":disabled, [aria-disabled=true]"), hidden: !!element.closest("[aria-hidden=true]"), covered: false, source: element, views: around.views,
    });
  };
  for (const element of elements) {
    if (element instanceof SVGElement || !isShown(element)) continue;
    if (["INPUT", "TEXTAREA"].includes(element.tagName)) {
      if (["checkbox", "radio", "range", "color", "file", "hidden", "image"].includes(element.type)) continue;
      const content = element.value || element.placeholder;
      if (content) addText(element, content, [element.getBoundingClientRect()], element.value ? "" : "placeholder");
      continue;
    }
    if (element.tagName === "SELECT") {
      if (element.selectedOptions[0]) addText(element, element.selectedOptions[0].text, [element.getBoundingClientRect()]);
      continue;
    }
    for (const node of (element.shadowRoot || element).childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      addText(element, cut(node.data, 5000), range.getClientRects());
    }
  }

  // A text may lie beneath something else: what is found at its middle is looked up with that place in view.
  const isCovered = (text) => {
    const [left, top, width, height] = text.lines[0];
    const across = left + width / 2, down = top + height / 2;
    if (text.views.some((view) => across < view[0] || across > view[0] + view[2] || down < view[1] || down > view[1] + view[3])) return true;
    const hit = document.elementFromPoint(across - scrollX, down - scrollY);
    if (!hit || styleOf(text.source).pointerEvents === "none") return false;
    const within = (outer, inner) => { for (let each = inner; each; each = parentOf(each)) if (each === outer) return true; return false; };
    for (let each = hit; each && !within(each, text.source); each = parentOf(each)) {
      const colour = colourOf(styleOf(each).backgroundColor);
      if ((colour && colour[3] > 0.5) || styleOf(each).backgroundImage !== "none" || ["IMG", "VIDEO", "CANVAS", "IFRAME"].includes(each.tagName)) return true;
    }
    return false;
  };
  texts.sort((one, other) => one.lines[0][1] - other.lines[0][1]);
  let view = 0;
  for (const text of texts) {
    const middle = text.lines[0][1] + text.lines[0][3] / 2;
    if (!text.fixed && middle > view + innerHeight * 0.75) { view = middle - innerHeight / 2; scrollTo(view); }
    text.covered = (!text.fixed || scrollY === 0) && isCovered(text);
  }
  scrollTo(0);

  const boxes = [], images = [], controls = [], headings = [], groups = [], strays = [];
  const inFlow = (element) => ["static", "relative"].includes(styleOf(element).position) && !["inline", "contents"].includes(styleOf(element).display);
  const repeats = (element) => {
    for (let each = element; each && each !== document.body; each = parentOf(each)) {
      const like = each.parentElement ? [...each.parentElement.children].filter((other) => other.tagName === each.tagName && other.className === each.className).length : 1;
      if (["TR", "LI", "ARTICLE", "NAV"].includes(each.tagName) || like >= 3) return true;
    }
    return false;
  };
  for (const element of elements) {
    if (element === document.documentElement || !isShown(element)) continue;
    const rect = element.getBoundingClientRect(), style = styleOf(element), around = surroundingsOf(element);
    if (rect.width < 1 || rect.height < 1 || around.opacity < 0.02) continue;
    const box = boxOf(rect), colour = colourOf(style.backgroundColor);
    const border = ["Top", "Right", "Bottom", "Left"].map((side) => style["border" + side + "Style"] === "none" ? 0 : parseFloat(style["border" + side + "Width"]));
    const image = style.backgroundImage.includes("gradient(") ? "gradient" : style.backgroundImage.includes("url(") ? "url" : "";
    const svg = element instanceof SVGElement;
    if (!svg && (image || (colour && colour[3] > 0) || border.some(Boolean) || style.boxShadow !== "none") && boxes.length < MOST.boxes)
      boxes.push({
        box, where: nameOf(element), background: colour, image, gradient: image === "gradient" ? cut(style.backgroundImage, 200) : "",
        border: border.map(round), line: colourOf(style.borderTopColor), text_clip: style.backgroundClip === "text", fixed: around.fixed,
        shadow: style.boxShadow !== "none", radius: round(parseFloat(style.borderTopLeftRadius)), flow: inFlow(element), control: ["BUTTON", "INPUT", "SELECT", "TEXTAREA", "A"].includes(element.tagName),
      });
    if (element.tagName === "IMG" && images.length < MOST.images)
      images.push({ box, where: nameOf(element), complete: element.complete, asked: !!element.getAttribute("src"), natural: [element.naturalWidth, element.naturalHeight], fit: style.objectFit, alt: cut(element.alt) });
    if (element.matches("button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=link], [role=tab], [role=checkbox], [role=switch]") && controls.length < MOST.controls) {
      const inline = element.tagName === "A" && style.display === "inline" && [...element.parentElement.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
      const label = element.closest("label") || (element.id && document.querySelector(`label[for="${CSS.escape(element.id)}"]`));
      controls.push({
        box, where: nameOf(element), kind: element.tagName === "INPUT" ? element.type : element.tagName.toLowerCase(), label: cut(element.innerText || element.value || element.getAttribute("aria-label") || ""),
        inline, disabled: element.matches(":disabled"), repeats: repeats(element), background: colour, image, border: border.map(round), appearance: style.appearance,
        line: style.borderTopStyle, radius: round(parseFloat(style.borderTopLeftRadius)), family: cut(style.fontFamily.split(",")[0].replace(/["']/g, "")).toLowerCase(), colour: colourOf(style.color),
        target: label && isShown(label) ? boxOf(label.getBoundingClientRect()) : box, underlined: style.textDecorationLine.includes("underline"),
      });
    }
    if (/^H[1-6]$/.test(element.tagName)) headings.push({ box, level: Number(element.tagName[1]), size: round(parseFloat(style.fontSize)), weight: parseInt(style.fontWeight) || 400, text: cut(element.innerText) });
    if (rect.right > root.clientWidth + 2 && !around.scrolls && !around.clip && rect.left < root.clientWidth && strays.length < MOST.strays) strays.push({ box, where: nameOf(element) });
    if (svg || groups.length >= MOST.groups) continue;
    const children = [...(element.shadowRoot || element).children].filter((child) => elements.length && styles.has(child) && inFlow(child) && isShown(child) && child.getBoundingClientRect().height >= 1);
    if (children.length >= 2) groups.push({ where: nameOf(element), children: children.slice(0, MOST.gaps).map((child) => ({ box: boxOf(child.getBoundingClientRect()), kind: cut(child.tagName.toLowerCase() + "." + (typeof child.className === "string" ? child.className.split(/\s+/)[0] : ""), 40) })) });
  }

  const page = styleOf(document.body || document.documentElement);
  return JSON.stringify({
    page: {
      width: root.clientWidth, height: round(root.scrollHeight), scroll_width: round(root.scrollWidth), viewport_height: innerHeight,
      viewport_meta: /width\s*=\s*device-width/.test(document.querySelector("meta[name=viewport]")?.content || ""),
      family: cut(page.fontFamily.split(",")[0].replace(/["']/g, "")).toLowerCase(), margin: round(parseFloat(page.marginLeft)),
      hides_overflow: [document.documentElement, document.body].some((each) => each && ["hidden", "clip"].includes(styleOf(each).overflowX)),
    },
    texts: texts.map(({ source, views, ...told }) => told), boxes, images, controls, headings: headings.slice(0, 200), groups, strays,
  });
})()
