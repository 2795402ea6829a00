import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { JsonObject, JsonValue, ToolDefinition } from "../../src/model/index.ts";
import { comparePins, listHash, pinnedFields } from "../../src/policy/index.ts";
import { report } from "../durability/counts.ts";
import { hostIn } from "../flow/host-in.ts";
import { createSandbox } from "../support/sandbox.ts";

const LINE = "single changes to an approved launch or a pinned tool: all detected";
const counts = { noticed: 0, total: 0 };

/** Yields every value that differs from this one in one place: changed, added or removed. */
function* changesOf(value: JsonValue): Generator<JsonValue> {
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    yield [...items, "more"];
    if (items.length > 1) yield items.toReversed();
    for (const [at, item] of items.entries()) {
      yield items.toSpliced(at, 1);
      for (const changed of changesOf(item)) yield items.with(at, changed);
    }
  } else if (typeof value === "object" && value !== null) {
    yield { ...value, more: "more" };
    for (const [key, member] of Object.entries(value)) {
      const { [key]: _, ...rest } = value as JsonObject;
      yield rest;
      for (const changed of changesOf(member)) yield { ...value, [key]: changed };
    }
  } else if (typeof value === "string") {
    yield `${value}x`;
    if (value.toUpperCase() !== value) yield value.toUpperCase();
    yield ` ${value}`;
  } else yield value === true ? false : 7;
}

/** Entries with every field of their tool that decides what runs, where, and with which secrets. */
const STDIO = { command: "run", args: ["a", "${B}"], env: { KEY: "${TOKEN}", TWO: "2" }, cwd: "/sub" };
const REMOTE = { url: "https://a.example/mcp", headers: { Authorization: "Bearer ${TOKEN}" } };
const LAUNCHES: readonly (readonly [tool: string, file: string, key: string, entry: JsonObject])[] = [
  [
    "native",
    ".plugboard/mcp.json",
    "mcpServers",
    {
      type: "stdio",
      ...STDIO,
      envFile: ".env",
      wrap: ["bwrap", "--unshare-net"],
      inheritEnv: ["CI"],
      trust: "trusted",
      allowTools: ["read_*"],
      denyTools: ["read_all"],
      approval: { "*": "ask" },
      pins: "hold",
      eager: true,
      unknown: { a: [1, true] },
    },
  ],
  [
    "native, remote",
    ".plugboard/mcp.json",
    "mcpServers",
    { type: "http", ...REMOTE, oauth: { clientId: "x", scope: "y" } },
  ],
  [
    "Claude Code",
    ".mcp.json",
    "mcpServers",
    { type: "stdio", command: "run", args: ["a"], env: { KEY: "${TOKEN}" } },
  ],
  ["Claude Code, remote", ".mcp.json", "mcpServers", { type: "http", ...REMOTE }],
  ["Cursor", ".cursor/mcp.json", "mcpServers", { ...STDIO, envFile: ".env" }],
  ["VS Code", ".vscode/mcp.json", "servers", { type: "stdio", ...STDIO, envFile: "${workspaceFolder}/.env" }],
  [
    "Gemini",
    ".gemini/settings.json",
    "mcpServers",
    { ...STDIO, trust: true, includeTools: ["a"], excludeTools: ["b"] },
  ],
  ["Roo Code", ".roo/mcp.json", "mcpServers", STDIO],
  ["omp", ".omp/mcp.json", "mcpServers", { ...STDIO, env: { KEY: "!secret" } }],
  [
    "ToolLoop",
    "codex-toolloop.mcp.json",
    "servers",
    { trust: "trusted", transport: { type: "stdio", command: "run", args: ["a"] } },
  ],
];

test.each(LAUNCHES)(
  "every single change of an approved launch requires approval again: %s",
  async (_, file, key, entry) => {
    await using sandbox = await createSandbox();
    const path = await sandbox.writeProject(file, { [key]: { it: entry } });
    await using host = await hostIn(sandbox);
    await host.approvals.approve("it", host.approvals.request("it").hash);
    const missed: JsonValue[] = [];
    const isOurs = host.servers()[0]?.source.tool === "plugboard";
    for (const changed of changesOf(entry)) {
      if (!isOurs && meansNothing(changed as JsonObject, entry)) continue;
      await writeFile(path, JSON.stringify({ [key]: { it: changed } }));
      await host.reload();
      const server = host.servers({ all: true }).find(({ name }) => name === "it");
      counts.total += 1;
      // A value that is no longer an entry runs nothing.
      if (server === undefined || server.state === "untrusted" || server.state === "invalid")
        counts.noticed += 1;
      else missed.push(changed);
    }
    expect(missed.map((each) => JSON.stringify(each))).toEqual([]);
    await writeFile(path, JSON.stringify({ [key]: { it: entry } }));
    await host.reload();
    expect(host.approvals.request("it").status).toBe("approved");
  },
);

/** A field that another tool lacks, or its name for what other fields already say: the launch is the same. */
function meansNothing({ type, more }: JsonObject, entry: JsonObject): boolean {
  return more !== undefined || type !== entry["type"];
}

test("every single change of a pinned tool is noticed", () => {
  const tool: ToolDefinition = {
    name: "read",
    title: "Read",
    description: "Reads a file.",
    inputSchema: {
      type: "object",
      properties: { path: { type: "string", enum: ["a", "b"], minLength: 1 }, deep: { $ref: "#/$defs/d" } },
      required: ["path"],
      additionalProperties: false,
      $defs: { d: { anyOf: [{ type: "null" }, { type: "array", items: { const: null } }] } },
    },
    outputSchema: { type: "object", properties: { text: { type: "string", description: "What" } } },
    annotations: { readOnlyHint: true, destructiveHint: false, title: "Read" },
  };
  const { name, ...fields } = tool;
  const pinned = new Map([[name, pinnedFields(tool)]]);
  const missed: JsonValue[] = [];
  for (const changed of changesOf(fields as unknown as JsonObject)) {
    if (Object.hasOwn(changed as JsonObject, "more")) continue; // text that no model sees is not stored
    const now = { name, ...(changed as object) } as ToolDefinition;
    counts.total += 1;
    if (comparePins(pinned, [now]).length === 1 && listHash([now]) !== listHash([tool])) counts.noticed += 1;
    else missed.push(changed);
  }
  expect(missed).toEqual([]);
  expect(counts.noticed).toBe(counts.total);
  report(LINE, counts.noticed, counts.total);
});
