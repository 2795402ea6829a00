import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { type CliResult, runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { realServer, startEverything } from "../support/test-servers.ts";

type Run = (...words: readonly string[]) => Promise<CliResult>;

/** Returns a sandbox with one configured server, and a function that runs the program in it. */
async function configured(
  entryFor: (sandbox: Sandbox) => object,
): Promise<{ sandbox: Sandbox; run: Run } & AsyncDisposable> {
  const sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { it: entryFor(sandbox) } });
  return {
    sandbox,
    run: (...words) => runCli(words, { sandbox }),
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

describe("the published everything server", () => {
  const modes = {
    stdio: async () => ({ entry: realServer("everything"), [Symbol.asyncDispose]: async () => {} }),
    http: async () => served("http", await startEverything("streamableHttp", "mcp")),
    sse: async () => served("sse", await startEverything("sse", "sse")),
  };
  const served = (type: string, server: { url: string } & AsyncDisposable) => ({
    entry: { type, url: server.url },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });

  test.each(["stdio", "http", "sse"] as const)("works over %s", async (transport) => {
    await using mode = await modes[transport]();
    await using it = await configured(() => mode.entry);
    const tested = await it.run("test", "it", "--json");
    expect(tested.json()).toMatchObject({
      server: "it",
      facts: { transport, protocolVersion: "2025-11-25" },
      tools: expect.arrayContaining(["echo", "get-sum"]),
    });
    const called = await it.run("call", "it", "get-sum", "a=2", "b=3");
    expect(called).toMatchObject({ code: 0, stdout: "The sum of 2 and 3 is 5.\n" });
    expect((await it.run("status")).code).toBe(0);
  });
});

test("the published filesystem server reads a file", async () => {
  await using it = await configured(({ project }) => realServer("filesystem", project));
  const note = await it.sandbox.writeProject("note.txt", "remember the milk");
  expect(await it.run("test", "it")).toMatchObject({ code: 0 });
  expect((await it.run("tools", "it")).stdout).toContain("read_text_file");
  expect(await it.run("call", "it", "read_text_file", `path=${note}`)).toMatchObject({
    code: 0,
    stdout: "remember the milk\n",
  });
});

test("the published memory server keeps data between runs", async () => {
  await using it = await configured(({ home }) => ({
    ...realServer("memory"),
    env: { MEMORY_FILE_PATH: join(home, "memory.jsonl") },
  }));
  const entities = [{ name: "Ada", entityType: "person", observations: ["wrote the first program"] }];
  const input = JSON.stringify({ entities });
  expect((await it.run("call", "it", "create_entities", "--input", input)).code).toBe(0);
  expect((await it.run("call", "it", "read_graph", "--json")).json()).toMatchObject({
    structured: { entities, relations: [] },
  });
});

test("the published context7 server lists its tools", async () => {
  const program = join("node_modules", "@upstash", "context7-mcp", "dist", "index.js");
  await using it = await configured(() => ({ command: process.execPath, args: [resolve(program)] }));
  const tested = await it.run("test", "it", "--json");
  expect(tested.json()).toMatchObject({ tools: expect.arrayContaining(["resolve-library-id"]) });
  expect((await it.run("tools", "it")).stdout).toContain("resolve-library-id");
});
