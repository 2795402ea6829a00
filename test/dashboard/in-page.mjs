/** Functions that run inside of the page. Each is sent to the browser as text, so none uses another. */

/** Whether everything is loaded, and charts are drawn. */
export function isSettled() {
  const main = document.querySelector("main");
  return (
    main !== null &&
    document.querySelector("h1") !== null &&
    main.querySelector(".loading") === null &&
    document.querySelector(".link-state.connecting") === null
  );
}

/**
 * Finds elements that are wider than what contains them. Allowed are scroll areas, which are marked, texts that are cut with an ellipsis, and
 * what only screen readers get.
 */
export function findTooWide() {
  const found = [];
  const name = (element) =>
    `${element.tagName.toLowerCase()}${element.id === "" ? "" : `#${element.id}`}${[...element.classList].map((part) => `.${part}`).join("")}`;
  const cuts = (element) => {
    const { textOverflow, webkitLineClamp } = getComputedStyle(element);
    return textOverflow === "ellipsis" || webkitLineClamp !== "none";
  };
  const isAllowed = (element) => {
    for (let next = element; next !== null; next = next.parentElement)
      if (
        next.matches("[data-scroll], svg, option") ||
        getComputedStyle(next).clipPath !== "none" ||
        (next !== element && cuts(next))
      )
        return true;
    return false;
  };
  if (document.documentElement.scrollWidth > innerWidth)
    found.push(`the page: ${document.documentElement.scrollWidth} in ${innerWidth}`);
  for (const element of document.body.querySelectorAll("*")) {
    const parent = element.parentElement;
    const { width, right, left } = element.getBoundingClientRect();
    if (parent === null || width === 0 || isAllowed(element)) continue;
    const box = parent.getBoundingClientRect();
    const isOut =
      getComputedStyle(element).position === "static" && (right > box.right + 1 || left < box.left - 10);
    if (width > box.width + 1 || isOut || right > innerWidth + 1)
      found.push(`${name(element)} in ${name(parent)}: ${Math.round(width)} in ${Math.round(box.width)}`);
  }
  return found;
}

/** Returns whether the focused element can be seen and shows that it has the focus, and a name for it. */
export function describeFocus() {
  const element = document.activeElement;
  if (element === null || element === document.body) return { name: "", isVisible: true, isMarked: true };
  const { width, height, top, bottom } = element.getBoundingClientRect();
  const marks = [element, element.nextElementSibling, element.closest(".tile")].filter(
    (part) => part !== null,
  );
  const isMarked =
    element.matches("main, h1, h2") ||
    marks.some((part) =>
      [undefined, "::after"].some((pseudo) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(part, pseudo);
        return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
      }),
    ) ||
    [...element.querySelectorAll("*"), element].some((part) => {
      const { outlineStyle } = getComputedStyle(part, "::after");
      return outlineStyle === "solid";
    });
  return {
    name: `${element.tagName.toLowerCase()} ${element.getAttribute("aria-label") ?? element.textContent ?? ""}`
      .trim()
      .slice(0, 120),
    isVisible: width > 0 && height > 0 && bottom > 0 && top < innerHeight,
    isMarked,
  };
}

/** Marks everything that a keyboard must reach, and returns how many there are. */
export function markReachable() {
  const elements = [
    ...document.querySelectorAll(
      'a[href], button, input, select, textarea, summary, [tabindex="0"], audio[controls], video[controls]',
    ),
  ].filter((element) => {
    const isShown = element.checkVisibility({ visibilityProperty: true });
    const isOther =
      element.matches('input[type="radio"]:not(:checked)') || element.getAttribute("tabindex") === "-1";
    return isShown && !isOther;
  });
  elements.forEach((element, index) => element.setAttribute("data-reach", String(index)));
  return elements.length;
}

/** Returns the mark of the focused element. */
export function focusMark() {
  return document.activeElement?.getAttribute("data-reach") ?? null;
}

/** Describes the elements with these marks. */
export function describeMarks(marks) {
  return marks.map(
    (mark) => document.querySelector(`[data-reach="${mark}"]`)?.outerHTML.slice(0, 160) ?? mark,
  );
}
