import type { HostScope } from "../host-scope.ts";
import { chooseSandbox, proposeSandbox } from "./choose-sandbox.ts";
import { findUnsandboxed } from "./find-unsandboxed.ts";
import { offeredSandboxes } from "./offered-sandboxes.ts";
import type { HostSandbox } from "./sandbox-api.ts";

export function createSandbox({ workspace, whileOpen }: HostScope): HostSandbox {
  return {
    denials: (server) => [...(workspace.values.denials.get(server)?.values() ?? [])],
    missing: (options) => whileOpen(() => findUnsandboxed(workspace), options),
    offered: (options) => whileOpen(() => offeredSandboxes(workspace), options),
    propose: (server, denials, options) =>
      whileOpen(() => proposeSandbox(workspace, server, denials), options),
    choose: (server, choice, options) => whileOpen(() => chooseSandbox(workspace, server, choice), options),
    test: (server, options) =>
      whileOpen(async () => (await import("./test-sandbox.lazy.ts")).testSandbox(workspace, server), options),
    learn: (server, options = {}) =>
      whileOpen(
        async () => (await import("./learn-sandbox.lazy.ts")).learnSandbox(workspace, server, options),
        options,
      ),
  };
}
