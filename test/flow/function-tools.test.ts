import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { AgentTool, FunctionTool, Session } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { eventsOf, hostIn, PATIENTLY } from "./host-in.ts";

const TEXT = { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const;
const ECHO: FunctionTool<typeof TEXT> = {
  description: "Repeats a text",
  inputSchema: TEXT,
  execute: ({ text }) => text,
};
const RAW = { raw: stdioServer("raw-server.mjs") };

const named = async (session: Session, name: string): Promise<AgentTool> => {
  const tool = (await session.tools()).find((each) => each.name === name);
  if (tool === undefined) throw new Error(`${name} is not there`);
  return tool;
};

test("a function is a tool next to the servers' tools, with its own name", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: RAW });
  const session = host.session({ tools: { repeat: ECHO } });
  const tools = await session.tools(PATIENTLY);
  expect(tools.map(({ name }) => name)).toEqual(["mcp_raw_echo", "mcp_raw_pid", "repeat"]);
  expect(tools.at(-1)).toMatchObject({
    title: "repeat",
    description: "Repeats a text",
    inputSchema: TEXT,
    server: "program",
    tool: "repeat",
    approval: "allow",
    stale: false,
  });
  expect(await tools.at(-1)?.execute({ text: "hi" })).toEqual({
    text: "hi",
    parts: [{ type: "text", text: "hi" }],
    isError: false,
    details: {
      serverName: "program",
      mcpToolName: "repeat",
      provider: "program",
      source: { tool: "program", scope: "program", tier: "user", file: "host.session({ tools })" },
    },
  });
});

test("functions are available with selected servers or none, and only in their session", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: RAW });
  const names = async (session: Session) => (await session.tools()).map(({ name }) => name);
  const tools = { repeat: ECHO };
  expect(await names(host.session({ tools, servers: [] }))).toEqual(["repeat"]);
  expect(await names(host.session({ tools, servers: ["raw"] }))).toContain("repeat");
  expect(await names(host.session())).not.toContain("repeat");
  expect((await host.tools()).map(({ name }) => name)).not.toContain("repeat");
  await expect(host.call("program", "repeat", { text: "x" })).rejects.toThrow('Unknown server "program"');
});

describe("the schema of a function", () => {
  test.each<[string, Record<string, FunctionTool>]>([
    [
      "Zod",
      {
        add: {
          description: "Adds",
          inputSchema: z.object({ a: z.number(), b: z.number().default(2) }),
          execute: ({ a, b }: { a: number; b: number }) => a + b,
        },
      },
    ],
    [
      "Valibot",
      {
        add: {
          description: "Adds",
          inputSchema: v.object({ a: v.number(), b: v.optional(v.number(), 2) }),
          execute: ({ a, b }: { a: number; b: number }) => a + b,
        },
      },
    ],
    [
      "Valibot with Standard JSON Schema",
      {
        add: {
          description: "Adds",
          inputSchema: toStandardJsonSchema(v.object({ a: v.number(), b: v.optional(v.number(), 2) })),
          execute: ({ a, b }: { a: number; b: number }) => a + b,
        },
      },
    ],
    [
      "ArkType",
      {
        add: {
          description: "Adds",
          inputSchema: type({ a: "number", b: "number = 2" }),
          execute: ({ a, b }: { a: number; b: number }) => a + b,
        },
      },
    ],
  ])("can be made with %s, which parses the arguments", async (_, tools) => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox);
    const add = await named(host.session({ tools }), "add");
    expect(add.inputSchema).toMatchObject({
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a"],
    });
    expect(await add.execute({ a: 1 })).toMatchObject({ text: "3", structured: 3 });
    expect(await add.execute({ a: "1" })).toMatchObject({
      isError: true,
      text: expect.stringContaining('MCP error: Invalid arguments for "add"'),
    });
  });

  test("may have rules that JSON Schema cannot express", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox);
    const session = host.session({
      tools: {
        reserve: {
          description: "Reserves",
          inputSchema: z
            .object({ range: z.object({ from: z.number(), to: z.number() }) })
            .refine(({ range }) => range.from < range.to, { path: ["range", "to"], message: "is too early" }),
          execute: ({ range }) => `${range.to - range.from} days`,
        },
      },
    });
    const reserve = await named(session, "reserve");
    expect(await reserve.execute({ range: { from: 1, to: 3 } })).toMatchObject({ text: "2 days" });
    expect(await reserve.execute({ range: { from: 3, to: 1 } })).toMatchObject({
      isError: true,
      text: 'Error: Invalid arguments for "reserve": range.to: is too early.',
    });
  });

  test("types the arguments of execute", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox);
    host.session({
      tools: {
        zod: {
          description: "Zod",
          inputSchema: z.object({ a: z.string(), b: z.string().transform(Number) }),
          execute: ({ a, b }) => [a satisfies string, b satisfies number],
        },
        valibot: {
          description: "Valibot",
          inputSchema: v.object({ a: v.string() }),
          execute: ({ a }) => a satisfies string,
        },
        arktype: {
          description: "ArkType",
          inputSchema: type({ a: "string", "b?": "number" }),
          execute: ({ a, b }) => [a satisfies string, b satisfies number | undefined],
        },
        json: {
          description: "JSON Schema",
          inputSchema: {
            type: "object",
            properties: {
              a: { type: "string" },
              b: { type: "array", items: { enum: ["x", "y"] } },
              c: { type: ["integer", "null"] },
            },
            required: ["a"],
          },
          execute: ({ a, b, c }) => [
            a satisfies string,
            b satisfies readonly ("x" | "y")[] | undefined,
            c satisfies number | null | undefined,
          ],
        },
        wrong: {
          description: "Wrong",
          inputSchema: z.object({ a: z.string() }),
          // @ts-expect-error there is no b
          execute: ({ b }) => b as unknown,
        },
      },
    });
  });

  test("must be convertible to JSON Schema", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox);
    const own = {
      "~standard": { version: 1, vendor: "own", validate: (value: unknown) => ({ value }) },
    } as const;
    const make = (inputSchema: FunctionTool["inputSchema"]) =>
      host.session({ tools: { x: { description: "x", inputSchema, execute: () => "" } } }).tools();
    await expect(make(own)).rejects.toThrow(
      'The schema of the tool "x" cannot be converted to JSON Schema: own does not support Standard JSON Schema.',
    );
    await expect(make(z.object({ at: z.date() }))).rejects.toThrow(
      'The schema of the tool "x" cannot be converted to JSON Schema: ',
    );
  });
});

