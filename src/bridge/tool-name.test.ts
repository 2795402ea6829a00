import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NAMING_STYLES, type NamingStyle } from "../model/index.ts";
import { hashedToolName, type NamedTool, pairId, plainToolName, ToolNames } from "./tool-name.ts";

const namesOf = (tools: readonly NamedTool[], style?: NamingStyle): Map<string, string> => {
  const names = new ToolNames(style);
  names.assign(tools);
  return new Map(tools.map((tool) => [JSON.stringify([tool.server, tool.tool]), names.nameOf(tool)]));
};

/** Names that collide often: few letters, and characters that all become underscores. */
const part = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "b", "_", "-", "1", "A", "\0"), maxLength: 6 }),
  fc.string({ maxLength: 90 }),
);
const someTools = fc.uniqueArray(fc.record({ server: part, tool: part }), {
  selector: ({ server, tool }) => JSON.stringify([server, tool]),
  maxLength: 40,
});

describe("a plain name", () => {
  test.each([
    ["a1", "read2", "mcp_a1_read2"],
    ["my-server", "x", "mcp_my_server_x"],
    ["github", "github_search", "mcp_github_search"],
    ["github", "github", "mcp_github_github"],
    ["日本", "語", "mcp_server_tool"],
    ["crypto", "sha256", "mcp_crypto_sha256"],
    ["s3", "s3_get", "mcp_s3_get"],
    ["a", "12", "mcp_a_12"],
    ["1", "2", "mcp_1_2"],
  ])("of (%s, %s) is %s: digits are kept", (server, tool, name) => {
    expect(plainToolName(server, tool)).toBe(name);
  });

  test.each([
    ["a1", "read2", "mcp_a_read"],
    ["my-server", "x", "mcp_my_server_x"],
    ["github", "github_search", "mcp_github_search"],
    ["a", "12", "mcp_a_tool"],
    ["s3", "s_get", "mcp_s_get"],
  ])("of (%s, %s) is %s in the style of the seeds, which drops digits", (server, tool, name) => {
    expect(plainToolName(server, tool, "seeds")).toBe(name);
  });

  test.each([
    ["GitHub", "SearchCode", "mcp_github_searchcode"],
    ["a b.c", "d/e:f", "mcp_a_b_c_d_e_f"],
  ])("of (%s, %s) is in lower case, with underscores for all other characters", (server, tool, name) => {
    expect(plainToolName(server, tool)).toBe(name);
  });

  test.each([
    ["a__b", "c--d", "mcp_a_b_c_d"],
    ["_a_", "_b_", "mcp_a_b"],
  ])("of (%s, %s) has single underscores and none at the ends", (server, tool, name) => {
    expect(plainToolName(server, tool)).toBe(name);
  });

  test.each([
    ["github", "github_github_search", "mcp_github_github_search"],
    ["git", "github_search", "mcp_git_github_search"],
    ["github", "github_", "mcp_github_github"],
    ["my-server", "my_server_x", "mcp_my_server_x"],
  ])("of (%s, %s) contains the server once, unless nothing else would be left", (server, tool, name) => {
    expect(plainToolName(server, tool)).toBe(name);
  });
});

