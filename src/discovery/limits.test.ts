import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import { DEFAULT_SETTINGS } from "../config/index.ts";
import type { JsonObject } from "../model/index.ts";
import { findOwnPaths } from "../state/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { approvedBundles } from "./bundles.ts";
import { discover } from "./discover.ts";
import { hasItem } from "./map-fields.ts";
import type { SourceDocument } from "./provider.ts";
import { FAMILY as GEMINI } from "./providers/gemini.ts";
import { createGeminiPolicy } from "./providers/gemini-settings.ts";
import { FAMILY as QWEN } from "./providers/qwen-code.ts";

const USER = "/home/me/.plugboard/mcp.json";

/** Runs discovery on these files and records which files were read. */
async function find(texts: Readonly<Record<string, string>>) {
  const files = createMemoryFiles(new Map([["/project/.git/HEAD", ""], ...Object.entries(texts)]));
  const reads: string[] = [];
  const read: typeof files.read = (path, limit) => {
    reads.push(path);
    return files.read(path, limit);
  };
  const environment = { platform: "linux", home: "/home/me", cwd: "/project", variables: {} };
  const { declarations, bundles, problems } = await discover({
    ports: createFakePorts({ ...files, read }),
    environment,
    places: findOwnPaths(environment),
    settings: DEFAULT_SETTINGS,
  });
  const messagesOf = (wanted: string): string[] =>
    problems.filter(({ severity }) => severity === wanted).map(({ code, message }) => `${code}: ${message}`);
  return {
    names: declarations.map(({ name }) => name),
    bundles,
    reads,
    problems: messagesOf("error"),
    warnings: messagesOf("warning"),
  };
}

function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function mapOf(count: number, make: (index: number) => unknown, prefix = "s"): Record<string, unknown> {
  return Object.fromEntries(many(count, (index) => [`${prefix}${index}`, make(index)]));
}

const SERVER = { command: "x" };
const json = (key: string, count: number): string => JSON.stringify({ [key]: mapOf(count, () => SERVER) });

describe("for a project's file", () => {
  test.each([
    ["/project/.mcp.json", (count: number) => json("mcpServers", count)],
    ["/project/.plugboard/mcp.json", (count: number) => json("mcpServers", count)],
    ["/project/.gemini/settings.json", (count: number) => json("mcpServers", count)],
    ["/project/opencode.json", (count: number) => json("mcp", count)],
    ["/project/crush.json", (count: number) => json("mcp", count)],
    [
      "/project/crushrc",
      (count: number) => many(count, (index) => `mcp add s${index} --command x\n`).join(""),
    ],
    [
      "/project/.codex/config.toml",
      (count: number) => many(count, (index) => `[mcp_servers.s${index}]\ncommand = "x"\n`).join(""),
    ],
    [
      "/project/.continue/mcpServers/a.yaml",
      (count: number) =>
        `name: a\nversion: 1\nschema: v1\nmcpServers:\n${many(count, (index) => `  - name: s${index}\n    command: x\n`).join("")}`,
    ],
  ])("only the first 1,000 servers are read: %s", async (file, write) => {
    const most = await find({ [file]: write(1_000) });
    expect({ names: most.names, problems: most.problems }).toEqual({
      names: many(1_000, (index) => `s${index}`),
      problems: [],
    });
    const more = await find({ [file]: write(1_001), [USER]: json("mcpServers", 1) });
    expect(more.names.filter((name) => name !== "s0")).toEqual(many(999, (index) => `s${index + 1}`));
    expect(more.problems).toEqual([
      expect.stringMatching(/^file-too-large: .* has more than 1,000 servers; the rest are ignored$/),
    ]);
  });

  test("only the first 100 problems are reported", async () => {
    const servers = mapOf(3_000, () => 1);
    for (const [file, key] of [
      ["/project/.mcp.json", "mcpServers"],
      ["/project/crush.json", "mcp"],
    ] as const) {
      const { problems } = await find({ [file]: JSON.stringify({ [key]: servers }) });
      expect(problems).toHaveLength(101);
      expect(problems.at(-1)).toBe(`entry-shape: ${file} has more problems that are not shown`);
    }
  });

  test("only the first 1,000 bundles are read", async () => {
    const bundles = mapOf(1_001, () => ({ serverId: "a" }), "b");
    const text = JSON.stringify({ mcpServers: { a: SERVER }, bundles });
    const found = await find({ "/project/.plugboard/mcp.json": text });
    expect(found.bundles).toHaveLength(1_000);
    expect(found.problems).toEqual([
      expect.stringContaining("has more than 1,000 bundles; the rest are ignored"),
    ]);
  });

  test.each([
    ["env", mapOf(1_001, () => "x")],
    ["headers", mapOf(1_001, () => "x")],
    ["args", many(1_001, () => "x")],
    ["denyTools", many(1_001, () => "x")],
  ])("an entry with 1,001 members in %s is ignored, and the others are read", async (field, value) => {
    const mcpServers = { a: { ...SERVER, [field]: value }, b: SERVER };
    const { names, problems } = await find({
      "/project/.plugboard/mcp.json": JSON.stringify({ mcpServers }),
    });
    expect({ names, problems }).toEqual({
      names: ["b"],
      problems: [
        expect.stringMatching(
          new RegExp(`^entry-shape: .* server "a" is ignored: "${field}" has more than 1,000 members$`),
        ),
      ],
    });
  });

  test("an entry with 1,001 fields is ignored", async () => {
    const mcpServers = { a: { ...SERVER, ...mapOf(1_001, () => 1) }, b: SERVER };
    const { names, problems } = await find({ "/project/.mcp.json": JSON.stringify({ mcpServers }) });
    expect({ names, problems }).toEqual({
      names: ["b"],
      problems: [expect.stringContaining('server "a" is ignored: it has more than 1,000 members')],
    });
  });

  test("a file larger than 1 MB is not read", async () => {
    const padded = `${json("mcpServers", 1)}${" ".repeat(1024 * 1024)}`;
    const { names, problems } = await find({ "/project/.mcp.json": padded });
    expect({ names, problems }).toEqual({
      names: [],
      problems: ["file-too-large: /project/.mcp.json is larger than 1 MB"],
    });
  });
});

