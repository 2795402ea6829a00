import type { HostScope } from "../host-scope.ts";
import { storeSecret } from "./secrets.ts";
import type { HostSecrets } from "./secrets-api.ts";

export function createSecrets({ workspace, whileOpen }: HostScope): HostSecrets {
  const { secrets } = workspace.stores;
  return {
    list: (options) => whileOpen(async () => [...(await secrets.list())], options),
    read: (name, options) => whileOpen(() => secrets.get(name), options),
    store: (name, text, options) => whileOpen(() => storeSecret(secrets, name, text), options),
    remove: (name, options) => whileOpen(() => secrets.remove(name), options),
  };
}
