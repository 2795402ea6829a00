import { HostError, type Position } from "../model/index.ts";
import { createLocator } from "./position.ts";

/** The decoded text, or why it could not be decoded and where. */
export type DecodedText = { readonly text: string } | { readonly message: string; readonly at: Position };

/**
 * Decodes UTF-8 with or without a byte order mark, and UTF-16 with one. For anything else, returns a message and the
 * position of the first invalid character.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const encoding = encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  // The decoder replaces invalid bytes with U+FFFD, but a valid file can also contain that character.
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
    throw new HostError("CONFIG_INVALID", `${file} is not UTF-8 text, so it was not changed.`, {
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
