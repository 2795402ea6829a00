import { decodeUtf8 } from "../../documents/index.ts";
import { HostError, messageOf } from "../../model/index.ts";
import type { Files } from "../../platform/index.ts";

const BOM = "\ufeff";

/** A text and the mark that some editors put in front of it. */
export function splitMark(text: string): { readonly mark: string; readonly rest: string } {
  const mark = text.startsWith(BOM) ? BOM : "";
  return { mark, rest: text.slice(mark.length) };
}

/** A file's text to the letter; `undefined` when there is no file. Refuses what could not be written back the same. */
export async function readUtf8(files: Files, file: string): Promise<string | undefined> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await files.read(file);
  } catch (cause) {
    throw new HostError("CONFIG_UNWRITABLE", `${file} cannot be read: ${messageOf(cause)}`, {
      hint: "Check what is there, and its owner and mode.",
      cause,
    });
  }
  return bytes && decodeUtf8(bytes, file);
}
