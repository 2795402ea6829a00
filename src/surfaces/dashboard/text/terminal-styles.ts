const ESCAPE = String.fromCodePoint(0x1b);
const STYLE = new RegExp(`${ESCAPE}\\[[\\d;:]*m`, "g");

/** Removes colours and other styles of terminals. Everything else that controls a terminal stays, and is shown as an escape. */
export function withoutStyles(text: string): string {
  return text.replace(STYLE, "");
}
