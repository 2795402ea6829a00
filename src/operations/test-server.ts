import { CATALOG_KINDS, problemsOf } from "../catalog/index.ts";
import type { Problem, ServerFacts } from "../model/index.ts";
import { useServer } from "./use-server.ts";
import { catalogSubject, type Workspace } from "./workspace.ts";

/** What a fresh connection to a server showed. */
export interface ServerTest {
  readonly server: string;
  readonly facts: ServerFacts;
  readonly tools: readonly string[];
  readonly resources: number;
  readonly resourceTemplates: number;
  readonly prompts: number;
  /** How long each step took; the lists are asked for at the same time. */
  readonly steps: readonly { readonly step: string; readonly ms: number }[];
  readonly problems: readonly Problem[];
}

/** Connects afresh and reads the lists. Rejects with the reason when it does not work. */
export async function testServer(workspace: Workspace, name: string): Promise<ServerTest> {
  const server = await useServer(workspace, name);
  const { clock } = workspace.ports;
  await workspace.supervisor.close(name);
  const started = clock.now();
  const connection = await workspace.supervisor.connect(name);
  const connected = clock.now();
  const { catalog } = await workspace.catalogs.refresh(catalogSubject(server));
  const listed = CATALOG_KINDS.filter((kind) => connection.facts.capabilities.includes(kind));
  return {
    server: name,
    facts: connection.facts,
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
    problems: problemsOf(catalog),
  };
}
