import { checkState } from "../../state/index.ts";
import type { HostScope } from "../host-scope.ts";
import { findServer } from "../lifecycle/find-server.ts";
import { testServer } from "../lifecycle/test-server.ts";
import { previewCall } from "../tools/preview-call.ts";
import { measureTools } from "../tools/search-tools.ts";
import { checkValues } from "./check-values.ts";
import { diagnose } from "./diagnose.ts";
import type { HostDoctor } from "./doctor-api.ts";
import { readServerLogs } from "./read-server-logs.ts";

const loadChecks = () => import("./checks.lazy.ts");
const loadUninstall = () => import("./uninstall.lazy.ts");

export function createDoctor(
  { workspace, whileOpen }: HostScope,
  closeHost: () => Promise<void>,
): HostDoctor {
  const { ports, environment, places, vault } = workspace;
  return {
    diagnose: (server) =>
      diagnose(workspace, server === undefined ? undefined : findServer(workspace, server).name),
    checkValues: (server) => whileOpen(() => checkValues(workspace, server)),
    checkPrograms: (server) => whileOpen(async () => (await loadChecks()).checkPrograms(workspace, server)),
    checkPackages: (server) => whileOpen(async () => (await loadChecks()).checkPackages(workspace, server)),
    repairPackages: (server) => whileOpen(async () => (await loadChecks()).repairPackages(workspace, server)),
    checkTools: (server) => whileOpen(async () => (await loadChecks()).checkTools(workspace, server)),
    checkVault: () => whileOpen(() => checkState(ports, environment, places, vault)),
    logs: (server, { lines } = {}) => readServerLogs(workspace, server, lines),
    test: (server) => whileOpen(() => testServer(workspace, server)),
    preview: (server, tool, args = {}) => whileOpen(() => previewCall(workspace, server, tool, args)),
    budget: ({ connect = true } = {}) => whileOpen(() => measureTools(workspace, { connect })),
    openPage: (url) => whileOpen(async () => URL.canParse(url) && ports.browser.open(new URL(url))),
    planUninstall: (options = {}) =>
      whileOpen(async () => (await loadUninstall()).planUninstall(workspace, options)),
    uninstall: (plan) =>
      whileOpen(async () => {
        await closeHost(); // it must not write again
        return (await loadUninstall()).uninstall(workspace, plan);
      }),
  };
}
