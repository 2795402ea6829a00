import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { aiSdkTools } from "../../src/adapters/ai-sdk/index.ts";
import { anthropicTools } from "../../src/adapters/anthropic/index.ts";
import { chatTools, responsesTools } from "../../src/adapters/openai/index.ts";
import { statusOf } from "../../src/compat/index.ts";
import type { Host, LocalServerOptions, RemoteServerOptions, ServerOptions } from "../../src/index.ts";
import { startHostileServer } from "../auth/hostile-server.ts";
import { report } from "../durability/counts.ts";
import { browse } from "../support/oauth-server.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { eventsOf, hostIn, PATIENTLY } from "./host-in.ts";

/** Has no known token format, so that it is masked only because Plugboard passed it on. */
const CANARY = `zebra-quartz-velvet-${process.pid}`;
const LINE = "secrets searched for in all output and saved files: none found";
const echoing = fileURLToPath(new URL("../servers/echoing-server.mjs", import.meta.url));

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox();
  await sandbox.writeHome("secret.txt", `${CANARY}\n`);
  await sandbox.writeHome("headers.json", JSON.stringify({ "X-Key": CANARY }));
  return () => sandbox[Symbol.asyncDispose]();
});
const variables = (): Record<string, string> => ({ ...sandbox.env(), CANARY_TOKEN: CANARY });

