import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createFakeConnection, type FakeConnection } from "../../test/support/fake-connection.ts";
import { HostError, type JsonObject, type JsonValue } from "../model/index.ts";
import { CATALOG_KINDS, type Catalog, problemsOf, readCatalog } from "./catalog.ts";

const tool = (name: string): JsonObject => ({ name, inputSchema: { type: "object" } });
const read = async (
  connection: FakeConnection,
  before?: Catalog,
  kinds = CATALOG_KINDS,
  elapsed = (): number => 5,
) => {
  const catalog = await readCatalog(connection, { kinds, timeoutMs: 1_000, now: () => 5, elapsed, before });
  return { ...catalog, problems: problemsOf(catalog) };
};

async function readTools(answer: (params: JsonObject) => JsonObject) {
  const connection = createFakeConnection((_, params) => answer(params));
  const { tools, problems } = await read(connection);
  return { names: tools.map(({ name }) => name), problems, asked: connection.asked };
}

const partial = (count: number) => ({
  code: "list-partial",
  severity: "warning",
  message: `server "files": its list of tools does not end; the first ${count} are used`,
  server: "files",
});
const dropped = (why: string) => ({
  code: "tool-invalid",
  severity: "warning",
  message: `server "files": one tool was dropped: ${why}`,
  server: "files",
});

describe("pages", () => {
  test("are read one after the other to the end", async () => {
    const pages: Record<string, JsonObject> = {
      "": { tools: [tool("a")], nextCursor: "2" },
      "2": { tools: [tool("b")], nextCursor: "3" },
      "3": { tools: [tool("c")] },
    };
    expect(await readTools(({ cursor = "" }) => pages[String(cursor)] ?? {})).toEqual({
      names: ["a", "b", "c"],
      problems: [],
      asked: ["tools/list", "tools/list 2", "tools/list 3"],
    });
  });

  test("end if the next cursor is empty", async () => {
    expect(await readTools(() => ({ tools: [tool("a")], nextCursor: "" }))).toEqual({
      names: ["a"],
      problems: [],
      asked: ["tools/list"],
    });
  });

  test("with a repeated cursor are truncated, and the first ones are kept", async () => {
    const read = await readTools(({ cursor }) => ({
      tools: [tool(cursor === undefined ? "a" : "b")],
      nextCursor: "again",
    }));
    expect(read).toEqual({
      names: ["a", "b"],
      problems: [partial(2)],
      asked: ["tools/list", "tools/list again"],
    });
  });

  test("without end are truncated after a thousand, and the first ones are kept", async () => {
    const { names, problems, asked } = await readTools(({ cursor = "0" }) => ({
      tools: [tool(`tool-${String(cursor)}`)],
      nextCursor: String(Number(cursor) + 1),
    }));
    expect({ count: names.length, problems, asked: asked.length }).toEqual({
      count: 1_000,
      problems: [partial(1_000)],
      asked: 1_000,
    });
  });

  test.each([
    [50_000, []],
    [50_001, [partial(50_000)]],
  ])("of %i tools are read up to fifty thousand", async (count, expected) => {
    const tools = Array.from({ length: count }, (_, index) => tool(`t${index}`));
    const { names, problems } = await readTools(() => ({ tools }));
    expect({ count: names.length, problems }).toEqual({ count: 50_000, problems: expected });
  });

  test("that arrive slowly are truncated after five times the limit of one", async () => {
    let now = 0;
    const limits: number[] = [];
    const connection = createFakeConnection((_, { cursor = "0" }) => {
      now += 900;
      return { tools: [tool(`tool-${String(cursor)}`)], nextCursor: String(Number(cursor) + 1) };
    });
    const request = connection.request.bind(connection);
    const timed: FakeConnection = {
      ...connection,
      request: (method, params, options) => {
        limits.push(options.timeoutMs);
        return request(method, params, options);
      },
    };
    const { tools, problems } = await read(timed, undefined, ["tools"], () => now);
    expect(limits).toEqual([1_000, 1_000, 1_000, 1_000, 1_000, 500]);
    expect(tools).toHaveLength(6);
    expect(problems.map(({ message }) => message)).toEqual([
      'server "files": its list of tools takes too long; the first 6 are used',
    ]);
  });

  test("with very large unusable tools are also truncated", async () => {
    const { problems, asked } = await readTools(({ cursor = "0" }) => ({
      tools: Array.from({ length: 14 }, (_, at) => ({ name: `${at}${"n".repeat(100_000)}` })),
      nextCursor: String(Number(cursor) + 1),
    }));
    expect(asked.length).toBeLessThan(20);
    expect(problems.at(-1)?.message).toBe(
      'server "files": its list of tools is too large; the first 0 are used',
    );
  });

  test("with many unusable tools are also truncated", async () => {
    const { problems, asked } = await readTools(({ cursor = "0" }) => ({
      tools: Array.from({ length: 10_000 }, () => 0),
      nextCursor: String(Number(cursor) + 1),
    }));
    expect(asked.length).toBeLessThan(20);
    expect(problems.at(-1)?.message).toBe(
      'server "files": its list of tools does not end; the first 0 are used',
    );
  });

  test("that are not lists contain nothing", async () => {
    expect((await readTools(() => ({ tools: "all of them" }))).names).toEqual([]);
  });
});

