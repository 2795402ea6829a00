import { checkNewName } from "../../inventory/index.ts";
import { explainServer } from "../describe/explain-server.ts";
import type { HostScope } from "../host-scope.ts";
import { unlessCancelled } from "../lifecycle/on-server.ts";
import { watchFiles } from "../lifecycle/watch-files.ts";
import { addServer } from "./add-server.ts";
import type { HostConfig } from "./config-api.ts";
import { importServers } from "./import-servers.ts";
import { moveServer } from "./move-server.ts";
import { rememberModel } from "./remember-model.ts";
import { removeServer } from "./remove-server.ts";
import { setServerEnabled } from "./set-server-enabled.ts";

export function createConfig({ workspace, whileOpen }: HostScope): HostConfig {
  return {
    settings: () => workspace.inventory().settings,
    bundles: () => workspace.inventory().bundles,
    profiles: () => workspace.inventory().profiles,
    useProfile: (request, options) =>
      whileOpen(async () => (await import("./use-profile.lazy.ts")).useProfile(workspace, request), options),
    rememberModel: (model, options) => whileOpen(() => rememberModel(workspace, model), options),
    checkName: checkNewName,
    add: (request, options) => whileOpen(() => addServer(workspace, request), options),
    edit: (request, options) =>
      whileOpen(async () => (await import("./edit-server.lazy.ts")).editServer(workspace, request), options),
    readMcpb: (file, options) =>
      whileOpen(async () => (await import("../mcpb/mcpb.lazy.ts")).readMcpb(workspace, file), options),
    unpackMcpb: (file, sha256, options) =>
      whileOpen(
        async () => (await import("../mcpb/mcpb.lazy.ts")).unpackMcpb(workspace, file, sha256),
        options,
      ),
    remove: (server, scope, options) => whileOpen(() => removeServer(workspace, server, scope), options),
    setEnabled: (server, enabled, options) =>
      whileOpen(() => setServerEnabled(workspace, server, enabled), options),
    move: (server, scope, options) => whileOpen(() => moveServer(workspace, server, scope), options),
    importFrom: (request, options) => whileOpen(() => importServers(workspace, request), options),
    planExport: (request, options) =>
      whileOpen(
        async () => (await import("../export/export-servers.lazy.ts")).planExport(workspace, request),
        options,
      ),
    applyExport: (plan, options) =>
      whileOpen(
        async () => (await import("../export/apply-export.lazy.ts")).applyExport(workspace, plan),
        options,
      ),
    explain: (server, { signal } = {}) => unlessCancelled(signal, () => explainServer(workspace, server)),
    watch: () => watchFiles(workspace),
  };
}
