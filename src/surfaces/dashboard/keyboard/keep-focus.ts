/**
 * Keeps the keyboard focus over live updates. If the focused element disappears, such as the button of a row that was approved, the
 * focus moves to the nearest part of the page that still exists. Returns a function that stops this.
 */
export function keepFocus(root: HTMLElement): () => void {
  let path: readonly Element[] = [];
  const onFocus = (event: FocusEvent): void => {
    path = pathOf(event.target as Element, root);
  };
  const observer = new MutationObserver(() => {
    const [focused, ...ancestors] = path;
    if (focused === undefined || focused.isConnected || document.activeElement !== document.body) return;
    path = [];
    const home = ancestors
      .filter((element) => element.isConnected)
      .map(homeIn)
      .find((element) => element !== null);
    (home ?? root).focus();
  });
  root.addEventListener("focusin", onFocus);
  observer.observe(root, { childList: true, subtree: true });
  return () => {
    root.removeEventListener("focusin", onFocus);
    observer.disconnect();
  };
}

function pathOf(element: Element, root: Element): readonly Element[] {
  const path: Element[] = [];
  for (let next: Element | null = element; next !== null && next !== root; next = next.parentElement)
    path.push(next);
  return [...path, root];
}

/** Where the focus goes within this part: the scroll area itself, or the heading of a card or the page. */
function homeIn(element: Element): HTMLElement | null {
  if (element.matches("[data-scroll]"))
    return element.querySelector<HTMLElement>("[data-active]") ?? (element as HTMLElement);
  return element.querySelector<HTMLElement>(
    ":scope > header h1, :scope > .card-head h2, :scope > h2[tabindex]",
  );
}
