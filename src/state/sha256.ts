import { createHash } from "node:crypto";

/** The same for two texts that are the same to the letter, and for no others; of a text or of its bytes. */
export function sha256(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}
