import { checkState } from "../../state/index.ts";
import type { HostScope } from "../host-scope.ts";
import { findServer } from "../lifecycle/find-server.ts";
import { unlessCancelled } from "../lifecycle/on-server.ts";
import { testServer } from "../lifecycle/test-server.ts";
import { previewCall } from "../tools/preview-call.ts";
import { measureTools } from "../tools/search-tools.ts";
import { checkValues } from "./check-values.ts";
import { diagnose } from "./diagnose.ts";
import type { HostDoctor } from "./doctor-api.ts";
import { readServerLogs } from "./read-server-logs.ts";

const loadChecks = () => import("./checks.lazy.ts");
const loadToolInspection = () => import("../tools/inspect-tool.lazy.ts");
const loadUninstall = () => import("./uninstall.lazy.ts");

export function createDoctor(
  { workspace, whileOpen }: HostScope,
  closeHost: () => Promise<void>,
): HostDoctor {
  const { ports, environment, places, stores } = workspace;
  return {
    diagnose: (server) =>
      diagnose(workspace, server === undefined ? undefined : findServer(workspace, server).name),
    checkValues: (server, options) => whileOpen(() => checkValues(workspace, server), options),
    checkPrograms: (server, options) =>
      whileOpen(async () => (await loadChecks()).checkPrograms(workspace, server), options),
    checkPackages: (server, options) =>
      whileOpen(async () => (await loadChecks()).checkPackages(workspace, server), options),
    repairPackages: (server, options) =>
      whileOpen(async () => (await loadChecks()).repairPackages(workspace, server), options),
    checkTools: (server, options) =>
      whileOpen(async () => (await loadChecks()).checkTools(workspace, server), options),
    checkVault: (options) => whileOpen(() => checkState(ports, environment, places, stores.vault), options),
    logs: (server, { lines, signal } = {}) =>
      unlessCancelled(signal, () => readServerLogs(workspace, server, lines)),
    audit: (filter, options) => whileOpen(() => stores.audit.read(filter), options),
    test: (server, options) => whileOpen(() => testServer(workspace, server, options), options),
    preview: (server, tool, args = {}, options = {}) =>
      whileOpen(() => previewCall(workspace, server, tool, args), options),
    inspectTool: (server, tool, options) =>
      whileOpen(
        async () => (await loadToolInspection()).inspectTool(workspace, server, tool, options),
        options,
      ),
    budget: ({ connect = true, signal } = {}) =>
      whileOpen(() => measureTools(workspace, { connect }), { signal }),
    openPage: (url, options) =>
      whileOpen(async () => URL.canParse(url) && ports.browser.open(new URL(url)), options),
    request: (url, request = {}) =>
      whileOpen(
        async () => (await import("./send-request.lazy.ts")).sendRequest(ports.http, url, request),
        request,
      ),
    planUninstall: (options = {}) =>
      whileOpen(async () => (await loadUninstall()).planUninstall(workspace, options), options),
    uninstall: (plan, options) =>
      whileOpen(async () => {
        await closeHost(); // it must not write again
        return (await loadUninstall()).uninstall(workspace, plan);
      }, options),
  };
}
