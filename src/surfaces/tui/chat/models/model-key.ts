import type { Settings } from "../../../../index.ts";
import type { ModelProvider } from "./model-providers.ts";

/** Where the settings say a provider's key is stored. */
export interface NamedKey {
  readonly kind: "env" | "keychain";
  readonly name: string;
  /** The message if the key does not exist. */
  readonly missing: string;
  /** The command that sets the key. */
  readonly remedy: string;
}

export function namedKey(
  { id }: Pick<ModelProvider, "id">,
  { modelProviders }: Pick<Settings, "modelProviders">,
): NamedKey | undefined {
  const [kind, name = ""] = (modelProviders[id]?.apiKey ?? "").split(/:(.*)/s);
  if (kind === "env") return { kind, name, missing: `${name} is not set`, remedy: `export ${name}=…` };
  if (kind !== "keychain") return undefined;
  return {
    kind,
    name,
    missing: `Secret "${name}" not found`,
    remedy: `plugboard secret set ${name}`,
  };
}
