import { HostError } from "../../model/index.ts";
import type { Vault } from "../../state/index.ts";

const NAMESPACE = "secret";
const LONGEST_NAME = 200;
const LONGEST_TEXT = 64 * 1024;

export async function listSecrets(vault: Vault): Promise<string[]> {
  return (await vault.list(NAMESPACE)).map(({ key }) => key);
}

export async function readSecret(vault: Vault, name: string): Promise<string | undefined> {
  const text = await vault.read(NAMESPACE, name);
  return typeof text === "string" ? text : undefined;
}

export async function storeSecret(vault: Vault, name: string, text: string): Promise<void> {
  // Names appear in `${keychain:name}` and in lists with one name per line.
  if (name.length > LONGEST_NAME || !/^[A-Za-z0-9_][\w.@/+-]*$/.test(name)) {
    throw new HostError("USAGE_INVALID", "Invalid secret name.", {
      hint: "Use letters, digits and . _ - @ / + (at most 200 characters).",
    });
  }
  if (text === "" || text.length > LONGEST_TEXT) {
    throw new HostError(
      "USAGE_INVALID",
      text === "" ? "The secret is empty." : "The secret is longer than 64 KB.",
    );
  }
  await vault.update(NAMESPACE, name, () => text);
}

export function removeSecret(vault: Vault, name: string): Promise<boolean> {
  return vault.remove(NAMESPACE, name);
}
