import type { Catalog } from "../../catalog/index.ts";
import type {
  CatalogKind,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  Server,
} from "../../model/index.ts";
import { useServer } from "../use-server.ts";
import { catalogSubject, decide, type Workspace } from "../workspace.ts";

/** Something a server offers, and whose it is. */
interface Offered {
  readonly server: string;
  /** From a list that is older than its time to live. */
  readonly stale: boolean;
}

export type ServerResource = ResourceDefinition & Offered;
export type ServerResourceTemplate = ResourceTemplateDefinition & Offered;
export type ServerPrompt = PromptDefinition & Offered;

export interface ListRequest {
  /** One server, whose failure is thrown; without it all that may run, and a state says why one is missing. */
  readonly server: string | undefined;
  readonly refresh: boolean;
}

export function listResources(workspace: Workspace, request: ListRequest): Promise<ServerResource[]> {
  return list(workspace, request, "resources", ({ resources }) => resources);
}

export function listResourceTemplates(
  workspace: Workspace,
  request: ListRequest,
): Promise<ServerResourceTemplate[]> {
  return list(workspace, request, "resources", ({ resourceTemplates }) => resourceTemplates);
}

export function listPrompts(workspace: Workspace, request: ListRequest): Promise<ServerPrompt[]> {
  return list(workspace, request, "prompts", ({ prompts }) => prompts);
}

async function list<T>(
  workspace: Workspace,
  { server: name, refresh }: ListRequest,
  kind: CatalogKind,
  pick: (catalog: Catalog) => readonly T[],
): Promise<(T & Offered)[]> {
  const { catalogs } = workspace;
  const read = async (server: Server): Promise<(T & Offered)[]> => {
    const subject = catalogSubject(server);
    const { catalog, stale } = await (refresh ? catalogs.refresh(subject) : catalogs.get(subject));
    return pick(catalog).map((item) => ({ ...item, server: server.name, stale: stale[kind] }));
  };
  if (name !== undefined) return read(await useServer(workspace, name));
  const servers = [...workspace.inventory().servers.values()].filter(
    (server) => decide(workspace, server).allowed,
  );
  const found = await Promise.all(servers.map((server) => read(server).catch(() => [])));
  return found.flat();
}
