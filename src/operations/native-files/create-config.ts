import { checkNewName } from "../../inventory/index.ts";
import { explainServer } from "../describe/explain-server.ts";
import type { HostScope } from "../host-scope.ts";
import { watchFiles } from "../lifecycle/watch-files.ts";
import { addServer } from "./add-server.ts";
import type { HostConfig } from "./config-api.ts";
import { importServers } from "./import-servers.ts";
import { moveServer } from "./move-server.ts";
import { removeServer } from "./remove-server.ts";
import { setServerEnabled } from "./set-server-enabled.ts";

export function createConfig({ workspace, whileOpen }: HostScope): HostConfig {
  return {
    settings: () => workspace.inventory().settings,
    bundles: () => workspace.inventory().bundles,
    checkName: checkNewName,
    add: (request) => whileOpen(() => addServer(workspace, request)),
    remove: (server, scope) => whileOpen(() => removeServer(workspace, server, scope)),
    setEnabled: (server, enabled) => whileOpen(() => setServerEnabled(workspace, server, enabled)),
    move: (server, scope) => whileOpen(() => moveServer(workspace, server, scope)),
    importFrom: (request) => whileOpen(() => importServers(workspace, request)),
    planExport: (request) =>
      whileOpen(async () =>
        (await import("../export/export-servers.lazy.ts")).planExport(workspace, request),
      ),
    applyExport: (plan) =>
      whileOpen(async () => (await import("../export/apply-export.lazy.ts")).applyExport(workspace, plan)),
    explain: (server) => explainServer(workspace, server),
    watch: () => watchFiles(workspace),
  };
}
