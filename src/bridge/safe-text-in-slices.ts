import { safeText } from "../model/index.ts";

/** Called before each piece of work. Returns a promise to wait for if the work has run long enough. */
export type Pace = () => Promise<void> | undefined;

/** How many characters to convert before other work may run. */
const SLICE = 64 * 1024;

/** Like `safeText`, but lets other work run if the text is long. Truncates the result after about `most` characters. */
export function safeTextInSlices(text: string, most: number, pace: Pace): string | Promise<string> {
  return text.length <= SLICE ? safeText(text) : cleanSlices(text, most, pace);
}

async function cleanSlices(text: string, most: number, pace: Pace): Promise<string> {
  const pieces: string[] = [];
  let length = 0;
  let isChanged = false;
  for (let start = 0; start < text.length; ) {
    if (length >= most) {
      pieces.push("…");
      isChanged = true;
      break;
    }
    const end = sliceEnd(text, start);
    const slice = text.slice(start, end);
    const piece = safeText(slice);
    isChanged ||= piece !== slice;
    pieces.push(piece);
    length += piece.length;
    start = end;
    const pause = pace();
    if (pause !== undefined) await pause;
  }
  return isChanged ? pieces.join("") : text; // a copy would take the memory once more
}

/** How far to look for a better place to cut. */
const SEARCH = 64;

/** Cuts before a plain character, if there is one nearby. Never splits a surrogate pair, or a carriage return from its line feed. */
function sliceEnd(text: string, start: number): number {
  const end = start + SLICE;
  for (let at = end; at < end + SEARCH && at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x20 && code < 0x7f) return at;
  }
  const code = text.charCodeAt(end - 1);
  const joins = code === 13 || (code >= 0xd800 && code <= 0xdbff);
  return joins ? end + 1 : end;
}