/** A server that repeats everything it received, in its own format and in OAuth's. */
async function startEcho(mode: "refuse" | "talk") {
  const everything = (request: IncomingMessage, body: string): string =>
    JSON.stringify([
      request.url,
      request.headers,
      Buffer.from(request.headers.authorization?.split(" ")[1] ?? "", "base64").toString(),
      body,
    ]);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const all = everything(request, decodeURIComponent(body.replaceAll("+", " ").replaceAll("%", "%25")));
    const json = (status: number, value: object, headers = {}): void =>
      void response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(value));
    if (request.url?.startsWith("/token"))
      return json(400, {
        error: "invalid_client",
        error_description: decodeURIComponent(body).replaceAll(/[^\x20-\x7e]|["\\]/g, "?"),
      });
    if (mode === "refuse")
      return json(
        401,
        { error: all },
        { "www-authenticate": `Bearer error="${CANARY}", error_description="${CANARY}"` },
      );
    const { id, method, params } = (body === "" ? {} : JSON.parse(body)) as {
      id?: number;
      method?: string;
      params?: { protocolVersion: string };
    };
    if (request.method !== "POST") return json(405, {});
    if (id === undefined) return void response.writeHead(202).end();
    if (method === "initialize") {
      const serverInfo = { name: "echo", version: "1" };
      return json(200, {
        jsonrpc: "2.0",
        id,
        result: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo },
      });
    }
    if (method === "tools/list")
      return json(200, {
        jsonrpc: "2.0",
        id,
        result: { tools: [{ name: "fail", inputSchema: { type: "object" } }] },
      });
    json(200, { jsonrpc: "2.0", id, error: { code: -32601, message: `refused: ${all}` } });
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const local = (more: Partial<LocalServerOptions>, ...args: string[]): ServerOptions => ({
  type: "stdio",
  command: process.execPath,
  args: [echoing, ...args],
  ...more,
});

/** Every way in which the secret enters, by name. It may be in a file or in arguments if the test wrote it there. */
function waysIn(refuse: number, talk: number): Record<string, ServerOptions> {
  const ways: Record<string, string> = {
    literal: CANARY,
    bearer: `Bearer ${CANARY}`,
    variable: "${CANARY_TOKEN}",
    name: "CANARY_TOKEN",
    command: "!cat ~/secret.txt",
    keychain: "keychain:canary",
    inside: "Bearer ${keychain:canary}",
    file: "file:~/secret.txt",
    basic: `Basic ${Buffer.from(`me:${CANARY}`).toString("base64")}`,
  };
  const remote = (port: number, more: Partial<RemoteServerOptions>, path = "/mcp"): RemoteServerOptions => ({
    type: "http",
    url: `http://127.0.0.1:${port}${path}`,
    ...more,
  });
  const both = (name: string, make: (port: number) => ServerOptions): [string, ServerOptions][] => [
    [`${name}-refused`, make(refuse)],
    [`${name}-talking`, make(talk)],
  ];
  const machine = { grantType: "client_credentials", clientId: "me" };
  return Object.fromEntries([
    ...Object.entries(ways).flatMap(([name, value]) => [
      [`env-${name}`, local({ env: { GIVEN_TOKEN: value } })],
      [`env-${name}-dying`, local({ env: { GIVEN_TOKEN: value } }, "--die")],
      ...both(`header-${name}`, (port) => remote(port, { headers: { Authorization: value } })),
      ...both(`odd-header-${name}`, (port) =>
        remote(port, { headers: { "X-Odd-Key": value }, oauth: false }),
      ),
    ]),
    ["args-flag", local({}, "--api-key", CANARY)],
    ["args-pair-dying", local({}, `--token=${CANARY}`, "--die")],
    ["args-variable-dying", local({}, "${CANARY_TOKEN}", "--die")],
    ...both("query", (port) => remote(port, { oauth: false }, `/mcp?api_key=${CANARY}`)),
    ...both("path", (port) => remote(port, { oauth: false }, "/mcp/${CANARY_TOKEN}")),
    ["password", { type: "http", url: `http://me:${CANARY}@127.0.0.1:${talk}/mcp` }],
    [
      "client-secret",
      remote(refuse, {
        oauth: { ...machine, clientSecret: CANARY, tokenUrl: `http://127.0.0.1:${refuse}/token` },
      }),
    ],
    [
      "client-keychain",
      remote(refuse, {
        oauth: {
          ...machine,
          clientSecret: "${keychain:canary}",
          tokenUrl: `http://127.0.0.1:${refuse}/token`,
        },
      }),
    ],
    ...both(
      "helper",
      (port) => ({ ...remote(port, { oauth: false }), headersHelper: "cat ~/headers.json" }) as ServerOptions,
    ),
  ] as [string, ServerOptions][]);
}

const whole = (value: unknown): string => inspect(value, { depth: 20 });

/** Returns what a model receives about a failed call, in every format. */
async function throughAdapters(host: Host, server: string): Promise<unknown[]> {
  const source = host.session({ servers: [server] });
  const tools = await source.tools(PATIENTLY);
  const [tool] = tools;
  if (tool === undefined) return [];
  const { tools: aiSdk } = await aiSdkTools(source);
  const call = { name: tool.name, arguments: "{}", call_id: "1" };
  return Promise.all([
    tool.execute({}),
    anthropicTools(source).run([{ type: "tool_use", id: "1", name: tool.name, input: {} } as never]),
    responsesTools(source).run([{ type: "function_call", ...call }]),
    chatTools(source).run([{ id: "1", type: "function", function: call } as never]),
    Promise.resolve(aiSdk[tool.name]?.execute?.({}, { toolCallId: "1", messages: [] } as never)).catch(
      (error: unknown) => whole(error),
    ),
  ]);
}

/** Returns every file below a folder that contains the canary, except those written for the test. */
async function filesWithCanary(folder: string): Promise<string[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) =>
    file.isFile(),
  );
  const texts = await Promise.all(
    files.map(async ({ parentPath, name }) => [
      join(parentPath, name),
      await readFile(join(parentPath, name), "latin1"),
    ]),
  );
  return texts
    .filter(
      ([file = "", text = ""]) =>
        holdsCanary(text) && !/(?:secret\.txt|headers\.json|\.plugboard\/mcp\.json)$/.test(file),
    )
    .map(([file = ""]) => file);
}

const IN_BASE64 = Buffer.from(`me:${CANARY}`).toString("base64");
const holdsCanary = (text: string): boolean => text.includes(CANARY) || text.includes(IN_BASE64);

/** Returns the command lines on this machine that contain the canary. */
function commandLines(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return holdsCanary(line) ? [line] : [];
      } catch {
        return []; // it is gone
      }
    });
}

