import { CATALOG_KINDS, problemsOf } from "../../catalog/index.ts";
import {
  HostError,
  isHostError,
  type Problem,
  type ServerFacts,
  type WaitOptions,
} from "../../model/index.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";
import { onServer, type ServerAccess } from "./on-server.ts";
import { describeStart, type StartedProgram } from "./prepare-launch.ts";

/** The result of a new connection to a server. */
export interface ServerTest {
  /** The server's name. */
  readonly server: string;
  /** What the server reported about itself. */
  readonly facts: ServerFacts;
  /** The command line of a local server, with secrets masked. It can differ from the entry: see the setting `npxFromCache`. */
  readonly started?: StartedProgram;
  /** The names of the server's tools. */
  readonly tools: readonly string[];
  /** The number of resources. */
  readonly resources: number;
  /** The number of resource templates. */
  readonly resourceTemplates: number;
  /** The number of prompts. */
  readonly prompts: number;
  /** How long each step took, in milliseconds. Lists are read in parallel. */
  readonly steps: readonly { readonly step: string; readonly ms: number }[];
  /** Missing values and problems with the lists. */
  readonly problems: readonly Problem[];
}

/** Opens a new connection and reads the lists. Rejects if either fails. */
export function testServer(
  workspace: Workspace,
  name: string,
  { signal }: WaitOptions = {},
): Promise<ServerTest> {
  return onServer(workspace, { server: name, signal }, (access) => test(workspace, name, access));
}

async function test(workspace: Workspace, name: string, { use, connect }: ServerAccess): Promise<ServerTest> {
  const server = await use();
  const { clock } = workspace.ports;
  await workspace.supervisor.close(name);
  const started = clock.now();
  const connection = await connect();
  const connected = clock.now();
  const { catalog } = await workspace.catalogs.refresh(catalogSubject(server)).catch((error: unknown) => {
    throw failedToConnect(name, error);
  });
  const listed = CATALOG_KINDS.filter((kind) => connection.facts.capabilities.includes(kind));
  const { launch } = server;
  return {
    server: name,
    facts: connection.facts,
    ...(launch?.transport === "stdio" && { started: await describeStart(workspace, server, launch) }),
    tools: catalog.tools.map((tool) => tool.name),
    resources: catalog.resources.length,
    resourceTemplates: catalog.resourceTemplates.length,
    prompts: catalog.prompts.length,
    steps: [
      { step: "connect", ms: connected - started },
      ...listed.map((kind) => ({
        step: `list ${kind}`,
        ms: Math.max(0, catalog.readings[kind].readAt - connected),
      })),
    ],
    problems: [...(workspace.values.unresolved.get(name) ?? []), ...problemsOf(catalog)],
  };
}

/** Reports a failure to read the lists as a connection failure, because the server cannot be used. */
function failedToConnect(server: string, error: unknown): unknown {
  if (!isHostError(error)) return error;
  const { code, message, hint } = error;
  const start = `Failed to connect to "${server}": `;
  if (message.startsWith(start)) return error;
  return new HostError(code, `${start}${message}`, { server, hint, cause: error });
}