test.each<[string, (args: object) => unknown, object]>([
  ["a text", () => "yes", { text: "yes", isError: false }],
  ["nothing", () => undefined, { text: "", isError: false }],
  ["an object", () => ({ n: 1 }), { text: '{"n":1}', structured: { n: 1 }, isError: false }],
  ["a list", async () => [1, 2], { text: "[1,2]", structured: [1, 2] }],
  [
    "a result of MCP",
    () => ({ content: [{ type: "image", data: "aGk=", mimeType: "image/png" }], isError: false }),
    { parts: [{ type: "image", mimeType: "image/png" }] },
  ],
  ["a failed result of MCP", () => ({ content: [], isError: true }), { isError: true }],
  [
    "an error",
    () => {
      throw new Error("no such note");
    },
    { text: "Error: no such note", isError: true },
  ],
  [
    "a value that is not JSON",
    () => ({ n: 1n }),
    { text: expect.stringContaining("Error: The result is not valid JSON: "), isError: true },
  ],
])("a function may return %s", async (_, execute, expected) => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox);
  const tools = { run: { description: "Runs", inputSchema: { type: "object" }, execute } };
  expect(await (await named(host.session({ tools }), "run")).execute({})).toMatchObject(expected);
});

test("a function's values are copied", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox);
  const kept = { list: [1] };
  const tools = {
    keep: {
      description: "Keeps",
      inputSchema: { type: "object", properties: { list: { type: "array", items: { type: "number" } } } },
      execute: ({ list }: { list?: readonly number[] }) => {
        (list as number[]).push(2);
        return kept;
      },
    },
  } as const;
  const args = { list: [1] };
  const { structured } = await (await named(host.session({ tools }), "keep")).execute(args);
  kept.list.push(2);
  expect([args, structured]).toEqual([{ list: [1] }, { list: [1] }]);
});

describe("a call to a function", () => {
  test("needs approval if the function says so, like a server's tool", async () => {
    await using sandbox = await createSandbox();
    const asked: unknown[] = [];
    await using host = await hostIn(sandbox, {
      interaction: "ask",
      onCall: (request) => {
        asked.push(request);
        return request.args["text"] === "yes";
      },
    });
    const session = host.session({
      tools: {
        ask: { ...ECHO, approval: "ask" },
        never: { ...ECHO, approval: "deny" },
        write: { ...ECHO, approval: "ask-writes" },
        look: { ...ECHO, approval: "ask-writes", annotations: { readOnlyHint: true } },
      },
    });
    const tools = await session.tools();
    expect(tools.map(({ name, approval }) => [name, approval])).toEqual([
      ["ask", "ask"],
      ["look", "allow"],
      ["write", "ask"],
    ]);
    const call = async (name: string, text: string) =>
      (await (await named(session, name)).execute({ text })).text;
    expect(await call("look", "x")).toBe("x");
    expect(await call("ask", "yes")).toBe("yes");
    expect(await call("write", "no")).toContain('The call to "write" of "program" was not approved');
    expect(asked).toMatchObject([
      { server: "program", tool: "ask", args: { text: "yes" } },
      { server: "program", tool: "write", args: { text: "no" } },
    ]);
    expect(await (await named(session, "ask")).execute({ text: "no" }, { approved: true })).toMatchObject({
      text: "no",
    });
  });

  test("reports progress and can be cancelled, even if the function ignores the signal", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox);
    const events = eventsOf(host);
    let heard: AbortSignal | undefined;
    const session = host.session({
      tools: {
        wait: {
          description: "Waits",
          inputSchema: { type: "object" },
          execute(_, { signal, onProgress }) {
            heard = signal;
            onProgress({ progress: 1, message: "started" });
            return new Promise(() => {});
          },
        },
      },
    });
    const abort = new AbortController();
    const wait = await named(session, "wait");
    const options = { signal: abort.signal, onProgress: () => abort.abort() };
    await expect(wait.execute({}, options)).rejects.toThrow("aborted");
    expect(heard?.aborted).toBe(true);
    expect(events).toContainEqual({
      type: "call.progress",
      server: "program",
      tool: "wait",
      progress: { progress: 1, message: "started" },
    });
  });

  test("fails after the host is closed", async () => {
    await using sandbox = await createSandbox();
    const host = await hostIn(sandbox);
    const repeat = await named(host.session({ tools: { repeat: ECHO } }), "repeat");
    await host.close();
    expect(await repeat.execute({ text: "x" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("This host is closed"),
    });
  });
});

