import { expect, test } from "vitest";
import { type Asked, type RawHttp, sendJson, serveRaw } from "../support/raw-http.ts";
import { createSandbox } from "../support/sandbox.ts";
import { eventsOf, hostIn, PATIENTLY } from "./host-in.ts";

const SERVERS = 300;
const TOOLS = 10_000;
const FILES = [".plugboard/mcp.json", ".cursor/mcp.json", ".factory/mcp.json"];

/**
 * Three hundred servers behind one port, each with a part of the tools. Records which servers receive a list request.
 */
async function serveMany(): Promise<RawHttp & { readonly listed: string[] }> {
  const listed: string[] = [];
  const raw = await serveRaw({
    answer({ message, path }: Asked, response) {
      if (message?.["method"] !== "tools/list") return false;
      listed.push(path);
      const tools = toolsOf(Number(path.split("/").at(-1)));
      return sendJson(response, { jsonrpc: "2.0", id: message["id"], result: { tools } });
    },
  });
  return { ...raw, listed, [Symbol.asyncDispose]: raw[Symbol.asyncDispose] };
}

/** Names without digits, because names that differ only in digits would get hashes. */
function lettersOf(number: number): string {
  return String(number).replaceAll(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "");
}

const serverName = (index: number): string => `server_${lettersOf(index)}`;

function toolsOf(server: number): { name: string; description: string; inputSchema: object }[] {
  const [first, end] = [server, server + 1].map((count) => Math.round((count * TOOLS) / SERVERS));
  return Array.from({ length: (end ?? 0) - (first ?? 0) }, (_, index) => ({
    name: `tool_${lettersOf((first ?? 0) + index)}`,
    description: "Looks something up.",
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
  }));
}

test("three hundred servers with ten thousand tools are listed from the cache, and a reload restarts only the changed one", async () => {
  await using server = await serveMany();
  await using sandbox = await createSandbox();
  const entry = (index: number, suffix = ""): object => ({
    type: "http",
    url: `${server.url}${suffix}/${index}`,
    protocol: "legacy",
  });
  const write = async (changed?: number): Promise<void> => {
    for (const [turn, file] of FILES.entries()) {
      const mine = Array.from({ length: SERVERS }, (_, index) => index).filter(
        (index) => index % FILES.length === turn,
      );
      const mcpServers = Object.fromEntries(
        mine.map((index) => [serverName(index), entry(index, index === changed ? "/other" : "")]),
      );
      await sandbox.writeHome(file, { mcpServers });
    }
  };
  await write();
  {
    await using host = await hostIn(sandbox);
    expect(await host.tools(PATIENTLY)).toHaveLength(TOOLS);
    expect(host.servers().filter(({ state }) => state === "connected")).toHaveLength(SERVERS);
    const events = eventsOf(host);
    server.listed.length = 0;
    await write(100);
    await host.reload();
    expect((await host.tools(serverName(100))).map(({ tool }) => tool).sort()).toEqual(
      toolsOf(100)
        .map(({ name }) => name)
        .sort(),
    );
    expect(server.listed).toEqual(["/mcp/other/100"]);
    const touched = events.flatMap((event) => (event.type === "server.state" ? [event.server] : []));
    expect(new Set(touched)).toEqual(new Set([serverName(100)]));
  }
  server.listed.length = 0;
  await using host = await hostIn(sandbox);
  const tools = await host.tools(PATIENTLY);
  expect(new Set(tools.map(({ name }) => name)).size).toBe(TOOLS);
  expect(host.servers().filter(({ state }) => state === "idle")).toHaveLength(SERVERS);
  expect(server.listed).toEqual([]);
});
