import type { JsonObject } from "../../../index.ts";
import { splitLine } from "../split-line.ts";
import type { Draft } from "./wizard-state.ts";

/** Builds the config entry of a draft. `secret` is the reference or value to write for the key. */
export function draftEntry(draft: Draft, secret: string): JsonObject {
  const { transport, keyName } = draft;
  const hasKey = draft.access === "key";
  if (transport === "stdio") {
    const [command = "", ...args] = splitLine(draft.command).words.map(({ text }) => text);
    return { type: "stdio", command, args, ...(hasKey && { env: { [keyName]: secret } }) };
  }
  // Only the Authorization header has a scheme before the secret.
  const value = /^authorization$/i.test(keyName) ? `Bearer ${inside(secret)}` : secret;
  const url = withScheme(draft.url);
  return { type: transport, url, ...(hasKey && { headers: { [keyName]: value } }) };
}

export function withScheme(url: string): string {
  const trimmed = url.trim();
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
}

/** Returns a reference for use inside a longer value. A stored secret becomes a placeholder. */
function inside(secret: string): string {
  return secret.startsWith("keychain:") ? `\${${secret}}` : secret;
}
