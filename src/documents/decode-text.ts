import { HostError, type Position } from "../model/index.ts";
import { createLocator } from "./position.ts";

export type DecodedText = { readonly text: string } | { readonly message: string; readonly at: Position };

/** Bytes to text: UTF-8 with or without a byte order mark, UTF-16 with one; anything else is refused with its place. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const encoding = encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  // The decoder puts U+FFFD where it gave up; a file may also say so itself.
  const bad = text.search(isValid(bytes, encoding) ? /\0/ : /[\0\ufffd]/);
  if (bad === -1) return { text };
  const what =
    text[bad] === "\0" ? "contains a NUL byte" : `is not ${encoding === "utf-8" ? "UTF-8" : "UTF-16"} text`;
  return { message: `${what}; save it as UTF-8`, at: createLocator(text)(bad) };
}

/** Decodes text that will be written back: keeps the byte order mark, and throws if the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new HostError("CONFIG_INVALID", `${file} is not UTF-8 text, so it was left as it is.`, {
      hint: "Save it as UTF-8, then try again.",
      cause,
    });
  }
}

function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function isValid(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
