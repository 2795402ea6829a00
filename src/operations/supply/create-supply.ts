import type { HostScope } from "../host-scope.ts";
import type { HostSupply } from "./supply-api.ts";

const load = () => import("./lock-servers.lazy.ts");
const loadUpdates = () => import("./find-updates.lazy.ts");
const loadAdvisories = () => import("./update-advisories.lazy.ts");

export function createSupply({ workspace, whileOpen }: HostScope): HostSupply {
  return {
    outdated: (options = {}) =>
      whileOpen(async () => (await loadUpdates()).findUpdates(workspace, options), options),
    compareTools: (request) =>
      whileOpen(async () => (await loadUpdates()).compareVersionTools(workspace, request), request),
    upgrade: (request) =>
      whileOpen(async () => (await loadUpdates()).upgradeServer(workspace, request), request),
    lock: (options = {}) => whileOpen(async () => (await load()).lockServers(workspace, options), options),
    verify: (options = {}) =>
      whileOpen(async () => (await load()).verifyServers(workspace, options), options),
    inventory: (options) =>
      whileOpen(async () => (await import("./take-inventory.lazy.ts")).takeInventory(workspace), options),
    advisories: (options) =>
      whileOpen(async () => (await loadAdvisories()).describeAdvisories(workspace), options),
    updateAdvisories: (options = {}) =>
      whileOpen(async () => (await loadAdvisories()).updateAdvisories(workspace, options), options),
  };
}
