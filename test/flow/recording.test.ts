import { existsSync } from "node:fs";
import { chmod, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { McpServer } from "@modelcontextprotocol/server";
import { beforeEach, describe, expect, test } from "vitest";
import { readReplay } from "../../src/connection/index.ts";
import { HEADER } from "../../src/connection/recording/recording.ts";
import type { HostOptions } from "../../src/index.ts";
import { Redactor } from "../../src/model/index.ts";
import { createMemoryFiles, serveHttp } from "../../src/testing/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { failureOf, hostErrorOf, hostIn } from "./host-in.ts";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox();
  return () => sandbox[Symbol.asyncDispose]();
});

const FILE = "calls.jsonl";
const path = (): string => join(sandbox.project, FILE);
const recorded = (): Promise<string> => readFile(path(), "utf8");
const open = (options: HostOptions) => hostIn(sandbox, { discover: false, ...options });
const notes = { notes: stdioServer("notes-server.mjs") };
/** The same name, but a program that cannot start. */
const gone = { notes: { command: "no-such-program" }, tools: { command: "no-such-program" } };

async function record(
  use: (host: Awaited<ReturnType<typeof open>>) => Promise<unknown>,
  servers: HostOptions["servers"] = notes,
): Promise<void> {
  await using host = await open({ servers, record: FILE });
  await use(host);
}

