import { options, type VNode } from "preact";
import { safeText } from "./safe-text.ts";

/** The attributes whose text a person reads. */
const READ = ["title", "aria-label", "aria-description", "alt", "placeholder", "data-label", "label"];

/**
 * Makes every text on the pages safe, so that no page can forget it: text nodes and the attributes that people read. Names and values that are
 * sent back to the gateway stay as they are.
 */
export function renderSafely(): void {
  const next = options.vnode;
  options.vnode = (vnode: VNode): void => {
    const { type, props } = vnode as { type: unknown; props: unknown };
    if (type === null && typeof props === "string")
      (vnode as { props: unknown }).props = safeText(props); // a text node
    else if (typeof type === "string") makeAttributesSafe(props as Record<string, unknown>);
    next?.(vnode);
  };
}

function makeAttributesSafe(props: Record<string, unknown>): void {
  for (const name of READ) {
    const value = props[name];
    if (typeof value === "string") props[name] = safeText(value);
  }
}