describe("assigned names", () => {
  test("a long name is truncated and gets eight digits of a hash", () => {
    const tool = { server: "server", tool: "x".repeat(100) };
    const name = new ToolNames().nameOf(tool);
    expect({ name, length: name.length }).toEqual({
      name: `mcp_server_${"x".repeat(44)}_9fc39f5e`,
      length: 64,
    });
  });

  test("the longest plain name is not changed", () => {
    const name = new ToolNames().nameOf({ server: "a", tool: "x".repeat(58) });
    expect(name).toBe(`mcp_a_${"x".repeat(58)}`);
  });

  test("all tools that share a plain name get a hash", () => {
    const names = new ToolNames("seeds");
    const tools = [
      { server: "b1", tool: "x" },
      { server: "b", tool: "x1" },
    ];
    const collisions = names.assign(tools);
    expect({ collisions, names: tools.map((tool) => names.nameOf(tool)) }).toEqual({
      collisions: [{ name: "mcp_b_x", tools: [tools[1], tools[0]] }],
      names: [hashedToolName("b1", "x", "seeds"), hashedToolName("b", "x1", "seeds")],
    });
    expect(names.toolOf("mcp_b_x")).toBeUndefined();
  });

  test("an assigned name does not change; a new tool gets the hash", () => {
    const names = new ToolNames();
    const [first, newcomer] = [
      { server: "z", tool: "read" },
      { server: "Z", tool: "read" },
    ];
    names.assign([first]);
    expect(names.assign([newcomer, first])).toEqual([{ name: "mcp_z_read", tools: [first, newcomer] }]);
    expect([names.nameOf(first), names.nameOf(newcomer)]).toEqual([
      "mcp_z_read",
      hashedToolName("Z", "read"),
    ]);
  });

  test("two listings at the same time give a tool one name", () => {
    const names = new ToolNames();
    const [x, y] = [
      { server: "a", tool: "x" },
      { server: "A", tool: "x" },
    ];
    const [first, second] = [names.want([x]), names.want([y, x])];
    expect(names.give([...first.values()])).toEqual([]);
    expect(names.give([...second.values()])).toEqual([{ name: "mcp_a_x", tools: [x, y] }]);
    expect(names.give([...first.values()])).toEqual([]);
    expect([names.nameOf(x), names.nameOf(y)]).toEqual(["mcp_a_x", hashedToolName("A", "x")]);
  });

  test("a retired name and a name of another tool are not assigned", () => {
    const names = new ToolNames();
    const [x, y, z] = ["x", "y", "z"].map((tool) => ({ server: "a", tool }));
    if (x === undefined || y === undefined || z === undefined) return;
    const records = { ownerOf: (name: string) => ({ mcp_a_x: "retired", mcp_a_y: pairId(x) })[name] };
    expect(names.assign([x, y, z], records)).toEqual([]);
    expect([x, y, z].map((tool) => names.nameOf(tool))).toEqual([
      hashedToolName("a", "x"),
      hashedToolName("a", "y"),
      "mcp_a_z",
    ]);
  });

  test("a tool cannot take the hashed name of another, in any order or process", () => {
    const twins = [
      { server: "a", tool: "read" },
      { server: "a", tool: "Read" },
    ];
    const hashed = hashedToolName("a", "read");
    const impostor = { server: "a", tool: hashed.slice("mcp_a_".length) };
    const together = new ToolNames();
    together.assign([...twins, impostor]);
    expect(together.toolOf(hashed)).toEqual(twins[0]);
    // The first tool keeps its name, and the other gets a longer hash.
    const later = new ToolNames();
    later.assign([impostor]);
    later.assign(twins);
    expect([later.toolOf(hashed), later.nameOf(twins[0] ?? impostor)]).toEqual([
      impostor,
      expect.stringMatching(/^mcp_a_read_[0-9a-f]{16}$/),
    ]);
    // A single tool, in a process that knows the retired name.
    const alone = new ToolNames();
    alone.assign([impostor], { ownerOf: (name) => (name === "mcp_a_read" ? "retired" : undefined) });
    expect(alone.toolOf(hashed)).toBeUndefined();
    // The reverse: an earlier process gave the name to the impostor.
    const after = new ToolNames();
    after.assign(twins, { ownerOf: (name) => (name === hashed ? pairId(impostor) : undefined) });
    expect(after.toolOf(hashed)).toBeUndefined();
  });

  test("differ if server and tool names run together", () => {
    const tools = [
      { server: "a", tool: "b\0c" },
      { server: "a\0b", tool: "c" },
    ];
    expect(new Set(namesOf(tools).values()).size).toBe(2);
  });

  test("each name can be looked up, and an unknown name returns nothing", () => {
    const names = new ToolNames();
    const name = names.nameOf({ server: "a", tool: "read" });
    expect([names.toolOf(name), names.toolOf("mcp_a_write")]).toEqual([
      { server: "a", tool: "read" },
      undefined,
    ]);
  });

  test.each(NAMING_STYLES)("are valid for every model provider and unique: %s", (style) => {
    fc.assert(
      fc.property(someTools, (tools) => {
        const names = [...namesOf(tools, style).values()];
        expect(names.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([]);
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(tools.length);
      }),
      { numRuns: 500 },
    );
  });

  test.each<[NamingStyle, string, string, string]>([
    ["claude", "my-server", "readFile2", "mcp__my-server__readFile2"],
    ["claude", "a b.c", "d/e", "mcp__a_b_c__d_e"],
    ["claude", "日本", "語", "mcp__server__tool"],
    ["plain", "my-server", "readFile2", "my-server_readFile2"],
    ["plain", "github", "github_search", "github_github_search"],
    ["plain", "日本", "...", "server_tool"],
  ])("in the style %s: (%s, %s) is %s", (style, server, tool, name) => {
    expect(new ToolNames(style).nameOf({ server, tool })).toBe(name);
  });

  test.each(NAMING_STYLES)("that would differ only in case get a hash: %s", (style) => {
    const tools = ["read", "Read", "READ"].map((tool) => ({ server: "a", tool }));
    const names = [...namesOf(tools, style).values()];
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(3);
  });

  test.each(NAMING_STYLES)("names that are too long are truncated and get a hash: %s", (style) => {
    const tools = ["1", "2"].map((end) => ({ server: "a", tool: `${"x".repeat(200)}${end}` }));
    const names = [...namesOf(tools, style).values()];
    expect(names.map((name) => [name.length, /_[0-9a-f]{8}$/.test(name)])).toEqual([
      [64, true],
      [64, true],
    ]);
  });

  test.each(["__proto__", "constructor", "toString"])(
    "a name with a special meaning in JavaScript is not special: %s",
    (tool) => {
      const names = new ToolNames("plain");
      expect(names.toolOf(`a_${tool}`)).toBeUndefined();
      expect(names.toolOf(names.nameOf({ server: "a", tool }))).toEqual({ server: "a", tool });
    },
  );

  test("do not depend on the order of the tools", () => {
    fc.assert(
      fc.property(someTools, fc.integer(), (tools, seed) => {
        const shuffled = tools
          .map((tool, index) => ({ tool, key: Math.imul(index + 1, seed | 1) }))
          .sort((left, right) => left.key - right.key)
          .map(({ tool }) => tool);
        const names = namesOf(tools);
        expect(new Map([...namesOf(shuffled)].sort())).toEqual(new Map([...names].sort()));
      }),
    );
  });
});
