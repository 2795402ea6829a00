import type { Fault, StdioScript } from "./fault.ts";
import { HELLO } from "./outcomes.ts";

const GOOD = ["echo", "pid"];
const result = (value: string): string => `{"jsonrpc":"2.0","id":$ID,"result":${value}}\n`;
const tool = (name: string): string => `{"name":"${name}","inputSchema":{"type":"object"}}`;

/** A small schema that expands to an enormous one. */
const DOUBLING = {
  type: "object",
  properties: { a: { $ref: "#/$defs/d0" } },
  $defs: Object.fromEntries(
    Array.from({ length: 28 }, (_, level) => {
      const next = { $ref: `#/$defs/d${level + 1}` };
      return [`d${level}`, level === 27 ? {} : { allOf: [next, next] }];
    }),
  ),
};

function nested(levels: number): unknown {
  let schema: unknown = {};
  for (let level = 0; level < levels; level += 1) schema = { properties: { a: schema } };
  return schema;
}

/** Faults in the tool list. The valid tools must stay usable. */
export const STDIO_LIST_FAULTS: readonly Fault<StdioScript>[] = [
  {
    name: "lists a tool without a name",
    server: { tools: [{ description: "has no name", inputSchema: { type: "object" } }] },
    act: "list",
    must: { tools: GOOD, problems: ["tool-invalid"] },
    again: HELLO,
  },
  {
    name: "lists values that are not tools",
    server: { tools: [null, 7, "echo2", [], { name: 5 }, { name: "bad", inputSchema: "no" }] },
    act: "list",
    must: { tools: GOOD, problems: Array.from({ length: 6 }, () => "tool-invalid" as const) },
    again: HELLO,
  },
  {
    name: "lists ten thousand malformed tools",
    bomb: true,
    server: { tools: Array.from({ length: 10_000 }, () => 0) },
    act: "list",
    must: { tools: GOOD },
    again: HELLO,
  },
  {
    name: "lists one tool twice",
    server: { tools: [{ name: "echo", inputSchema: { type: "object", required: ["other"] } }] },
    act: "list",
    must: { tools: GOOD, problems: ["tool-invalid"] },
    again: HELLO,
  },
  {
    name: "lists a tool with a very long name",
    bomb: true,
    server: { tools: [{ name: "x".repeat(50_000), inputSchema: { type: "object" } }] },
    act: "list",
    must: { tools: GOOD, problems: ["tool-invalid"] },
    again: HELLO,
  },
  {
    name: "lists tools named like JavaScript object members",
    server: { tools: ["__proto__", "constructor", "toString"].map((name) => ({ name, inputSchema: {} })) },
    act: "list",
    must: { tools: ["echo", "__proto__", "constructor", "toString", "pid"], problems: [] },
    again: HELLO,
  },
  {
    name: "lists a tool whose schema is nested a thousand deep",
    bomb: true,
    server: { tools: [{ name: "deep", inputSchema: nested(1_000) }] },
    act: "list",
    must: { tools: GOOD, problems: ["tool-invalid"] },
    again: HELLO,
  },
  {
    name: "lists a tool whose schema takes forever to match",
    bomb: true,
    server: {
      tools: [],
      on: {
        "tools/list": [
          {
            say: result(
              `{"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{"text":{"type":"string","pattern":"^(h+|e+|l+|o+)+$"}}},"outputSchema":{"type":"object","properties":{"a":{"type":"string","pattern":"^(a+)+$"}}}}]}`,
            ),
          },
        ],
        "tools/call": [
          {
            say: result(
              `{"content":[{"type":"text","text":"hello"}],"structuredContent":{"a":"${"a".repeat(40)}!"}}`,
            ),
          },
        ],
      },
    },
    must: { text: `hello\n\n{\n  "a": "${"a".repeat(40)}!"\n}` },
  },
  {
    name: "lists a tool whose small schema expands to an enormous one",
    bomb: true,
    server: { tools: [{ name: "bomb", inputSchema: DOUBLING, outputSchema: DOUBLING }] },
    act: "list",
    must: { tools: ["echo", "bomb", "pid"], problems: [] },
    again: HELLO,
  },
  {
    name: "lists a tool whose schema has remote and broken references",
    server: {
      tools: [
        { name: "far", inputSchema: { $ref: "http://127.0.0.1:9/schema.json" } },
        { name: "wrong", inputSchema: { type: "object" }, outputSchema: { $ref: "#/nowhere", pattern: "(" } },
      ],
    },
    act: "list",
    must: { tools: ["echo", "far", "wrong", "pid"], problems: [] },
    again: HELLO,
  },
  {
    name: "returns a tool list that is not a list",
    server: { on: { "tools/list": [{ say: result('{"tools":{"0":"echo"}}') }] } },
    must: { code: "TOOL_UNKNOWN", state: ["connected"] },
  },
  {
    name: "refuses to list",
    server: {
      on: { "tools/list": [{ say: '{"jsonrpc":"2.0","id":$ID,"error":{"code":-1,"message":"no"}}\n' }] },
    },
    act: "list",
    must: { code: "REQUEST_REFUSED", says: "no", state: ["connected"] },
  },
  {
    name: "never lists",
    server: { on: { "tools/list": [{ turns: [[]] }] } },
    entry: { timeout: 3_000 },
    act: "list",
    must: { code: "REQUEST_TIMEOUT", state: ["connected"] },
    again: HELLO,
    unknowable: true,
  },
  {
    name: "lists the same page forever",
    bomb: true,
    server: {
      on: {
        "tools/list": [{ say: result(`{"tools":[${tool("echo")},${tool("pid")}],"nextCursor":"again"}`) }],
      },
    },
    act: "list",
    must: { tools: GOOD },
    again: HELLO,
  },
  {
    name: "lists new pages forever",
    bomb: true,
    server: {
      on: {
        "tools/list": [{ say: result(`{"tools":[${tool("echo")},${tool("pid")}],"nextCursor":"page-$ID"}`) }],
      },
    },
    act: "list",
    must: { tools: GOOD },
    again: HELLO,
  },
  {
    name: "crashes on the second page",
    server: {
      on: {
        "tools/list": [
          { turns: [[{ say: result(`{"tools":[${tool("echo")}],"nextCursor":"2"}`) }], [{ exit: 5 }]] },
        ],
      },
    },
    act: "list",
    must: { code: "CONNECTION_LOST" },
    again: HELLO,
  },
  { name: "lists ten thousand tools", bomb: true, server: { manyTools: 10_000 }, must: HELLO },
  {
    name: "refuses its other lists",
    server: {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      on: {
        "resources/list": [{ say: '{"jsonrpc":"2.0","id":$ID,"error":{"code":-1,"message":"no"}}\n' }],
        "prompts/list": [{ say: result("7") }],
      },
    },
    act: "list",
    must: { tools: GOOD, problems: ["list-partial", "list-partial"] },
    again: HELLO,
  },
];
