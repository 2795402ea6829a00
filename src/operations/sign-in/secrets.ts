import { HostError } from "../../model/index.ts";
import type { SecretRecords } from "../../state/index.ts";

const LONGEST_NAME = 200;
const LONGEST_TEXT = 64 * 1024;

/** Stores a secret if its name and text are valid. */
export async function storeSecret(secrets: SecretRecords, name: string, text: string): Promise<void> {
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
  await secrets.set(name, text);
}
