import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeZip } from "../support/make-zip.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const CONFIG = ".plugboard/mcp.json";
const SERVER = `import { createInterface } from "node:readline";
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const results = {
    initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "w", version: "1" } },
    "tools/list": { tools: [{ name: "greet", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: process.env.GREETING + " " + process.argv.length }] },
  };
  if (id === undefined) return;
  const result = results[method];
  const answer = result === undefined ? { error: { code: -32601, message: "unknown" } } : { result };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
});
`;
const MANIFEST = {
  manifest_version: "0.3",
  name: "weather",
  version: "1.2.0",
  description: "Greets.",
  server: {
    type: "node",
    entry_point: "server/index.mjs",
    mcp_config: {
      command: "node",
      args: ["${__dirname}/server/index.mjs", "${user_config.place}"],
      env: { GREETING: "${user_config.greeting}", KEY: "${user_config.key}" },
    },
  },
  user_config: {
    greeting: { type: "string", title: "Greeting", default: "hello" },
    key: { type: "string", title: "Key", sensitive: true },
    place: { type: "string", title: "Place" },
  },
};

async function entryOf(sandbox: Sandbox, name: string): Promise<unknown> {
  const text = await readFile(join(sandbox.project, CONFIG), "utf8").catch(() => "{}");
  return (JSON.parse(text) as { mcpServers?: Record<string, unknown> }).mcpServers?.[name];
}

describe("`add <file>.mcpb`", () => {
  const bundle = (manifest: object = MANIFEST): Buffer =>
    makeZip([
      { path: "manifest.json", text: JSON.stringify(manifest) },
      { path: "server/index.mjs", text: SERVER },
    ]);

  test("shows the whole launch, and unpacks and adds the server after a yes", async () => {
    await using sandbox = await createSandbox();
    await writeFile(join(sandbox.project, "weather.mcpb"), bundle());
    const refused = await runCli(["add", "weather.mcpb"], { sandbox });
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("weather 1.2.0: 2 files") });
    expect(refused.stderr).toContain("/server/index.mjs");
    expect(refused.stderr).toContain("then add --yes");
    expect(await entryOf(sandbox, "weather")).toBeUndefined();

    expect(await runCli(["add", "weather.mcpb", "--yes"], { sandbox })).toMatchObject({ code: 0 });
    const folder = expect.stringMatching(/\/mcpb\/[0-9a-f]{32}\/server\/index\.mjs$/);
    expect(await entryOf(sandbox, "weather")).toMatchObject({
      command: "node",
      args: [folder],
      env: { GREETING: "hello" },
    });
    await writeFile(join(sandbox.project, "weather.mcpb"), "");
    const called = await runCli(["call", "weather", "greet"], { sandbox });
    expect(called).toMatchObject({ code: 0, stdout: "hello 2\n" });

    const { code, stdout } = await runCli(["uninstall", "--yes"], { sandbox });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining("did not write") });
  });

  test.each<[why: string, content: Buffer, message: string]>([
    ["that is not a ZIP archive", Buffer.from("no"), "it is not a ZIP archive"],
    ["without a manifest", makeZip([{ path: "a", text: "" }]), "it has no manifest.json"],
    [
      "that leads out of its folder",
      makeZip([{ path: "../../.bashrc", text: "id" }]),
      "a path in it leads out of its folder",
    ],
    [
      "for another platform",
      bundle({ ...MANIFEST, compatibility: { platforms: ["win32"] } }),
      "does not include",
    ],
    [
      "that reads this machine's variables",
      bundle({
        ...MANIFEST,
        server: { type: "node", mcp_config: { command: "node", args: ["${HOME_TOKEN}"] } },
      }),
      "refers to variables",
    ],
  ])("refuses a bundle %s", async (_, content, message) => {
    await using sandbox = await createSandbox();
    await writeFile(join(sandbox.project, "bad.mcpb"), content);
    const { code, stderr } = await runCli(["add", "bad.mcpb", "--yes"], { sandbox });
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
    expect(await entryOf(sandbox, "weather")).toBeUndefined();
  });
});

