import type { Position } from "../model/index.ts";
import { createLocator } from "./position.ts";

export type DecodedText = { readonly text: string } | { readonly message: string; readonly at: Position };

/** Bytes to text: UTF-8 with or without a byte order mark, UTF-16 with one; anything else is refused with its place. */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: new TextDecoder("utf-16le").decode(bytes) };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: new TextDecoder("utf-16be").decode(bytes) };
  const text = new TextDecoder("utf-8").decode(bytes);
  const bad = text.search(/[\0\ufffd]/);
  if (bad === -1 || (text[bad] === "\ufffd" && isValidUtf8(bytes))) return { text };
  const what = text[bad] === "\0" ? "contains a NUL byte" : "is not UTF-8 text";
  return { message: `${what}; save it as UTF-8`, at: createLocator(text)(bad) };
}

function isValidUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
