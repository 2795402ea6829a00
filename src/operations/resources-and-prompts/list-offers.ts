import type { Catalog, KnownCatalog } from "../../catalog/index.ts";
import type {
  CatalogKind,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  Server,
  WaitOptions,
} from "../../model/index.ts";
import { useServer } from "../lifecycle/use-server.ts";
import { catalogSubject, decide, type Workspace } from "../workspace.ts";

/** The origin of a resource, template or prompt. */
interface Offered {
  /** The name of the server that offers it. */
  readonly server: string;
  /** `true` if it comes from a cached list that has expired. */
  readonly stale: boolean;
}

/** A resource and its server. */
export type ServerResource = ResourceDefinition & Offered;
/** A URI template and its server. */
export type ServerResourceTemplate = ResourceTemplateDefinition & Offered;
/** A prompt and its server. */
export type ServerPrompt = PromptDefinition & Offered;

/** Options for listing tools, resources and prompts. */
export interface ListOptions extends WaitOptions {
  /** `true` reads the lists from the servers even if they are cached. Default: `false`. */
  readonly refresh?: boolean;
  /** `false` returns cached lists only and connects to no server. Default: `true`. */
  readonly connect?: boolean;
}

/** The server to list, or all servers. */
export interface ListRequest extends ListOptions {
  /** If given, rejects if this server fails. Otherwise omits servers that fail; their states show why. */
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