describe("`add <website>`", () => {
  const card = (name: string, url: string, more: object = {}): object => ({
    name,
    version: "1.0.0",
    description: "About the weather.",
    remotes: [{ type: "streamable-http", url }],
    ...more,
  });
  const entry = (url: string, mediaType = "application/mcp-server-card+json"): object => ({
    identifier: "urn:mcp:server:com.example/weather",
    displayName: "Weather",
    mediaType,
    url,
  });

  async function startSite(pages: Readonly<Record<string, object | string>>) {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? "");
      const page = pages[request.url ?? ""];
      if (typeof page === "string") return void response.writeHead(302, { location: page }).end();
      response.writeHead(page === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(page ?? {}));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      requests,
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  test.each<[what: string, path: string, pages: (own: string) => Record<string, object | string>]>([
    [
      "a catalog",
      "",
      () => ({
        "/.well-known/ai-catalog.json": { entries: [entry("/c")] },
        "/c": card("com.example/weather", "https://weather.test/mcp"),
      }),
    ],
    [
      "a catalog of the earlier draft",
      "",
      () => ({
        "/.well-known/mcp/catalog.json": { entries: [entry("/c", "application/mcp-server+json")] },
        "/c": card("com.example/weather", "https://weather.test/mcp"),
      }),
    ],
    [
      "a single card",
      "",
      () => ({
        "/.well-known/mcp/server-card.json": card("com.example/weather", "https://weather.test/mcp"),
      }),
    ],
    [
      "the URL of a server",
      "/mcp",
      () => ({ "/mcp/server-card": card("com.example/weather", "https://weather.test/mcp") }),
    ],
    [
      "a redirect on the same site",
      "",
      () => ({
        "/.well-known/ai-catalog.json": "/catalog",
        "/catalog": { entries: [entry("/c")] },
        "/c": card("com.example/weather", "https://weather.test/mcp"),
      }),
    ],
  ])("reads %s, shows where it leads, and adds the server after a yes", async (_, path, pages) => {
    await using site = await startSite(pages(""));
    await using sandbox = await createSandbox();
    const refused = await runCli(["add", `${site.url}${path}`], { sandbox });
    expect(refused).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("url      https://weather.test/mcp"),
    });
    expect(refused.stderr).toContain("The server is at weather.test, not at this website.");
    expect(await runCli(["add", `${site.url}${path}`, "--yes"], { sandbox })).toMatchObject({ code: 0 });
    expect(await entryOf(sandbox, "weather")).toMatchObject({ url: "https://weather.test/mcp" });
  });

  test("with several servers asks for one of them", async () => {
    await using site = await startSite({
      "/.well-known/ai-catalog.json": { entries: [entry("/a/server-card"), entry("/b/server-card")] },
      "/a/server-card": card("com.example/a", "https://a.test/mcp"),
      "/b/server-card": card("com.example/b", "https://b.test/mcp"),
    });
    await using sandbox = await createSandbox();
    const { code, stderr } = await runCli(["add", site.url, "--yes"], { sandbox });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`plugboard add '${site.url}/a/server-card' or`),
    });
    expect(await runCli(["add", `${site.url}/b/server-card`, "--yes"], { sandbox })).toMatchObject({
      code: 0,
    });
    expect(await entryOf(sandbox, "b")).toMatchObject({ url: "https://b.test/mcp" });
  });

  test("runs no package that a card names, and requests no other machine of the local network", async () => {
    await using inner = await startSite({ "/c": card("com.example/inner", "https://inner.test/mcp") });
    await using site = await startSite({
      "/.well-known/ai-catalog.json": { entries: [entry(`${inner.url}/c`)] },
      "/.well-known/mcp/catalog.json": `${inner.url}/c`,
      "/.well-known/mcp/server-card.json": {
        ...card("com.example/weather", ""),
        remotes: [],
        packages: [
          { registryType: "npm", identifier: "evil", version: "1.0.0", transport: { type: "stdio" } },
        ],
      },
    });
    await using sandbox = await createSandbox();
    expect(await runCli(["add", site.url, "--yes"], { sandbox })).toMatchObject({ code: 1 });
    expect(inner.requests).toEqual([]);
    expect(await entryOf(sandbox, "weather")).toBeUndefined();
  });

  test("without a card is reported", async () => {
    await using site = await startSite({});
    await using sandbox = await createSandbox();
    const { code, stderr } = await runCli(["add", site.url], { sandbox });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("does not publish a server card"),
    });
  });
});
