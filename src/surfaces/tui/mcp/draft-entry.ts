import type { JsonObject } from "../../../index.ts";
import { splitLine } from "../split-line.ts";
import type { Draft } from "./wizard-state.ts";

/** The entry that a draft stands for; `secret` is what its key is written as. */
export function draftEntry(draft: Draft, secret: string): JsonObject {
  const { transport, keyName } = draft;
  const hasKey = draft.access === "key";
  if (transport === "stdio") {
    const [command = "", ...args] = splitLine(draft.command).words.map(({ text }) => text);
    return { type: "stdio", command, args, ...(hasKey && { env: { [keyName]: secret } }) };
  }
  // The one header that says of what kind its secret is.
  const value = /^authorization$/i.test(keyName) ? `Bearer ${inside(secret)}` : secret;
  const url = withScheme(draft.url);
  return { type: transport, url, ...(hasKey && { headers: { [keyName]: value } }) };
}

export function withScheme(url: string): string {
  const said = url.trim();
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(said) ? said : `https://${said}`;
}

/** A stored secret that is only a part of a value is written as a placeholder. */
function inside(secret: string): string {
  return secret.startsWith("keychain:") ? `\${${secret}}` : secret;
}