describe("a replay", () => {
  test("answers calls, lists, resources and prompts without a server", async () => {
    await record(async (host) => {
      await host.call("notes", "write", { topic: "a", text: "b" });
      await host.resources.read("notes", "note://first");
      await host.prompts.get("notes", "summarize", { topic: "work" });
      await host.resources.list("notes");
    });
    await using host = await open({ servers: gone, replay: FILE });
    expect((await host.tools("notes")).map(({ tool }) => tool)).toContain("write");
    expect((await host.call("notes", "write", { text: "b", topic: "a" })).text).toBe("a is written");
    const { contents } = await host.resources.read("notes", "note://first");
    expect(contents).toMatchObject([{ text: "The first note." }]);
    expect((await host.prompts.get("notes", "summarize", { topic: "work" })).messages).toHaveLength(3);
    expect((await host.resources.list("notes")).length).toBeGreaterThan(0);
    expect(await host.connect("notes")).toMatchObject({
      name: "notes",
      version: "2.0.0",
      transport: "stdio",
    });
    const [agentTool] = (await host.session().tools()).filter(({ tool }) => tool === "write");
    expect((await agentTool?.execute({ topic: "a", text: "b" }))?.text).toBe("a is written");
  });

  test("repeats errors", async () => {
    await record((host) => failureOf(host.resources.read("notes", "note://missing")));
    await using host = await open({ servers: gone, replay: FILE });
    const error = await failureOf(host.resources.read("notes", "note://missing"));
    expect(error).toMatchObject({ code: "RESOURCE_UNKNOWN", server: "notes" });
  });

  test("repeats results with isError", async () => {
    const servers = { tools: stdioServer("tools-server.mjs") };
    await record((host) => host.call("tools", "fail", {}), servers);
    await using host = await open({ servers: gone, replay: FILE });
    expect(await host.call("tools", "fail", {})).toMatchObject({ isError: true, text: "it went wrong" });
  });

  test("gives the answers to equal requests in order, and then repeats the last", async () => {
    let count = 0;
    await using server = await serveHttp({
      name: "counter",
      version: "1",
      tools: { next: { run: () => String((count += 1)) } },
    });
    await record(
      async (host) => {
        for (let turn = 0; turn < 3; turn += 1) await host.call("counter", "next");
      },
      { counter: { url: server.url } },
    );
    await using host = await open({ servers: { counter: { url: "http://127.0.0.1:9/" } }, replay: FILE });
    const texts: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) texts.push((await host.call("counter", "next")).text);
    expect(texts).toEqual(["1", "2", "3", "3", "3"]);
  });

  test("answers for a server object without using it", async () => {
    let count = 0;
    const server = new McpServer({ name: "counter", version: "1" });
    server.registerTool("next", {}, () => ({ content: [{ type: "text", text: String((count += 1)) }] }));
    await record((host) => host.call("counter", "next"), { counter: { server } });
    await using host = await open({ servers: { counter: { server } }, replay: FILE });
    expect((await host.call("counter", "next")).text).toBe("1");
    expect(count).toBe(1);
  });

  test("reports what was not recorded", async () => {
    await record((host) => host.call("notes", "write", { topic: "a", text: "b" }));
    await using host = await open({ servers: { ...gone, other: { command: "x" } }, replay: FILE });
    const error = await failureOf(host.call("notes", "write", { topic: "c", text: "d" }));
    expect(error).toMatchObject({ code: "NOT_RECORDED", server: "notes" });
    expect(error.message).toBe(
      `${path()} contains no response of "notes" to tools/call "write" with {"topic":"c","text":"d"}.`,
    );
    expect(error.hint).toContain("1 answer to the same request with other arguments");
    expect(await failureOf(host.connect("other"))).toMatchObject({ code: "NOT_RECORDED", server: "other" });
  });

  test("saves nothing from the recording: no lists, pins or names", async () => {
    await record((host) => host.tools("notes"));
    await using elsewhere = await createSandbox();
    await elsewhere.writeProject(FILE, await recorded());
    const host = await hostIn(elsewhere, { discover: false, servers: notes, replay: FILE });
    await host.tools("notes");
    const [report] = await host.pins.review("notes");
    expect(report).toMatchObject({ isFirst: true });
    const accepting = host.pins.accept("notes", report?.hash ?? "");
    expect(await failureOf(accepting)).toMatchObject({ code: "USAGE_INVALID" });
    await host.close();
    expect(await readdir(elsewhere.home, { recursive: true })).toEqual([]);
  });

  test("runs no command, not even for a value", async () => {
    await record((host) => host.tools("notes"));
    const mark = join(sandbox.project, "it-ran");
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: {
        notes: { command: "touch", args: [mark], env: { TOKEN: `!touch ${mark}` }, eager: true },
      },
    });
    await using host = await hostIn(sandbox, { replay: FILE });
    expect((await host.tools("notes")).length).toBeGreaterThan(0);
    await host.close();
    expect(existsSync(mark)).toBe(false);
  });

  test("does not grant trust", async () => {
    await sandbox.writeProject(".mcp.json", { mcpServers: { notes: notes.notes } });
    await record((host) => host.tools("notes"));
    await using host = await hostIn(sandbox, { replay: FILE });
    expect(await failureOf(host.call("notes", "write", { topic: "a", text: "b" }))).toMatchObject({
      code: "INTERACTION_REQUIRED",
    });
    await using unknown = await open({ servers: {}, replay: FILE });
    expect(await failureOf(unknown.tools("notes"))).toMatchObject({ code: "SERVER_UNKNOWN" });
    const denied = { notes: { ...notes.notes, denyTools: ["write"] } };
    await using strict = await open({ servers: denied, replay: FILE });
    expect(await failureOf(strict.call("notes", "write", { topic: "a", text: "b" }))).toMatchObject({
      code: "TOOL_DENIED",
    });
  });
});

