/** Changes the address without a new entry in the history, as for filters. */
export function replaceRoute(link: string): void {
  if (location.hash === link) return;
  history.replaceState(null, "", link);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Opens another page. */
export function goTo(link: string): void {
  location.hash = link;
}
