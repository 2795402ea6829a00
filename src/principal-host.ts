import type { Host, PrincipalHost } from "./host-api.ts";
import {
  connectToServer,
  createApprovals,
  createPins,
  createPrompts,
  createResources,
  createSecrets,
  createSignIns,
  createTasks,
  describeServers,
} from "./operations/index.ts";
import type { Person } from "./principals.ts";
import { readToolsArguments, type ToolsArguments } from "./tools-arguments.ts";
import { withToolTypes } from "./typed-calls.ts";

/** Returns the part of a host that serves one principal. */
export function principalHost(host: Host, person: Person): PrincipalHost {
  const { principal, workspace } = person;
  return {
    principal,
    servers: () => describeServers(workspace, false),
    tools: (...given: ToolsArguments) => {
      const { server, options } = readToolsArguments(given);
      return host.tools(server, { ...options, principal });
    },
    search: (query, options) => host.search(query, { ...options, principal }),
    forgetUsage: (options) => host.forgetUsage({ ...options, principal }),
    call: withToolTypes((server, tool, args, options) =>
      host.call(server, tool, args, { ...options, principal }),
    ),
    session: (options) => host.session({ ...options, principal }),
    connect: (server, options = {}) =>
      person.whileOpen(() => connectToServer(workspace, server, options), options),
    resources: createResources(person),
    prompts: createPrompts(person),
    approvals: createApprovals(person),
    pins: createPins(person),
    signIns: createSignIns(person),
    secrets: createSecrets(person),
    tasks: createTasks(person),
    async close() {
      await Promise.all(
        [...workspace.inventory().servers.keys()].map((server) => person.owned.close(server)),
      );
    },
  };
}