/** Checks the command lines on this machine repeatedly. Skips arguments that are in a config. */
function watchCommandLines(): { stop(): string[] } {
  const seen = new Set<string>();
  const look = (): void => commandLines().forEach((line) => void seen.add(line));
  const timer = setInterval(look, 25);
  return {
    stop() {
      clearInterval(timer);
      return [...seen].filter((line) => !line.includes(`--token=${CANARY} --die`));
    },
  };
}

describe("a secret that enters in every possible way never appears", { timeout: 60_000 }, () => {
  test("in a program: results, errors, causes, events, log, snapshots, server logs, files, command lines", async () => {
    await using refuse = await startEcho("refuse");
    await using talk = await startEcho("talk");
    const servers = waysIn(refuse.port, talk.port);
    const said: Record<string, string[]> = {};
    const lines: string[] = [];
    const log = { log: (...words: unknown[]) => void lines.push(inspect(words, { depth: 9 })) };
    {
      await using host = await hostIn(sandbox, { env: variables(), servers, log });
      await host.secrets.store("canary", CANARY);
      const events = eventsOf(host);
      for (const name of Object.keys(servers)) {
        const outcomes = await Promise.all([
          host.call(name, "fail").then(inspect, (error: unknown) => inspect(error, { depth: 20 })),
          host.signIns
            .login(name, { browser: false, onSignIn: () => "no" })
            .then(inspect, (error: unknown) => inspect(error, { depth: 20 })),
          host.doctor.test(name).then(inspect, (error: unknown) => inspect(error, { depth: 20 })),
        ]);
        const own = name.startsWith("args-") ? [] : commandLines();
        const views = [
          host.config.explain(name),
          host.doctor.logs(name),
          host.approvals.inspect(name),
          host.pins.review(name),
          host.doctor.preview(name, "fail", {}),
          host.search("fail", { server: name }),
          throughAdapters(host, name),
        ].map((view) => view.then(whole, whole));
        said[name] = [...outcomes, ...own, ...(await Promise.all(views))];
        await host.close(name);
      }
      said["all"] = [
        host.servers({ all: true }),
        host.snapshot(),
        statusOf(host),
        host.doctor.diagnose(),
        await host.doctor.checkValues(),
        await host.doctor.budget(),
        await host.signIns.list(),
        await host.secrets.list(),
        host.config.bundles(),
        host.approvals.list(),
        events,
      ].map((value) => inspect(value, { depth: 20, maxArrayLength: null }) + JSON.stringify(value));
    }
    said["log"] = lines;
    const leaks = Object.entries(said).flatMap(([name, texts]) =>
      texts.filter(holdsCanary).map((text) => `${name}: ${around(text)}`),
    );
    const files = await filesWithCanary(sandbox.home);
    reportPlaces(Object.values({ ...said, log: [lines.join("\n")] }).flat(), files);
    expect(leaks).toEqual([]);
    expect(files).toEqual([]);
    // The secret did reach the server. Otherwise this test would prove nothing.
    expect(
      Object.values(said)
        .flat()
        .filter((text) => text.includes("[secret]")).length,
    ).toBeGreaterThan(100);
  });

  test("in the command line: output, --json, --verbose, files, command lines", async () => {
    await using refuse = await startEcho("refuse");
    await using talk = await startEcho("talk");
    const all = waysIn(refuse.port, talk.port);
    const names = [
      "env-literal-dying",
      "env-command",
      "header-bearer-refused",
      "odd-header-keychain-talking",
      "query-refused",
      "client-keychain",
      "password",
      "args-pair-dying",
    ];
    const mcpServers = Object.fromEntries(names.map((name) => [name, all[name]]));
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
    const run = (words: readonly string[], input = "") => runCli(words, { sandbox, env: variables(), input });
    await run(["secret", "set", "canary"], CANARY);
    const perServer = names.flatMap((name) => [
      ["call", name, "fail", "--verbose"],
      ["call", name, "fail", "--json"],
      ["test", name, "--json"],
      ["explain", name],
      ["logs", name, "--json"],
      ["pins", name],
    ]);
    const general = [
      ["list", "--all", "--json"],
      ["tools", "--search", "fail", "--json"],
      ["bundles", "--json"],
      ["pins", "--json"],
      ["auth", "status", "--json"],
      ["trust", "--list", "--json"],
      ["login", "header-bearer-refused", "--no-browser", "--json"],
      ["doctor", "--json"],
      ["status"],
      ["secret", "list", "--json"],
      ["export", "cursor", "--json"],
    ];
    const places: string[] = [];
    for (const words of [...perServer, ...general]) {
      const watch = watchCommandLines();
      const { stdout, stderr } = await run(words);
      const seen = watch.stop();
      places.push(stdout, stderr, seen.join(" "));
      expect([words, seen]).toEqual([words, []]);
      expect([
        words,
        holdsCanary(stdout) ? around(stdout) : "",
        holdsCanary(stderr) ? around(stderr) : "",
      ]).toEqual([words, "", ""]);
    }
    const files = await filesWithCanary(sandbox.home);
    reportPlaces(places, files);
    expect(files).toEqual([]);
  });
});