describe("names", () => {
  test.each(["", "two words", "é", "x".repeat(65), "mcp_search_tools", "MCP_call_tool"])(
    "%j is refused as a function's name",
    async (name) => {
      await using sandbox = await createSandbox();
      await using host = await hostIn(sandbox);
      expect(() => host.session({ tools: { [name]: ECHO } })).toThrow(`Invalid tool name "${name}"`);
    },
  );

  test("a server's tool with the same name gets another one", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: RAW });
    const session = host.session({ tools: { MCP_raw_echo: ECHO } });
    const names = (await session.tools()).map(({ name }) => name);
    expect(names).toEqual([
      "MCP_raw_echo",
      expect.stringMatching(/^mcp_raw_echo_[0-9a-f]{8}$/),
      "mcp_raw_pid",
    ]);
    expect((await host.session().tools()).map(({ name }) => name)).toContain("mcp_raw_echo");
  });

  test("a server named program is not available, so that it cannot impersonate the program", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { program: RAW.raw } });
    const session = host.session({ tools: { echo: ECHO } });
    expect((await session.tools()).map(({ name }) => name)).toEqual(["echo"]);
    expect(host.snapshot().problems).toMatchObject([{ code: "name-collision", server: "program" }]);
    expect((await host.session().tools()).map(({ name }) => name)).toContain("mcp_program_echo");
  });

  test("a name of an earlier session that this one continues cannot be taken", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: RAW });
    const first = host.session({ tools: { repeat: ECHO } });
    await first.tools();
    const second = host.session({ continues: first, tools: { repeat: ECHO } });
    expect((await second.tools()).map(({ name }) => name)).toContain("repeat");
    expect(() => host.session({ continues: first, tools: { mcp_raw_echo: ECHO } })).toThrow(
      'The tool name "mcp_raw_echo" is already used by "echo" of "raw".',
    );
  });

  test.each(["__proto__", "constructor", "toString"])("%s is an ordinary name", async (name) => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox);
    const tools = Object.fromEntries([[name, { ...ECHO, approval: "ask" as const }]]);
    expect(await named(host.session({ tools }), name)).toMatchObject({ name, approval: "ask" });
  });

  test("names that differ only in case are the same", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox);
    expect(() => host.session({ tools: { add: ECHO, Add: ECHO } })).toThrow(
      'The tool name "Add" is already used by "add" of "program".',
    );
  });
});

test("search finds functions in meta mode, and calls them", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: RAW });
  const session = host.session({
    mode: "meta",
    tools: { remember: { ...ECHO, description: "Stores a shopping item in the pantry" } },
  });
  const found = await (await named(session, "mcp_search_tools")).execute({ query: "shopping pantry" });
  expect(found.text).toMatch(/^remember\(.*\)/);
  const called = await (await named(session, "mcp_call_tool")).execute({
    name: "remember",
    arguments: { text: "milk" },
  });
  expect(called).toMatchObject({ text: "milk" });
});

test("a session with functions follows its servers, and keeps the functions", async () => {
  await using sandbox = await createSandbox();
  const file = ".plugboard/mcp.json";
  await sandbox.writeHome(file, { mcpServers: {} });
  await using host = await hostIn(sandbox);
  const session = host.session({ tools: { repeat: ECHO } });
  await session.tools();
  const changed = new Promise<string[]>((resolve) => {
    session.subscribe(({ tools }) => resolve(tools.map(({ name }) => name)));
  });
  await sandbox.writeHome(file, { mcpServers: RAW });
  await host.reload();
  expect(await changed).toEqual(["mcp_raw_echo", "mcp_raw_pid", "repeat"]);
});
