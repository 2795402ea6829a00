import { createHash } from "node:crypto";

/** Returns the SHA-256 hash of a text or its UTF-8 bytes, as hex. */
export function sha256(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}