test("tokens and a client secret that servers repeat never appear either", async () => {
  let isFirst = true;
  await using server = await startHostileServer({
    registration: (client) => ({
      ...client,
      client_secret: `${CANARY}-client`,
      token_endpoint_auth_method: "client_secret_post",
    }),
    challenge: (base) =>
      `Bearer error="invalid_token", error_description="${CANARY}-access", resource_metadata="${base}/resource"`,
    token(document) {
      const tokens = { access_token: `${CANARY}-access`, refresh_token: `${CANARY}-refresh` };
      if (isFirst) {
        isFirst = false;
        return { ...document, ...tokens };
      }
      const body = {
        error: "invalid_request",
        error_description: `not ${CANARY}-refresh of ${CANARY}-client`,
      };
      const headers = { "content-type": "application/json" };
      return { status: 400, headers, body: JSON.stringify(body) };
    },
  });
  const notes = { type: "http", url: server.url } as const;
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { notes } });
  const said: string[] = [];
  const lines: string[] = [];
  const log = { log: (...words: unknown[]) => void lines.push(whole(words)) };
  const signInTo = async (): Promise<void> => {
    isFirst = true;
    await using host = await hostIn(sandbox, { log });
    const events = eventsOf(host);
    said.push(
      whole(await host.signIns.login("notes", { browser: false, onSignIn: (url) => void browse(url) })),
    );
    said.push(whole(await host.signIns.list()), whole(host.snapshot()), whole(events));
  };
  await signInTo();
  await using host = await hostIn(sandbox, { log });
  said.push(
    await host.call("notes", "fail").then(whole, whole),
    await host.doctor.test("notes").then(whole, whole),
  );
  said.push(whole(host.servers()), whole(await host.signIns.list()));
  await signInTo();
  for (const words of [
    ["call", "notes", "fail", "--verbose"],
    ["call", "notes", "fail", "--json"],
    ["auth", "status", "--json"],
    ["logs", "notes"],
    ["logout", "notes", "--verbose"],
  ]) {
    const watch = watchCommandLines();
    const { stdout, stderr } = await runCli(words, { sandbox });
    said.push(stdout, stderr, watch.stop().join(" "));
  }
  const files = await filesWithCanary(sandbox.home);
  said.push(lines.join("\n"));
  reportPlaces(said, files);
  expect(said.filter(holdsCanary).map(around)).toEqual([]);
  expect(said.some((text) => text.includes("invalid_request"))).toBe(true);
  expect(files).toEqual([]);
});

/** All files together are one more place to search. */
function reportPlaces(places: readonly string[], filesWithIt: readonly string[]): void {
  const clean = places.filter((text) => !holdsCanary(text)).length;
  report(LINE, clean + (filesWithIt.length === 0 ? 1 : 0), places.length + 1);
}

function around(text: string): string {
  const at = Math.max(text.indexOf(CANARY), text.indexOf(IN_BASE64));
  return text.slice(Math.max(0, at - 160), at + 60);
}
