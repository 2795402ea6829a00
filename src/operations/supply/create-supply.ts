import type { HostScope } from "../host-scope.ts";
import type { HostSupply } from "./supply-api.ts";

const load = () => import("./lock-servers.lazy.ts");

export function createSupply({ workspace, whileOpen }: HostScope): HostSupply {
  return {
    lock: (options = {}) => whileOpen(async () => (await load()).lockServers(workspace, options), options),
    verify: (options = {}) =>
      whileOpen(async () => (await load()).verifyServers(workspace, options), options),
  };
}
