/** The protocol revision without a handshake: every request states its revision. */
export const MODERN_VERSION = "2026-07-28";

/** Protocol revisions with a handshake, newest first. */
export const LEGACY_VERSIONS: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

/** A generation of the protocol: with a handshake (`legacy`) or without (`modern`). */
export type Era = "legacy" | "modern";

/**
 * Returns whether a config entry's `protocol` is valid: `auto` (detect the era), `legacy` (skip detection), or one
 * required revision.
 */
export function isProtocolChoice(text: string): boolean {
  return text === "auto" || text === "legacy" || text === MODERN_VERSION || LEGACY_VERSIONS.includes(text);
}

/** Returns the valid values of `protocol` as a readable list. */
export function describeProtocolChoices(): string {
  const revisions = [MODERN_VERSION, ...LEGACY_VERSIONS.slice(0, -1)];
  return ["auto", "legacy", ...revisions].map((choice) => `"${choice}"`).join(", ");
}