describe("one bad tool", () => {
  const deep: JsonObject = JSON.parse(`${'{"properties":'.repeat(20_000)}{}${"}".repeat(20_000)}`);

  test.each<[string, JsonValue, string]>([
    ["is nothing", null, "it is not an object"],
    ["is a text", "read", "it is not an object"],
    ["has no name", { inputSchema: {} }, "it has no usable name"],
    ["has an empty name", { name: "" }, "it has no usable name"],
    ["has a name that is none", { name: 5 }, "it has no usable name"],
    ["has an endless name", { name: "x".repeat(1_025) }, "it has no usable name"],
    [
      "has a schema that is not an object",
      { name: "bad", inputSchema: [] },
      '"bad" has an inputSchema that is not an object',
    ],
    [
      "has a schema that is nested too deeply",
      { name: "bad", inputSchema: deep },
      '"bad" has a schema that is nested too deeply',
    ],
    [
      "has an output schema that is nested too deeply",
      { name: "bad", outputSchema: deep },
      '"bad" has a schema that is nested too deeply',
    ],
    ["has the name of another", tool("good"), '"good" is listed twice'],
    [
      "has a name with terminal control characters",
      { name: "\u001b[2J", inputSchema: 1 },
      '"\\x1b[2J" has an inputSchema that is not an object',
    ],
  ])("that %s is dropped alone", async (_, bad, why) => {
    const { names, problems } = await readTools(() => ({ tools: [tool("good"), bad, tool("other")] }));
    expect({ names, problems }).toEqual({ names: ["good", "other"], problems: [dropped(why)] });
  });

  test("is not reported each time if there are many", async () => {
    const { problems } = await readTools(() => ({ tools: Array.from({ length: 5_000 }, () => null) }));
    expect([problems.length, problems.at(-1)]).toEqual([
      21,
      { ...dropped(""), message: 'server "files": 4980 more tools were dropped' },
    ]);
  });
});

