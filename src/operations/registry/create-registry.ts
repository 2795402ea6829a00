import type { HostScope } from "../host-scope.ts";
import type { HostRegistry } from "./registry-api.ts";

const load = () => import("./read-registry.lazy.ts");

export function createRegistry({ workspace, whileOpen }: HostScope): HostRegistry {
  return {
    search: (words, options) =>
      whileOpen(async () => (await load()).searchRegistry(workspace, words, options?.signal), options),
    cards: (address, options) =>
      whileOpen(
        async () => (await import("./read-cards.lazy.ts")).readCards(workspace, address, options?.signal),
        options,
      ),
    find: (name, options = {}) =>
      whileOpen(async () => (await load()).findInRegistry(workspace, name, options), options),
  };
}
