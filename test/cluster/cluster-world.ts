/* oxlint-disable unicorn/no-thenable -- the rules of a policy have a member with this name */
import { createToken, findPerson } from "../../src/access/index.ts";
import type { JsonObject } from "../../src/model/index.ts";
import type { Store } from "../../src/store/index.ts";
import { startTeamGateway, type TeamGateway, type TeamGatewayOptions } from "../../src/team/team-gateway.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { openDatabase } from "../support/postgres.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { type RunningCli, startCli } from "../support/start-cli.ts";
import { openTeamStore, TEST_KEY } from "../support/team-store.ts";
import { type Balancer, startBalancer } from "./balancer.ts";
import { type CountingServer, startCountingServer } from "./counting-server.ts";
import { LegacyClient } from "./legacy-client.ts";

export interface NodeOptions {
  /** Instead of the database's own URL. */
  readonly database?: string;
  readonly config?: JsonObject;
  readonly options?: Partial<TeamGatewayOptions>;
  readonly env?: Readonly<Record<string, string>>;
}

/** A node in the process of the test. */
export interface LocalNode extends AsyncDisposable {
  readonly address: string;
  readonly url: string;
  readonly gateway: TeamGateway;
}

/** A node in a process of its own. */
export interface ProcessNode extends AsyncDisposable {
  readonly address: string;
  readonly url: string;
  readonly internal: string;
  readonly cli: RunningCli;
  kill(signal: NodeJS.Signals): void;
}

/** A database, a server and a balancer, to which nodes are added. */
export interface ClusterWorld extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly store: Store;
  readonly server: CountingServer;
  readonly balancer: Balancer;
  readonly url: string;
  startLocal(options?: NodeOptions): Promise<LocalNode>;
  startProcess(options?: NodeOptions): Promise<ProcessNode>;
  token(person: string): Promise<string>;
  client(token: string, url?: string): LegacyClient;
}

export async function createClusterWorld(more: JsonObject = {}): Promise<ClusterWorld> {
  const opened: AsyncDisposable[] = [];
  const use = <T extends AsyncDisposable>(one: T): T => {
    opened.unshift(one);
    return one;
  };
  const database = use(await openDatabase());
  const server = use(await startCountingServer());
  const balancer = use(await startBalancer());
  const { store } = use(await openTeamStore(database.url, { context: { isGateway: false } }));
  const env = { TEAM_KEY: TEST_KEY };
  const configOf = (
    port: number,
    { database: url = database.url, config = {} }: NodeOptions,
  ): JsonObject => ({
    publicUrl: balancer.origin,
    listen: `127.0.0.1:${port}`,
    cluster: "127.0.0.1:0",
    access: { allowHosts: [`127.0.0.1:${port}`] },
    database: { url },
    keys: [{ id: "first", variable: "TEAM_KEY" }],
    servers: { counting: { type: "http", url: server.url } },
    policy: { rules: [{ who: ["*"], then: "allow" }] },
    limits: { requestsPerSecond: 10_000, burst: 10_000 },
    ...more,
    ...config,
  });
  const write = async (options: NodeOptions): Promise<{ port: number; file: string; sandbox: Sandbox }> => {
    const sandbox = use(await createSandbox());
    const port = await findFreePort();
    return { port, sandbox, file: await sandbox.writeProject("gateway.jsonc", configOf(port, options)) };
  };
  const world: ClusterWorld = {
    databaseUrl: database.url,
    store,
    server,
    balancer,
    url: `${balancer.origin}/mcp`,
    async startLocal(options = {}) {
      const { file, port, sandbox } = await write(options);
      const host = {
        home: sandbox.home,
        env: { ...sandbox.env(), ...env, ...options.env },
        ...options.options?.host,
      };
      // Lists wait for servers as long as a busy machine needs.
      const offer = { waitMs: 20_000 };
      const gateway = await startTeamGateway({ offer, ...options.options, configFile: file, host });
      const address = `127.0.0.1:${port}`;
      balancer.nodes.push(address);
      let isClosed = false;
      const node: LocalNode = {
        address,
        url: `http://${address}/mcp`,
        gateway,
        async [Symbol.asyncDispose]() {
          balancer.nodes = balancer.nodes.filter((other) => other !== address);
          if (!isClosed) await gateway.close();
          isClosed = true;
        },
      };
      return use(node);
    },
    async startProcess(options = {}) {
      const internalPort = await findFreePort();
      const internal = `127.0.0.1:${internalPort}`;
      const { file, port, sandbox } = await write({ ...options, config: { internal, ...options.config } });
      const cli = use(startCli(["serve", "--config", file], { sandbox, env: { ...env, ...options.env } }));
      const address = `127.0.0.1:${port}`;
      for (let tries = 0; !/Listening on/.test(cli.output()); tries += 1) {
        if (cli.child.exitCode !== null || tries > 600) throw new Error(`The node ended:\n${cli.output()}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      balancer.nodes.push(address);
      return {
        address,
        url: `http://${address}/mcp`,
        internal,
        cli,
        kill: (signal) => cli.child.kill(signal),
        async [Symbol.asyncDispose]() {
          balancer.nodes = balancer.nodes.filter((other) => other !== address);
          await cli[Symbol.asyncDispose]();
        },
      };
    },
    async token(person) {
      const { id } = await findPerson(store.people, person);
      const wanted = { person: id, name: "test", scopes: {}, lifetimeMs: 86_400_000 };
      return (await createToken(store.tokens, wanted, Date.now())).text;
    },
    client: (token, url = world.url) => new LegacyClient(url, token),
    async [Symbol.asyncDispose]() {
      for (const one of opened) await one[Symbol.asyncDispose]();
    },
  };
  return world;
}

/** Returns the text of a call's result. */
export function textOf(body: JsonObject): string {
  const { result } = body as { result?: { content?: readonly { text?: string }[] } };
  return result?.content?.[0]?.text ?? JSON.stringify(body);
}
