/** The revision that every request names itself. */
export const MODERN_VERSION = "2026-07-28";

/** Revisions with a handshake, newest first. */
export const LEGACY_VERSIONS: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

export type Era = "legacy" | "modern";

/** What a config entry may say under `protocol`: find out, do not ask, or this revision and no other. */
export function isProtocolChoice(text: string): boolean {
  return text === "auto" || text === "legacy" || text === MODERN_VERSION || LEGACY_VERSIONS.includes(text);
}

/** The choices, for a person to read. */
export function describeProtocolChoices(): string {
  const revisions = [MODERN_VERSION, ...LEGACY_VERSIONS.slice(0, -1)];
  return ["auto", "legacy", ...revisions].map((choice) => `"${choice}"`).join(", ");
}
