import { createHash } from "node:crypto";

/** The same for two texts that are the same to the letter, and for no others. */
export function textSum(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