describe("a catalog", () => {
  const ALL = ["tools", "resources", "prompts"];
  const LISTS: Record<string, JsonObject> = {
    "tools/list": {
      tools: [
        {
          name: "read",
          title: "Read",
          description: 5,
          outputSchema: { type: "object" },
          annotations: { title: "R", readOnlyHint: true, destructiveHint: "no", other: 1 },
          _meta: { secret: true },
        },
      ],
    },
    "resources/list": {
      resources: [{ uri: "file:///a" }, { uri: "file:///b", name: "B", mimeType: "text/plain" }, {}],
    },
    "resources/templates/list": {
      resourceTemplates: [
        { uriTemplate: "file:///{path}", name: "Any file", odd: 1 },
        { name: "no template" },
      ],
    },
    "prompts/list": {
      prompts: [
        {
          name: "ask",
          arguments: [{ name: "topic", required: true }, { name: "tone", description: "How" }, 5, {}],
        },
        { description: "nameless" },
      ],
    },
  };

  test("contains only the fields that the protocol defines", async () => {
    const connection = createFakeConnection((method) => LISTS[method] ?? {}, ALL);
    const { problems, readings: _, ...catalog } = await read(connection);
    expect({ catalog, problems: problems.map(({ message }) => message).sort() }).toEqual({
      catalog: {
        tools: [
          {
            name: "read",
            title: "Read",
            inputSchema: { type: "object", properties: {} },
            outputSchema: { type: "object" },
            annotations: { title: "R", readOnlyHint: true },
          },
        ],
        resources: [
          { uri: "file:///a", name: "file:///a" },
          { uri: "file:///b", name: "B", mimeType: "text/plain" },
        ],
        prompts: [
          {
            name: "ask",
            arguments: [
              { name: "topic", required: true },
              { name: "tone", description: "How", required: false },
            ],
          },
        ],
        resourceTemplates: [{ uriTemplate: "file:///{path}", name: "Any file" }],
        instructions: "Paths are absolute.",
      },
      problems: [
        'server "files": one prompt was dropped: it has no usable name',
        'server "files": one resource template was dropped: it has no usable uriTemplate',
        'server "files": one resource was dropped: it has no usable uri',
      ],
    });
  });

  test("requests only lists that the server supports", async () => {
    const connection = createFakeConnection((method) => LISTS[method] ?? {}, ["prompts"]);
    await read(connection);
    expect(connection.asked).toEqual(["prompts/list"]);
  });

  test("omits resources and prompts that cannot be read, and reports a problem for each", async () => {
    const connection = createFakeConnection((method) => {
      if (method !== "tools/list") throw new Error("not today");
      return { tools: [tool("a")] };
    }, ALL);
    const { tools, problems } = await read(connection);
    expect({ tools: tools.length, problems: problems.map(({ message }) => message).sort() }).toEqual({
      tools: 1,
      problems: [
        'server "files": its list of prompts cannot be read: not today',
        'server "files": its list of resource templates cannot be read: not today',
        'server "files": its list of resources cannot be read: not today',
      ],
    });
  });

  test("cannot be read without its tools", async () => {
    const connection = createFakeConnection(() => Promise.reject(new Error("not today")), ALL);
    await expect(read(connection)).rejects.toThrow("not today");
  });

  test("has no templates and no problem if the server does not support them", async () => {
    const unknown = new HostError("REQUEST_REFUSED", "Method not found", { rpcCode: -32601 });
    const connection = createFakeConnection(
      (method) => {
        if (method === "resources/templates/list") throw unknown;
        return LISTS[method] ?? {};
      },
      ["resources"],
    );
    const { resources, resourceTemplates, problems } = await read(connection);
    expect([resources.length, resourceTemplates, problems.length]).toEqual([2, [], 1]);
  });

  test("keeps the other lists if one kind is read again, and lists that cannot be read again", async () => {
    let broken = false;
    const connection = createFakeConnection((method) => {
      if (broken) throw new Error("not today");
      return LISTS[method] ?? {};
    }, ALL);
    const before = await read(connection);
    broken = true;
    connection.asked.length = 0;
    const after = await read(connection, before, ["prompts"]);
    expect([after.tools, after.resources, after.prompts, connection.asked]).toEqual([
      before.tools,
      before.resources,
      before.prompts,
      ["prompts/list"],
    ]);
    expect(after.readings.prompts).toMatchObject({ ttlMs: 0, problems: [{ code: "list-partial" }] });
    expect(after.readings.tools).toEqual(before.readings.tools);
  });

  test.each([
    ["no time to live if the server sends none", [{}, {}], undefined],
    ["the shortest time to live of all pages", [{ ttlMs: 9_000 }, { ttlMs: 4_000 }], 4_000],
    ["no time to live if the server's values are invalid", [{ ttlMs: -1 }, { ttlMs: "1" }], undefined],
  ])("has %s", async (_, [first = {}, second = {}], expected) => {
    const connection = createFakeConnection((_method, { cursor }) =>
      cursor === undefined ? { tools: [tool("a")], nextCursor: "2", ...first } : { tools: [], ...second },
    );
    expect((await read(connection)).readings.tools.ttlMs).toBe(expected);
  });
});

test("reading ten thousand tools lets other work run", async () => {
  const tools = Array.from({ length: 10_000 }, (_, index) => tool(`t${index}`));
  let turns = 0;
  const done = new AbortController();
  const others = async (): Promise<void> => {
    for (; !done.signal.aborted; turns += 1) await nextTurn();
  };
  const running = others();
  const catalog = await read(createFakeConnection(() => ({ tools })));
  done.abort();
  await running;
  expect(catalog.tools).toHaveLength(10_000);
  expect(turns).toBeGreaterThanOrEqual(40);
});

describe("a list that ends early", () => {
  const broken = (code: "REQUEST_REFUSED" | "CONNECTION_LOST"): FakeConnection =>
    createFakeConnection((_, { cursor }) => {
      if (cursor !== undefined) throw new HostError(code, "page 2 is on fire");
      return { tools: [tool("a")], nextCursor: "2", ttlMs: 60_000 };
    });

  test("because a page is refused keeps the earlier pages and is stale", async () => {
    const { tools, problems, readings } = await read(broken("REQUEST_REFUSED"));
    expect({ tools: tools.map(({ name }) => name), ttlMs: readings.tools.ttlMs, problems }).toEqual({
      tools: ["a"],
      ttlMs: 0,
      problems: [
        {
          code: "list-partial",
          severity: "warning",
          message: 'server "files": its list of tools ends early (page 2 is on fire); the first 1 are used',
          server: "files",
        },
      ],
    });
  });

  test("because the connection is closed is rejected", async () => {
    await expect(read(broken("CONNECTION_LOST"))).rejects.toMatchObject({ code: "CONNECTION_LOST" });
  });
});

test("a cursor of several megabytes is neither kept nor sent", async () => {
  const { names, problems, asked } = await readTools(() => ({
    tools: [tool("a")],
    nextCursor: "x".repeat(1_000_000),
  }));
  expect(names).toEqual(["a"]);
  expect(problems.map(({ message }) => message)).toEqual([
    'server "files": its list of tools has a cursor that is too long; the first 1 are used',
  ]);
  expect(JSON.stringify(asked).length).toBeLessThan(10_000);
});
