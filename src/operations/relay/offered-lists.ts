import { type Catalog, wireOf } from "../../catalog/index.ts";
import type { Bundle, JsonObject, Server, ToolDefinition } from "../../model/index.ts";
import { isTrusted } from "../../policy/index.ts";
import type { PinEffects } from "../approvals/tool-pins.ts";
import { decideServerTools, toolDecider } from "../tools/tool-access.ts";
import { catalogSubject, decide, type Workspace } from "../workspace.ts";

/** The part of the servers that a gateway offers. */
export interface OfferRules {
  /** Only these servers. */
  readonly servers?: readonly string[] | undefined;
  /** Only the tools in these bundles. */
  readonly bundles?: readonly Bundle[] | undefined;
  /** Only tools that a trusted server declares as read-only. */
  readonly readOnly?: boolean | undefined;
}

/** Returns the servers that may run and that the rules include, sorted by name. */
export function offeredServers(workspace: Workspace, { servers, bundles }: OfferRules): Server[] {
  return [...workspace.inventory().servers.values()]
    .filter(
      (server) =>
        (servers === undefined || servers.includes(server.name)) &&
        (bundles === undefined || bundles.some((bundle) => bundle.server === server.name)) &&
        decide(workspace, server).allowed,
    )
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** Returns the lists of a server if they are known. Starts reading those that have expired, if the server is connected. */
export async function knownLists(workspace: Workspace, server: Server): Promise<Catalog | undefined> {
  return (await workspace.catalogs.current(catalogSubject(server)))?.catalog;
}

/** Reads the lists of a server. Starts it if it is not running. */
export async function readLists(workspace: Workspace, server: Server): Promise<Catalog> {
  return (await workspace.catalogs.refresh(catalogSubject(server))).catalog;
}

/** The tools of one server that may be used, and everything they depend on. A change replaces one of the objects. */
interface OfferedTools extends Omit<OfferRules, "servers"> {
  readonly inventory: ReturnType<Workspace["inventory"]>;
  readonly trustProject: boolean;
  readonly tools: readonly ToolDefinition[];
  readonly standing: PinEffects;
  readonly offered: readonly ToolDefinition[];
}

const lastOffered = new WeakMap<Server, OfferedTools>();

/** Returns the tools of a list that may be used, as the same array until a decision may change. The same policy check applies to calls. */
export async function offeredTools(
  workspace: Workspace,
  server: Server,
  { tools }: Catalog,
  { bundles, readOnly }: OfferRules,
): Promise<readonly ToolDefinition[]> {
  if (decideServerTools(workspace, server, { bundles }).answer === "deny") return [];
  const standing = await workspace.pins.standing(server, tools);
  const { trustProject } = workspace;
  const inventory = workspace.inventory();
  const last = lastOffered.get(server);
  if (
    last !== undefined &&
    last.inventory === inventory &&
    last.tools === tools &&
    last.standing === standing &&
    last.bundles === bundles &&
    last.readOnly === readOnly &&
    last.trustProject === trustProject
  )
    return last.offered;
  const decide = toolDecider(workspace, server, { ...standing, bundles });
  const offered = tools.filter(
    (tool) => decide(tool).answer !== "deny" && (readOnly !== true || isReadOnly(server, tool)),
  );
  lastOffered.set(server, { inventory, trustProject, tools, standing, bundles, readOnly, offered });
  return offered;
}

/** Returns whether a tool counts as read-only. Annotations are the server's own claim, so it must be trusted. */
export function isReadOnly(server: Server, { annotations }: Partial<ToolDefinition>): boolean {
  return annotations?.readOnlyHint === true && isTrusted(server);
}

/** Returns a definition as its server sent it. The parsed fields replace those that were missing or too large. */
export function definitionOf(definition: object): JsonObject {
  const wire = wireOf(definition);
  if (wire === undefined) return { ...definition };
  return "inputSchema" in definition ? { ...wire, inputSchema: definition.inputSchema as JsonObject } : wire;
}