describe("for all files of a project", () => {
  const block = (index: number): string =>
    `/project/.continue/mcpServers/${String(index).padStart(3, "0")}.json`;
  const servers = (prefix: string, count: number): string =>
    JSON.stringify({ mcpServers: mapOf(count, () => SERVER, prefix) });

  test("only the first 2,000 servers are read, regardless of the tool", async () => {
    const { names, problems } = await find({
      "/project/.plugboard/mcp.json": servers("p", 999),
      "/project/.mcp.json": servers("m", 1_000), // several tools read this file, but its servers count once
      "/project/.gemini/settings.json": servers("g", 5),
      "/project/.qwen/settings.json": servers("q", 5),
      [USER]: servers("u", 5),
    });
    expect(names.filter((name) => /^[gqu]/.test(name)).sort()).toEqual(["g0", "u0", "u1", "u2", "u3", "u4"]);
    expect(names).toHaveLength(2_005);
    expect(problems).toEqual([
      expect.stringMatching(
        /^file-too-large: \/project\/.gemini\/settings.json:.* server "g1" is ignored, and so are the servers read after it: a project can have at most 2,000$/,
      ),
    ]);
  });

  test("only the first 2,000 servers of one tool are read", async () => {
    const texts = many(4, (index) => [block(index), servers(`f${index}-`, 700)] as const);
    const { names, problems } = await find(Object.fromEntries(texts));
    expect(names).toHaveLength(2_000);
    expect(problems).toEqual([
      `file-too-large: ${block(2)}:1:1 has servers that are ignored, and so are the servers read after them: a project can have at most 2,000`,
    ]);
  });

  test("only 4 MB are read", async () => {
    const long = "x".repeat(1_000_000);
    const texts = many(6, (index) => [
      block(index),
      JSON.stringify({ long, mcpServers: { [`s${index}`]: SERVER } }),
    ]);
    const { names, problems } = await find(Object.fromEntries(texts));
    expect(names).toEqual(many(4, (index) => `s${index}`));
    expect(problems).toEqual([
      `file-too-large: ${block(4)} is ignored, as are the files read after it: the config files of a project may be 4 MB long in total`,
    ]);
  });

  test("the number of values is limited", async () => {
    const values = many(20_000, () => 1);
    const texts = many(6, (index) => [
      block(index),
      JSON.stringify({ values, mcpServers: { [`s${index}`]: SERVER } }),
    ]);
    const { names, problems } = await find({ ...Object.fromEntries(texts), [USER]: servers("u", 1) });
    expect(names).toEqual(expect.arrayContaining(["s0", "s1", "u0"]));
    expect(names).toHaveLength(3);
    expect(problems).toEqual([
      `file-too-large: ${block(2)} is ignored, as are the files read after it: the config files of a project may have 50,000 brackets, commas, colons and other marks in total`,
    ]);
  });

  test("a file with too many values is ignored, and the others are read", async () => {
    const values = JSON.stringify({ values: many(30_000, () => 1) });
    const { names, problems } = await find({
      "/project/.plugboard/mcp.json": values,
      "/project/.mcp.json": servers("m", 1),
    });
    expect({ names, problems }).toEqual({
      names: ["m0"],
      problems: [
        "file-too-large: /project/.plugboard/mcp.json is ignored: it has more than 25,000 brackets, commas, colons and other marks between values",
      ],
    });
  });

  test("the same files and servers are dropped every time", async () => {
    const texts = Object.fromEntries([
      ...many(4, (index) => [block(index), servers(`f${index}-`, 700)]),
      ["/project/.gemini/settings.json", servers("g", 900)],
      ["/project/crush.json", JSON.stringify({ mcp: mapOf(900, () => SERVER, "c") })],
    ]);
    const runs = await Promise.all([find(texts), find(texts)]);
    expect(runs[0]).toEqual(runs[1]);
  });
});

