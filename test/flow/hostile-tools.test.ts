import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { type ScriptedTool, serveHttp } from "../../src/testing/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { failureOf, hostIn, PATIENTLY } from "./host-in.ts";

const answer = (result: JsonObject | string): ScriptedTool => ({ run: () => result });
const GOOD = answer("good");

async function hostWith(sandbox: Sandbox, tools: Record<string, ScriptedTool>, rules: object = {}) {
  const server = await serveHttp({ name: "\u001b[31mevil", version: "1", tools });
  const host = await hostIn(sandbox, { servers: { evil: { type: "http", url: server.url, ...rules } } });
  return {
    host,
    async [Symbol.asyncDispose]() {
      await host.close();
      await server.close();
    },
  };
}

function deep(levels: number): JsonObject {
  let schema: JsonObject = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = { type: "object", properties: { a: schema } };
  return schema;
}

describe("a hostile definition", () => {
  test.each<[string, Partial<ScriptedTool>]>([
    [
      "a list of 300,000 schemas",
      { inputSchema: { type: "object", anyOf: Array.from({ length: 300_000 }, () => ({})) } },
    ],
    [
      "100,000 properties",
      {
        inputSchema: {
          type: "object",
          properties: Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`p${index}`, {}])),
        },
      },
    ],
    [
      "an enum of 300,000 values in its output schema",
      {
        outputSchema: {
          type: "object",
          properties: { a: { enum: Array.from({ length: 300_000 }, () => []) } },
        },
      },
    ],
  ])("with %s is quarantined alone, and its schemas are not kept", async (_, definition) => {
    await using sandbox = await createSandbox();
    await using held = await hostWith(sandbox, { good: GOOD, huge: { ...GOOD, ...definition } });
    expect((await held.host.tools(PATIENTLY)).map(({ tool }) => tool)).toEqual(["good"]);
    expect(held.host.snapshot().problems.map(({ code, message }) => [code, message])).toEqual([
      ["tool-quarantined", 'server "evil": tool "huge" is quarantined: its schema is larger than 256 KB'],
    ]);
    expect(await failureOf(held.host.call("evil", "huge"))).toMatchObject({ code: "TOOL_DENIED" });
    expect(await held.host.call("evil", "good")).toMatchObject({ text: "good" });
    await held.host.close();
    const files = await readdir(sandbox.home, { recursive: true, withFileTypes: true });
    const sizes = await Promise.all(
      files
        .filter((file) => file.isFile())
        .map(async (file) => (await stat(join(file.parentPath, file.name))).size),
    );
    expect(sizes.length).toBeGreaterThan(0);
    expect(Math.max(...sizes)).toBeLessThan(100_000);
  });

  test("with a bad schema is quarantined alone, with its reason", async () => {
    await using sandbox = await createSandbox();
    const tools = {
      good: GOOD,
      broken: { ...GOOD, inputSchema: { type: "object", properties: { a: { type: "color" } } } },
      large: { ...GOOD, inputSchema: { type: "object", description: "x".repeat(300_000) } },
      deep: { ...GOOD, inputSchema: deep(40) },
    };
    await using held = await hostWith(sandbox, tools);
    expect((await held.host.tools(PATIENTLY)).map(({ tool }) => tool)).toEqual(["good"]);
    expect(held.host.snapshot().problems.map(({ code, message }) => [code, message])).toEqual([
      [
        "tool-quarantined",
        'server "evil": tool "broken" is quarantined: its input schema has an unknown type',
      ],
      [
        "tool-quarantined",
        'server "evil": tool "large" is quarantined: its input schema is larger than 256 KB',
      ],
      [
        "tool-quarantined",
        'server "evil": tool "deep" is quarantined: its input schema is nested deeper than 32 levels',
      ],
    ]);
    expect(await held.host.call("evil", "good")).toMatchObject({ text: "good" });
    expect(await failureOf(held.host.call("evil", "large"))).toMatchObject({
      code: "TOOL_DENIED",
      message: expect.stringContaining("is quarantined"),
    });
  });

  test("is reported by a check of the tools, without contacting its server", async () => {
    await using sandbox = await createSandbox();
    const broken = { ...GOOD, inputSchema: { type: "object", properties: { a: { type: "color" } } } };
    await using held = await hostWith(sandbox, { good: GOOD, broken });
    expect(await held.host.doctor.checkTools()).toEqual([]); // nothing is known yet
    await held.host.tools(PATIENTLY);
    const [{ url = "" } = {}] = held.host.servers();
    await held.host.close();
    await using later = await hostIn(sandbox, { servers: { evil: { type: "http", url } } });
    expect(await later.doctor.checkTools("evil")).toMatchObject([
      { code: "tool-quarantined", server: "evil" },
    ]);
    expect(later.servers().map(({ state }) => state)).toEqual(["idle"]);
  });

  test("stays quarantined when it comes from the cache, even after a run without findings", async () => {
    await using sandbox = await createSandbox();
    const bad = { type: "object", properties: { a: { type: "color" } } };
    const tools: Record<string, ScriptedTool> = { good: GOOD, other: GOOD };
    await using server = await serveHttp({ name: "evil", version: "1", tools });
    const offered = async (refresh = false): Promise<string[]> => {
      await using host = await hostIn(sandbox, { servers: { evil: { type: "http", url: server.url } } });
      return (await host.tools("evil", { refresh })).map(({ tool }) => tool);
    };
    expect(await offered()).toEqual(["good", "other"]);
    expect(await offered()).toEqual(["good", "other"]);
    tools["other"] = { ...GOOD, inputSchema: bad };
    expect(await offered(true)).toEqual(["good"]);
    expect(await offered()).toEqual(["good"]);
  });

  test("cannot hide text from a reader, and has a limited length", async () => {
    await using sandbox = await createSandbox();
    const description = `Adds.\u{e0049}\u{e0067}\u202e\u200b\u001b[2J ${"x".repeat(10_000)}`;
    await using held = await hostWith(sandbox, { add: { ...GOOD, title: "A\nB\u0007", description } });
    const [tool] = await held.host.tools(PATIENTLY);
    expect(tool?.title).toBe("A ⏎ B\\x07");
    expect(tool?.description).toMatch(/^Adds\.\\u\{e0049\}\\u\{e0067\}\\u\{202e\}\\u\{200b\}\\x1b\[2J x+…$/);
    expect(tool?.description.length).toBeLessThanOrEqual(4_096);
    expect(held.host.snapshot().problems).toMatchObject([{ code: "tool-suspicious" }]);
  });

  test("cannot hide text in the descriptions of its schemas, whose values stay unchanged", async () => {
    await using sandbox = await createSandbox();
    const hidden = "a\u{e0049}\u200b";
    const schemaOf = (words: string): JsonObject => ({
      type: "object",
      title: words,
      properties: {
        description: { type: "string", description: words, default: hidden, enum: [hidden] },
        list: { type: "array", items: { anyOf: [{ const: { title: hidden }, $comment: words }] } },
      },
    });
    const add = { ...GOOD, inputSchema: schemaOf(hidden), outputSchema: schemaOf(hidden) };
    await using held = await hostWith(sandbox, { add });
    const [tool] = await held.host.tools(PATIENTLY);
    expect(tool?.inputSchema).toEqual(schemaOf("a\\u{e0049}\\u{200b}"));
    expect(tool?.outputSchema).toEqual(schemaOf("a\\u{e0049}\\u{200b}"));
  });

  test.each(["__proto__", "constructor", "../../../etc/passwd", "CON", "a\u0000b", "日本", "x".repeat(900)])(
    "is harmless whatever its name: %j",
    async (name) => {
      await using sandbox = await createSandbox();
      const tools: Record<string, ScriptedTool> = Object.create(null);
      Object.defineProperty(tools, name, { value: GOOD, enumerable: true });
      await using held = await hostWith(sandbox, tools);
      const [tool] = await held.host.tools(PATIENTLY);
      expect(tool?.name).toMatch(/^mcp_[a-z_0-9]{1,60}$/);
      expect(await tool?.execute({})).toMatchObject({ text: "good", isError: false });
      expect(({} as Record<string, unknown>)["good"]).toBeUndefined();
      await held.host.close();
      const state = await readdir(join(sandbox.home, ".local/state/plugboard"), { recursive: true });
      expect(state.filter((file) => /passwd|CON|proto/.test(file))).toEqual([]);
    },
  );

  test("with a pattern that can run forever is checked quickly", async () => {
    await using sandbox = await createSandbox();
    const inputSchema = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
    await using held = await hostWith(sandbox, { match: { ...GOOD, inputSchema } });
    const failure = await failureOf(held.host.call("evil", "match", { a: `${"a".repeat(40)}!` }));
    expect(failure).toMatchObject({
      code: "TOOL_ARGUMENTS_INVALID",
      hint: "It is called as match(a?: string).",
    });
    expect(await held.host.call("evil", "match", { a: "aaa" })).toMatchObject({ text: "good" });
  });

  test("gets wrong arguments rejected with an explanation for the model", async () => {
    await using sandbox = await createSandbox();
    const properties = { path: { type: "string" }, limit: { type: "integer", minimum: 1 } };
    const inputSchema = { type: "object", properties, required: ["path"], additionalProperties: false };
    await using held = await hostWith(sandbox, { list: { ...GOOD, inputSchema } });
    const [tool] = await held.host.tools(PATIENTLY);
    expect((await tool?.execute({ pth: "a", limit: 0 }))?.text).toBe(
      'MCP error: Invalid arguments for "list": "path" is required; "pth" is not an argument of this tool (did you mean "path"?); "limit" must be at least 1. It is called as list(path: string, limit?: integer).',
    );
  });
});

