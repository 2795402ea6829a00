import { decodeUtf8 } from "../../documents/index.ts";
import { HostError, messageOf } from "../../model/index.ts";
import type { Files } from "../../platform/index.ts";

const BOM = "\ufeff";

/** Splits off the byte order mark that some editors write. */
export function splitMark(text: string): { readonly mark: string; readonly rest: string } {
  const mark = text.startsWith(BOM) ? BOM : "";
  return { mark, rest: text.slice(mark.length) };
}

/** Returns a file's exact text; `undefined` if it does not exist. Rejects if the file is not valid UTF-8. */
export async function readUtf8(files: Files, file: string): Promise<string | undefined> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await files.read(file);
  } catch (cause) {
    throw new HostError("CONFIG_UNWRITABLE", `${file} cannot be read: ${messageOf(cause)}`, {
      hint: "Check that it is a file, and check its owner and mode.",
      cause,
    });
  }
  return bytes && decodeUtf8(bytes, file);
}
