import type { Catalog } from "../../catalog/index.ts";
import { messageOf, type Server } from "../../model/index.ts";
import {
  knownLists,
  offeredServers,
  offeredTools,
  readLists,
  unlessCancelled,
  type Workspace,
} from "../../operations/index.ts";
import { settledWithin } from "../../platform/index.ts";
import type { PolicySubject } from "../../policy/index.ts";
import { isOffered, seesServer, toolSubject } from "../access/check-rights.ts";
import type { ClientRequest } from "../client-request.ts";
import type { Endpoint } from "../endpoint.ts";
import { type OwnName, slugOf } from "../names/gateway-names.ts";
import { NameTable } from "../names/name-table.ts";
import { ownError } from "../rpc-error.ts";
import type { Upstreams } from "../upstream/upstreams.ts";

/** How much longer than a list a call waits for its own server. */
const LATE_FACTOR = 5;

/** The dependencies of `Offers`. */
export interface OffersOptions {
  readonly workspace: Workspace;
  readonly upstreams: Upstreams;
  /** How long a list request waits for servers whose lists are not known. */
  readonly waitMs: number;
  /** Called when a server's lists arrive after a client already got those of the other servers. */
  onLate(server: string): void;
}

/** The lists of one server, as one client sees them. */
export interface ServerLists {
  readonly server: Server;
  readonly catalog: Catalog;
}

/** What all visible servers offer, with the names that clients see. */
export class Offers {
  readonly #options: OffersOptions;
  readonly #tools = new NameTable();
  readonly #prompts = new NameTable();
  readonly #servers = new WeakMap<
    Endpoint,
    { readonly inventory: object; readonly servers: readonly Server[] }
  >();

  constructor(options: OffersOptions) {
    this.#options = options;
  }

  /** Returns the servers of the client's endpoint that may run. */
  servers({ client: { endpoint }, rights }: Pick<ClientRequest, "client" | "rights">): readonly Server[] {
    const servers = this.#serversOf(endpoint);
    return rights === undefined ? servers : servers.filter(({ name }) => seesServer(rights, name));
  }

  #serversOf(endpoint: Endpoint): readonly Server[] {
    const inventory = this.#options.workspace.inventory();
    const before = this.#servers.get(endpoint);
    // A change of servers, approvals or bundles replaces the inventory.
    if (before?.inventory === inventory) return before.servers;
    const servers = offeredServers(this.#options.workspace, endpoint);
    this.#servers.set(endpoint, { inventory, servers });
    return servers;
  }

