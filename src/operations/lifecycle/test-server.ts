import { CATALOG_KINDS, problemsOf } from "../../catalog/index.ts";
import { HostError, isHostError, type Problem, type ServerFacts } from "../../model/index.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";
import { onServer, type ServerAccess } from "./on-server.ts";
import { describeStart, type StartedProgram } from "./prepare-launch.ts";

/** What a fresh connection to a server showed. */
export interface ServerTest {
  readonly server: string;
  readonly facts: ServerFacts;
  /** What was really started for a local server; secrets are masked. Not always what is declared: see `npxFromCache`. */
  readonly started?: StartedProgram;
  readonly tools: readonly string[];
  readonly resources: number;
  readonly resourceTemplates: number;
  readonly prompts: number;
  /** How long each step took; the lists are asked for at the same time. */
  readonly steps: readonly { readonly step: string; readonly ms: number }[];
  readonly problems: readonly Problem[];
}

/** Connects afresh and reads the lists. Rejects with the reason when it does not work. */
export function testServer(workspace: Workspace, name: string): Promise<ServerTest> {
  return onServer(workspace, { server: name }, (access) => test(workspace, name, access));
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
    problems: [...(workspace.unresolvedValues.get(name) ?? []), ...problemsOf(catalog)],
  };
}

/** A server whose tools cannot be read does not work, whatever else it does. */
function failedToConnect(server: string, error: unknown): unknown {
  if (!isHostError(error)) return error;
  const { code, message, hint } = error;
  const start = `Failed to connect to "${server}": `;
  if (message.startsWith(start)) return error;
  return new HostError(code, `${start}${message}`, { server, hint, cause: error });
}
