import type { HostScope } from "../host-scope.ts";
import { storeSecret } from "./secrets.ts";
import type { HostSecrets } from "./secrets-api.ts";

export function createSecrets({ workspace: { secrets }, whileOpen }: HostScope): HostSecrets {
  return {
    list: () => whileOpen(async () => [...(await secrets.list())]),
    read: (name) => whileOpen(() => secrets.get(name)),
    store: (name, text) => whileOpen(() => storeSecret(secrets, name, text)),
    remove: (name) => whileOpen(() => secrets.remove(name)),
  };
}