describe("a recording", () => {
  test("masks secrets, omits `_meta`, and only the user can read it", async () => {
    const servers = {
      tools: stdioServer("tools-server.mjs", [], { API_TOKEN: "s3cret-of-mine" }),
    };
    await record(async (host) => {
      expect((await host.call("tools", "env", { name: "API_TOKEN" })).text).toBe("s3cret-of-mine");
      await host.call(
        "tools",
        "echo",
        { text: "ghp_0123456789abcdefghij0123" },
        { meta: { "example.com/mine": 1 } },
      );
    }, servers);
    const text = await recorded();
    expect(text).not.toMatch(/s3cret-of-mine|ghp_0123|example\.com|progressToken/);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    await using host = await open({ servers: gone, replay: FILE });
    expect((await host.call("tools", "env", { name: "API_TOKEN" })).text).toBe("[secret]");
    expect((await host.call("tools", "echo", { text: "ghp_0123456789abcdefghij0123" })).text).toBe(
      "[secret]",
    );
  });

  test("replaces an earlier one, even one that others could read", async () => {
    await writeFile(path(), `${HEADER}\nold\n`);
    await chmod(path(), 0o644);
    await record((host) => host.tools("notes"));
    expect(await recorded()).not.toContain("old");
    expect((await stat(path())).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["another file", "{}"],
    ["a file that starts like one", '{"plugboardRecording":2}'],
  ])("does not replace %s", async (_, content) => {
    await writeFile(path(), content);
    const error = await failureOf(open({ servers: notes, record: FILE }));
    expect(error).toMatchObject({ code: "RECORDING_INVALID" });
    expect(await recorded()).toBe(content);
  });

  test("does not follow a link out of the project", async () => {
    const victim = await sandbox.writeHome("victim.txt", "");
    await symlink(victim, path());
    await record((host) => host.tools("notes"));
    expect(await readFile(victim, "utf8")).toBe("");
    expect(await recorded()).toContain("tools/list");
  });

  test("that cannot be written completely is a problem", async () => {
    await using host = await open({ servers: notes, record: "calls/of/mine.jsonl" });
    const folder = join(sandbox.project, "calls/of");
    await writeFile(join(sandbox.project, "blocked"), "");
    await rm(folder, { recursive: true });
    await symlink(join(sandbox.project, "blocked"), folder);
    await host.tools("notes");
    await host.close();
    expect(host.snapshot().problems).toMatchObject([{ code: "recording-incomplete", severity: "error" }]);
  });

  test("cannot be written and replayed at the same time", async () => {
    const error = await failureOf(open({ record: "a", replay: "b" }));
    expect(error).toMatchObject({ code: "USAGE_INVALID" });
  });
});

describe("a damaged recording is refused:", () => {
  const facts = { protocolVersion: "2026-07-28", era: "modern", transport: "stdio", capabilities: [] };
  const line = (value: unknown): string => `${HEADER}\n${JSON.stringify(value)}\n`;
  const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

  test.each([
    ["it does not exist", undefined],
    ["it is empty", ""],
    ["it is another file", "{}"],
    ["a line is not JSON", `${HEADER}\nnot json\n`],
    [
      "a line is empty",
      `${HEADER}\n\n${line({ server: "notes", connected: facts }).slice(HEADER.length + 1)}`,
    ],
    ["a line is cut off", line({ server: "notes", connected: facts }).slice(0, -10)],
    ["a request has no answer", line({ server: "notes", method: "tools/list", params: {} })],
    ["a result is not an object", line({ server: "notes", method: "x", params: {}, result: [] })],
    ["the facts are wrong", line({ server: "notes", connected: { ...facts, era: "future" } })],
    [
      "an error asks for a sign-in",
      line({
        server: "notes",
        method: "tools/list",
        params: {},
        error: { code: "INTERACTION_REQUIRED", message: "sign in at http://attacker.example" },
      }),
    ],
    [
      "a result is nested too deeply",
      `${HEADER}\n{"server":"notes","method":"x","params":{},"result":{"a":${nested(100_000)}}}\n`,
    ],
  ])("%s", async (_, content) => {
    if (content !== undefined) await writeFile(path(), content);
    const error = await hostErrorOf(open({ servers: notes, replay: FILE }));
    expect(error.code).toBe("RECORDING_INVALID");
    expect(error.message).toContain(path());
  });

  test("it is too large", async () => {
    const files = {
      read: () => Promise.reject(Object.assign(new Error("EFBIG: too large"), { code: "EFBIG" })),
    };
    const options = { files: { ...createMemoryFiles(), ...files }, path: "/x", redactor: new Redactor() };
    expect(await failureOf(readReplay(options))).toMatchObject({ code: "RECORDING_INVALID" });
  });
});

test("names in a recording cannot reach a prototype", async () => {
  const facts = { protocolVersion: "2026-07-28", era: "modern", transport: "stdio", capabilities: ["tools"] };
  const tools = `{"server":"notes","method":"tools/list","params":{},"result":{"__proto__":{"polluted":1},"tools":[]}}`;
  const lines = [HEADER, JSON.stringify({ server: "notes", connected: facts }), tools, ""];
  await writeFile(path(), lines.join("\n"));
  await using host = await open({ servers: notes, replay: FILE });
  expect(await host.tools("notes")).toEqual([]);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});
