import type { Catalog, KnownCatalog } from "../../catalog/index.ts";
import type {
  CatalogKind,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  Server,
} from "../../model/index.ts";
import { useServer } from "../lifecycle/use-server.ts";
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

export interface ListOptions {
  /** `true` asks the servers even if their lists are cached. */
  readonly refresh?: boolean;
  /** `false` returns cached lists only and connects to no server. */
  readonly connect?: boolean;
}

export interface ListRequest extends ListOptions {
  /** If given, that server's failure is thrown. Otherwise servers that fail are left out; their state says why. */
  readonly server: string | undefined;
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
  { server: name, refresh = false, connect = true }: ListRequest,
  kind: CatalogKind,
  pick: (catalog: Catalog) => readonly T[],
): Promise<(T & Offered)[]> {
  const { catalogs } = workspace;
  const read = async (server: Server): Promise<(T & Offered)[]> => {
    const subject = catalogSubject(server);
    const asked = (): Promise<KnownCatalog> => (refresh ? catalogs.refresh(subject) : catalogs.get(subject));
    const known = await (connect ? asked() : catalogs.peek(subject));
    if (known === undefined) return [];
    return pick(known.catalog).map((item) => ({ ...item, server: server.name, stale: known.stale[kind] }));
  };
  if (name !== undefined && connect) return read(await useServer(workspace, name));
  const servers = [...workspace.inventory().servers.values()].filter(
    (server) => (name === undefined || server.name === name) && decide(workspace, server).allowed,
  );
  const found = await Promise.all(servers.map((server) => read(server).catch(() => [])));
  return found.flat();
}