  /** Returns the lists of all visible servers. Omits servers that cannot be read in time; clients are notified when they can. */
  async lists(request: ClientRequest): Promise<ServerLists[]> {
    const found = await Promise.all(this.servers(request).map((server) => this.#listsOf(request, server)));
    return found.filter((lists) => lists !== undefined);
  }

  /** Returns the lists of a server that are known without a request. */
  async known(request: ClientRequest, server: Server): Promise<ServerLists | undefined> {
    const { workspace } = this.#options.upstreams.scopeFor(request.client, request, server);
    const catalog = await knownLists(workspace, server);
    if (catalog === undefined) return undefined;
    this.#learn(server, catalog);
    return { server, catalog };
  }

  /** Returns the tools of a server that the client may call. */
  async tools(
    request: ClientRequest,
    { server, catalog }: ServerLists,
  ): Promise<Awaited<ReturnType<typeof offeredTools>>> {
    const { workspace } = this.#options.upstreams.scopeFor(request.client, request, server);
    const tools = await offeredTools(workspace, server, catalog, request.client.endpoint);
    if (request.rights === undefined) return tools;
    return tools.filter((tool) => isOffered(request, toolSubject(server, tool)));
  }

  /** Returns a call of a tool as rules see it. */
  async callSubject(
    request: ClientRequest,
    server: Server,
    tool: string,
    args: PolicySubject["arguments"],
  ): Promise<PolicySubject> {
    const known = await this.#listsOf(request, server);
    const definition = known?.catalog.tools.find(({ name }) => name === tool);
    return toolSubject(server, definition ?? { name: tool }, args);
  }

  /** The names of tools are the same as long as this number is the same. */
  get toolNamesRevision(): number {
    return this.#tools.revision;
  }

  toolName(request: ClientRequest, item: OwnName): string {
    return this.#nameOf(request, this.#tools, item);
  }

  promptName(request: ClientRequest, item: OwnName): string {
    return this.#nameOf(request, this.#prompts, item);
  }

  /** Returns a tool if no list must be read to find it. */
  knownTool(request: ClientRequest, name: string): OwnName | undefined {
    const { verbatim, names } = request.client.endpoint;
    if (verbatim !== undefined) return { server: verbatim, name };
    return names === "plain" ? undefined : this.#visible(request, this.#tools.find(name));
  }

  findTool(request: ClientRequest, name: string): Promise<OwnName | undefined> {
    return this.#find(request, this.#tools, name, ({ tools }) => tools);
  }

  findPrompt(request: ClientRequest, name: string): Promise<OwnName | undefined> {
    return this.#find(request, this.#prompts, name, ({ prompts }) => prompts);
  }

  #nameOf({ client: { endpoint } }: ClientRequest, table: NameTable, item: OwnName): string {
    return endpoint.verbatim !== undefined || endpoint.names === "plain" ? item.name : table.nameOf(item);
  }

  /** Finds an item by the name that the client sees. A client may call a tool that it listed before a restart. */
  async #find(
    request: ClientRequest,
    table: NameTable,
    name: string,
    itemsOf: (catalog: Catalog) => readonly { readonly name: string }[],
  ): Promise<OwnName | undefined> {
    const { verbatim, names } = request.client.endpoint;
    if (verbatim !== undefined) return { server: verbatim, name };
    if (names === "plain") {
      for (const { server, catalog } of await this.lists(request))
        if (itemsOf(catalog).some((item) => item.name === name)) return { server: server.name, name };
      return undefined;
    }
    const known = this.#visible(request, table.find(name));
    if (known !== undefined) return known;
    await this.lists(request);
    const listed = this.#visible(request, table.find(name));
    if (listed !== undefined) return listed;
    await this.#readOwner(request, name);
    return this.#visible(request, table.find(name));
  }

  /** Waits longer for the server whose name an item's name begins with, if it was too slow for the list. Rejects if it cannot be read. */
  async #readOwner(request: ClientRequest, name: string): Promise<void> {
    for (const server of this.servers(request)) {
      if (!name.startsWith(`${slugOf(server.name)}_`)) continue;
      if ((await this.known(request, server)) !== undefined) continue;
      const { workspace } = this.#options.upstreams.scopeFor(request.client, request, server);
      const { clock } = this.#options.workspace.ports;
      const longest = this.#options.waitMs * LATE_FACTOR;
      let [reason, problem] = ["timeout", `did not list what it offers within ${longest / 1_000} s.`];
      const reading = readLists(workspace, server).then(
        (catalog) => this.#learn(server, catalog),
        (error: unknown) => {
          reason = "failed";
          problem = `could not list what it offers: ${workspace.redactor.redact(messageOf(error))}`;
        },
      );
      await unlessCancelled(request.signal, () => settledWithin(clock, longest, reading));
      if ((await this.known(request, server)) === undefined)
        throw ownError(reason, `"${server.name}" ${problem}`);
    }
  }

  /** Returns the item if its server is visible. */
  #visible(request: ClientRequest, item: OwnName | undefined): OwnName | undefined {
    return item !== undefined && this.servers(request).some(({ name }) => name === item.server)
      ? item
      : undefined;
  }

  async #listsOf(request: ClientRequest, server: Server): Promise<ServerLists | undefined> {
    const known = await this.known(request, server);
    if (known !== undefined) return known;
    const { workspace } = this.#options.upstreams.scopeFor(request.client, request, server);
    let catalog: Catalog | undefined;
    let isLate = false;
    const reading = readLists(workspace, server).then(
      (read) => {
        catalog = read;
        this.#learn(server, read);
        if (isLate) this.#options.onLate(server.name);
      },
      () => {}, // the server's state shows why
    );
    await settledWithin(this.#options.workspace.ports.clock, this.#options.waitMs, reading);
    isLate = true;
    return catalog && { server, catalog };
  }

  #learn({ name: server }: Server, { tools, prompts }: Catalog): void {
    this.#tools.add(server, tools);
    this.#prompts.add(server, prompts);
  }
}