test("only the first 1,000 matching names in a project's folder are used", async () => {
  const texts = many(1_200, (index) => [`/project/vendor/v${String(index).padStart(4, "0")}/x`, ""]);
  const plugin = (index: number) => [
    [
      `/project/vendor/v${index}/plugin.json`,
      '{"$schema":"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json","name":"p"}',
    ],
    [`/project/vendor/v${index}/mcp.json`, json("mcpServers", 1)],
  ];
  const { reads, warnings } = await find(Object.fromEntries([...texts, ...plugin(0), ...plugin(1199)]));
  expect(reads.filter((file) => file.endsWith("plugin.json"))).toEqual(["/project/vendor/v0/plugin.json"]);
  expect(warnings).toContain(
    "file-too-large: /project/vendor contains too many files (limits: 10,000 in total, 1,000 with a matching name); the rest are ignored",
  );
});

test("only the first 100 project files that match a pattern are read", async () => {
  const name = (index: number): string =>
    `/project/.continue/mcpServers/${String(index).padStart(3, "0")}.json`;
  const files = many(150, (index) => [
    name(index),
    JSON.stringify({ mcpServers: { [`s${index}`]: SERVER } }),
  ]);
  const { names, reads, problems } = await find(Object.fromEntries(files));
  expect(names).toEqual(many(100, (index) => `s${index}`));
  expect(reads.filter((file) => file.includes("/.continue/"))).toEqual(many(100, name));
  expect(problems).toEqual([
    `file-too-large: ${name(100)} is ignored, and so are the files after it: a project can have at most 100 of this kind`,
  ]);
});

test("the user's own files have no limits", async () => {
  const env = mapOf(1_500, () => "x");
  const mcpServers = { ...mapOf(1_500, () => SERVER), big: { ...SERVER, env } };
  const { names, problems } = await find({
    [USER]: `${JSON.stringify({ mcpServers })}${" ".repeat(2_000_000)}`,
  });
  expect({ count: names.length, problems }).toEqual({ count: 1_501, problems: [] });
});

describe("work does not grow quadratically with file size:", () => {
  const sourceOf = (value: JsonObject): SourceDocument => ({
    file: "/project/x.json",
    scope: "project",
    tier: "project",
    role: "settings",
    document: { value, problems: [], at: () => undefined },
    value,
    text: "",
  });

  test("the bundles of a file are scanned once for all servers", () => {
    let looks = 0;
    const bundle = {
      get serverId() {
        looks += 1;
        return "a";
      },
    };
    const bundlesOf = approvedBundles(sourceOf({ bundles: { one: bundle } }));
    for (const name of many(100, String)) expect(bundlesOf(name)).toEqual({});
    expect(bundlesOf("a")).toEqual({ bundles: { one: { serverId: "a" } } });
    expect(looks).toBeLessThan(5);
  });

  test("a list is indexed once for all servers", () => {
    let looks = 0;
    const list = many(3, String);
    const iterate = function* () {
      looks += 1;
      yield* ["a", "b", "c"];
    };
    Object.defineProperty(list, Symbol.iterator, { value: iterate });
    for (const name of many(100, String)) expect(hasItem(list, name)).toBe(false);
    expect([hasItem(list, "b"), hasItem("b", "b"), hasItem(undefined, "b")]).toEqual([true, false, false]);
    expect(looks).toBe(1);
  });

  test("Qwen's patterns stop matching after a limit", () => {
    const text = "a".repeat(900);
    const patterns = many(300, (index) => `*${"a".repeat(400)}b${index}`);
    const settings = sourceOf({ mcp: { excluded: ["s?", ...patterns] } });
    const policy = createGeminiPolicy([settings], QWEN);
    expect(policy.switchOf("s1", settings)).toMatchObject({ enabled: { value: false } });
    for (const index of many(300, Number)) expect(policy.switchOf(`${text}${index}`, settings)).toEqual({});
  });

  test("Gemini's lists are indexed once for all servers", () => {
    let prepared = 0;
    const family = {
      ...GEMINI,
      matcher: (words: readonly string[]) => {
        prepared += 1;
        return GEMINI.matcher(words);
      },
    };
    const source = sourceOf({ mcp: { excluded: [" A "] } });
    const policy = createGeminiPolicy([source], family);
    for (const name of many(100, String)) expect(policy.switchOf(name, source)).toEqual({});
    expect(policy.switchOf("a", source)).toMatchObject({ enabled: { value: false } });
    expect(prepared).toBe(1);
  });
});
