import type { HostScope } from "../host-scope.ts";
import { listSecrets, readSecret, removeSecret, storeSecret } from "./secrets.ts";
import type { HostSecrets } from "./secrets-api.ts";

export function createSecrets({ workspace: { vault }, whileOpen }: HostScope): HostSecrets {
  return {
    list: () => whileOpen(() => listSecrets(vault)),
    read: (name) => whileOpen(() => readSecret(vault, name)),
    store: (name, text) => whileOpen(() => storeSecret(vault, name, text)),
    remove: (name) => whileOpen(() => removeSecret(vault, name)),
  };
}
