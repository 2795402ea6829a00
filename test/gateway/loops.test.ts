import { describe, expect, test } from "vitest";
import type { Gateway } from "../../src/gateway.ts";
import { connectToGateway, type Era, gatewayIn, startUpstream } from "../support/gateway-clients.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const CELLS = (["stdio", "http"] as const).flatMap((downstream) =>
  (["legacy", "modern"] as const).flatMap((client) =>
    (["legacy", "modern"] as const).map((server) => ({ downstream, client, server })),
  ),
);

describe.each(CELLS)(
  "loops: $client client over $downstream, $server server",
  ({ downstream, client: era, server }) => {
    test("a request that passed four gateways is refused, and one that passed three is not", async () => {
      await using sandbox = await createSandbox();
      await using upstream = await startUpstream("stdio", server);
      await using gateway = await gatewayIn(sandbox, { servers: { tools: upstream.entry } });
      await using connected = await connectToGateway(gateway, downstream, era);
      const call = (hops: number) =>
        connected.client.callTool({
          name: "tools_echo",
          arguments: { text: "x" },
          _meta: { "dev.plugboard/hops": hops },
        });
      expect((await call(3)).content).toEqual([{ type: "text", text: "x" }]);
      await expect(call(4)).rejects.toMatchObject({ code: -32603, data: { reason: "loop" } });
    });
  },
);

test.each(["legacy", "modern"] as const)(
  "an entry with the gateway's own address adds no tools, %s",
  async (era) => {
    await using sandbox = await createSandbox();
    const config = (mcpServers: object) => sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
    const notes = stdioServer("notes-server.mjs");
    await config({ notes });
    await using gateway = await gatewayIn(sandbox, { discover: true });
    const { url, token } = await gateway.listen({ port: 0 });
    const protocol = era === "legacy" ? "legacy" : "2026-07-28";
    const itself = { type: "http", url, headers: { Authorization: `Bearer ${token}` }, protocol };
    await config({ notes, itself });
    await expect.poll(() => gateway.snapshot().servers.map(({ name }) => name)).toContain("itself");
    await using connected = await connectToGateway(gateway, "http", era);
    for (let turn = 0; turn < 3; turn += 1) {
      const { tools } = await connected.client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(["notes_write", "notes_hang_up", "notes_leave"]);
    }
  },
);

test("a shell command that starts a gateway starts one process, and adds no tools", async () => {
  await using sandbox = await createSandbox();
  const main = `${process.cwd()}/dist/surfaces/cli/main.cjs`;
  const mark = sandbox.project;
  const command = `exec '${process.execPath}' --conditions='${mark}' '${main}' serve --stdio --alone`;
  const mcpServers = {
    notes: stdioServer("notes-server.mjs"),
    itself: { command: "sh", args: ["-c", command] },
  };
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
  await using gateway = await gatewayIn(sandbox, { discover: true });
  await using connected = await connectToGateway(gateway, "stdio", "modern");
  const { tools } = await connected.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["notes_write", "notes_hang_up", "notes_leave"]);
});

test("an entry that starts a gateway is never served", async () => {
  await using sandbox = await createSandbox();
  const servers = {
    itself: { command: "plugboard", args: ["serve", "--stdio"] },
    notes: stdioServer("notes-server.mjs"),
  };
  await using gateway = await gatewayIn(sandbox, { servers });
  await using connected = await connectToGateway(gateway, "stdio", "modern");
  const names = (await connected.client.listTools()).tools.map(({ name }) => name);
  expect(names).toEqual(["notes_write", "notes_hang_up", "notes_leave"]);
});

/** Gateways of different users. Each has the server `notes`, and the gateway after it as `next`. */
async function gatewaysInRow(
  count: number,
  era: Era,
  { isRing }: { readonly isRing: boolean },
): Promise<AsyncDisposable & { readonly gateways: readonly Gateway[] }> {
  const row: { sandbox: Sandbox; gateway: Gateway; url: string; token: string }[] = [];
  for (let at = 0; at < count; at += 1) {
    const sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: {} });
    // In a ring, the first lists wait for each other.
    const gateway = await gatewayIn(sandbox, { discover: true, ...(isRing && { offer: { waitMs: 500 } }) });
    row.push({ sandbox, gateway, ...(await gateway.listen({ port: 0 })) });
  }
  const protocol = era === "legacy" ? "legacy" : "2026-07-28";
  for (const [at, { sandbox, gateway }] of row.entries()) {
    const after = row[at + 1] ?? (isRing ? row[0] : undefined);
    const headers = { Authorization: `Bearer ${after?.token}` };
    const next = after && { type: "http", url: after.url, headers, protocol };
    const mcpServers = { notes: stdioServer("notes-server.mjs"), ...(next && { next }) };
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
    const names = (): string[] => gateway.snapshot().servers.map(({ name }) => name);
    await expect.poll(names, { timeout: 20_000 }).toEqual(expect.arrayContaining(Object.keys(mcpServers)));
  }
  return {
    gateways: row.map(({ gateway }) => gateway),
    async [Symbol.asyncDispose]() {
      await Promise.all(row.map(({ gateway }) => gateway.close()));
      for (const { sandbox } of row) await sandbox[Symbol.asyncDispose]();
    },
  };
}

/** Returns what a gateway lists. The names of tools and prompts may have hashes, so only their numbers are compared. */
async function listedBy(gateway: Gateway, era: Era): Promise<object> {
  await using connected = await connectToGateway(gateway, "http", era);
  const { client } = connected;
  const { resourceTemplates } = await client.listResourceTemplates();
  return {
    tools: (await client.listTools()).tools.length,
    prompts: (await client.listPrompts()).prompts.length,
    resources: (await client.listResources()).resources.map(({ uri }) => uri).toSorted(),
    templates: resourceTemplates.map(({ uriTemplate }) => uriTemplate).toSorted(),
  };
}

/** What a gateway lists that sees its own server `notes`, and those of `count - 1` gateways after it. */
function itemsOf(count: number): object {
  const prefixes = Array.from({ length: count }, (_, at) => `${"next+".repeat(at)}notes+`);
  const addresses = (uris: readonly string[]): string[] =>
    prefixes.flatMap((prefix) => uris.map((uri) => `${prefix}${uri}`)).toSorted();
  return {
    tools: 3 * count,
    prompts: count,
    resources: addresses(["note://first", "note://pixel"]),
    templates: addresses(["topic://{topic}"]),
  };
}

describe.each(["legacy", "modern"] as const)("gateways of different users, %s", (era) => {
  test.each([2, 3])("in a ring of %i list each item once", async (count) => {
    await using row = await gatewaysInRow(count, era, { isRing: true });
    for (const gateway of row.gateways)
      await expect.poll(() => listedBy(gateway, era), { timeout: 20_000 }).toEqual(itemsOf(count));
    for (let turn = 0; turn < 2; turn += 1)
      for (const gateway of row.gateways) expect(await listedBy(gateway, era)).toEqual(itemsOf(count));
  });

  test("list only items whose calls arrive, because four gateways pass a request on", async () => {
    await using row = await gatewaysInRow(5, era, { isRing: false });
    const [first] = row.gateways;
    if (first === undefined) throw new Error("There is no gateway.");
    await expect.poll(() => listedBy(first, era), { timeout: 20_000 }).toEqual(itemsOf(4));
    await using connected = await connectToGateway(first, "http", era);
    const { contents } = await connected.client.readResource({ uri: "next+next+next+notes+note://first" });
    expect(contents).toMatchObject([{ text: "The first note." }]);
  });
});