describe("a hostile result", () => {
  const files = (sandbox: Sandbox) => readdir(join(sandbox.home, ".local/state/plugboard/artifacts"));

  test("that is huge reaches the model as a preview, and is saved in a private file", async () => {
    await using sandbox = await createSandbox();
    await using held = await hostWith(sandbox, { dump: answer("word ".repeat(100_000)) });
    const [tool] = await held.host.tools(PATIENTLY);
    const result = await tool?.execute({});
    expect(result?.text.length).toBeLessThan(10_000);
    const [artifact] = result?.details.artifacts ?? [];
    expect(await readFile(artifact?.path ?? "", "utf8")).toBe("word ".repeat(100_000));
    expect(await files(sandbox)).toHaveLength(1);
    expect((await held.host.call("evil", "dump", {}, { textLimit: 1_000_000 })).text.length).toBe(500_000);
  });

  test("never puts base64 into the text, in any kind of content", async () => {
    await using sandbox = await createSandbox();
    const base64 = (step: number): string =>
      Buffer.from(Array.from({ length: 3_000 }, (_, at) => (at * step) % 256)).toString("base64");
    const data = base64(7);
    const content = [
      { type: "image", data, mimeType: "image/png" },
      { type: "audio", data, mimeType: "audio/../../etc" },
      { type: "resource", resource: { uri: "x://y", blob: base64(11) } },
      { type: "text", text: `![](data:image/png;base64,${data})` },
      { type: "new-kind", data },
    ];
    await using held = await hostWith(sandbox, {
      media: answer({ content, structuredContent: { data, other: data } }),
    });
    const { text, parts } = await held.host.call("evil", "media");
    expect(text).not.toMatch(/[A-Za-z0-9+/]{120}/);
    expect(parts[0]).toMatchObject({ type: "image", data });
    expect((await files(sandbox)).map((name) => name.split(".").at(-1)).sort()).toEqual([
      "bin",
      "bin",
      "png",
    ]);
  });

  test("of an untrusted server has its hidden characters made visible", async () => {
    await using sandbox = await createSandbox();
    const hidden = "Done.\u{e0049}\u{e0067}\u001b]0;owned\u0007";
    await using held = await hostWith(
      sandbox,
      { a: answer(hidden) },
      { trust: "untrusted", allowTools: ["a"] },
    );
    expect((await held.host.call("evil", "a")).text).toBe("Done.\\u{e0049}\\u{e0067}\\x1b]0;owned\\x07");
  });

  test("that does not match the output schema has no structured content", async () => {
    await using sandbox = await createSandbox();
    const outputSchema = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] };
    const tools = {
      right: { ...answer({ content: [], structuredContent: { sum: 3 } }), outputSchema },
      wrong: { ...answer({ content: [], structuredContent: { sum: "three" } }), outputSchema },
      none: { ...answer("3"), outputSchema },
    };
    await using held = await hostWith(sandbox, tools);
    expect(await held.host.call("evil", "right")).toMatchObject({ structured: { sum: 3 } });
    const wrong = await held.host.call("evil", "wrong");
    expect(wrong).toMatchObject({
      text: '{\n  "sum": "three"\n}',
      details: {
        outputProblem: `the result does not match the tool's output schema: "sum" must be a number, not a string`,
      },
    });
    expect(wrong).not.toHaveProperty("structured");
    expect((await held.host.call("evil", "none")).details.outputProblem).toContain("no structured content");
  });

  test("with links does not cause any request", async () => {
    await using sandbox = await createSandbox();
    let visits = 0;
    await using trap = await serveHttp({ name: "trap", version: "1" }, { guard: () => ((visits += 1), 404) });
    const content = [
      { type: "resource_link", uri: trap.url, name: "look", icons: [{ src: trap.url }] },
      { type: "resource_link", uri: "file:///etc/passwd", name: "passwd" },
      { type: "resource", resource: { uri: trap.url, text: "x" } },
    ];
    await using held = await hostWith(sandbox, { links: answer({ content }) });
    const { text } = await held.host.call("evil", "links");
    expect(text).toContain("[resource link: passwd <file:///etc/passwd>]");
    expect(text).not.toContain("root:");
    // A request that was sent earlier would have arrived by now.
    for (const turn of [1, 2]) {
      await fetch(trap.url);
      expect(visits).toBe(turn);
    }
  });
});
