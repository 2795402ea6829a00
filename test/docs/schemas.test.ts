import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkValue } from "../../src/bridge/check/check-value.ts";
import { patternsFor } from "../../src/bridge/index.ts";
import { DEFAULT_SETTINGS, GATEWAY_KEYS, loadSettings, schemaOf } from "../../src/config/index.ts";
import {
  CALL_ANSWERS,
  type JsonObject,
  type JsonValue,
  LEGACY_VERSIONS,
  MODERN_VERSION,
} from "../../src/model/index.ts";
import { ENTRY_FIELDS } from "../../src/surfaces/shared/completion/entry-fields.ts";
import { createMemoryFiles } from "../../src/testing/index.ts";
import { entryOf } from "../support/entries.ts";
import { createFakePorts } from "../support/fake-ports.ts";

const schemaIn = (name: string): JsonObject =>
  JSON.parse(readFileSync(`schemas/${name}.schema.json`, "utf8")) as JsonObject;
const mcp = schemaIn("mcp");
const settings = schemaIn("settings");

const complaintsAbout = (entry: JsonObject): string[] => checkValue({ mcpServers: { a: entry } }, mcp);
const problemsOf = (entry: JsonObject): string[] =>
  entryOf("a", entry).problems.map(({ message }) => message);

/** For each field, a valid and an invalid value. */
const FIELDS: Readonly<Record<string, readonly [right: JsonValue, wrong: JsonValue]>> = {
  type: ["stdio", "pigeon"],
  args: [["a", 1, true], "a b"],
  env: [{ A: "1", B: 2, C: null }, ["A=1"]],
  envFile: [".env", 1],
  cwd: [".", 1],
  wrap: [["bwrap"], "bwrap"],
  sandbox: [true, "yes"],
  inheritEnv: [["A"], "A"],
  enabled: [false, "no"],
  timeout: [0, "soon"],
  startupTimeout: [1, -1],
  installTimeout: [1, -1],
  eager: [true, 1],
  idleStopMs: [60_000, "1m"],
  maxMemoryMb: [512, 0],
  share: ["session", "all"],
  toolsTtlMs: [0, -1],
  protocol: ["2025-06-18", "2023-01-01"],
  trust: ["untrusted", "a little"],
  allowTools: [["read_*"], []],
  denyTools: [[], "write"],
  approval: [{ "write_*": "ask" }, { "*": "perhaps" }],
  pins: ["hold", "loose"],
};

describe("the schema of servers", () => {
  test.each(Object.entries(FIELDS))(
    "accepts and refuses the same values for %s as the host",
    (field, [right, wrong]) => {
      const entry = { command: "node" };
      expect([
        problemsOf({ ...entry, [field]: right }),
        complaintsAbout({ ...entry, [field]: right }),
      ]).toEqual([[], []]);
      expect(problemsOf({ ...entry, [field]: wrong })).not.toEqual([]);
      expect(complaintsAbout({ ...entry, [field]: wrong })).not.toEqual([]);
    },
  );

  test.each<[string, JsonObject]>([
    ["an unknown field", { command: "node", comand: "node" }],
    ["a command and a url", { command: "node", url: "https://x.dev" }],
    ["a url that is not a string", { type: "http", url: 1 }],
    ["headers that are a list", { type: "http", url: "https://x.dev", headers: ["A: 1"] }],
  ])("refuses %s, like the host", (_, entry) => {
    expect(problemsOf(entry)).not.toEqual([]);
    expect(complaintsAbout(entry)).not.toEqual([]);
  });

  test("has the same fields as the host", () => {
    const { server } = mcp["$defs"] as { server: { properties: JsonObject } };
    const isUnknown = (field: string): boolean =>
      entryOf("a", { [field]: "x" }).problems.some(({ code }) => code === "field-unknown");
    expect(Object.keys(server.properties).filter(isUnknown)).toEqual([]);
    const unlisted = KNOWN_TO_THE_HOST.filter((field) => !Object.hasOwn(server.properties, field));
    expect(unlisted).toEqual([]);
    expect(Object.keys(server.properties).toSorted()).toEqual([...ENTRY_FIELDS].toSorted());
  });

  test("lists every protocol revision", () => {
    const { server } = mcp["$defs"] as { server: { properties: { protocol: { enum: string[] } } } };
    expect(server.properties.protocol.enum).toEqual([
      "auto",
      "legacy",
      ...[...LEGACY_VERSIONS, MODERN_VERSION].toSorted((one, other) => one.localeCompare(other)),
    ]);
  });

  test("lists every value of approval", () => {
    const { answer } = mcp["$defs"] as { answer: { enum: string[] } };
    expect(answer.enum).toEqual([...CALL_ANSWERS]);
  });

  test("accepts a file with all keys", () => {
    const file = {
      $schema: "./mcp.schema.json",
      mcpServers: {
        local: { command: "node", args: ["server.js"] },
        remote: { type: "http", url: "https://x.dev", headers: { A: "1" }, oauth: { clientId: "me" } },
      },
      bundles: { reading: { serverId: "local", mode: "meta", allowTools: ["read_*"] } },
      disabledServers: ["noisy"],
      enabledServers: [],
    };
    expect(checkValue(file, mcp)).toEqual([]);
    expect(checkValue({ ...file, bundles: { none: {} } }, mcp)).not.toEqual([]);
  });
});

/** The keys that the contract lists. */
const KNOWN_TO_THE_HOST =
  `type command args env envFile cwd url headers enabled timeout startupTimeout installTimeout auth oauth authProviderId trust allowTools denyTools
   approval pins protocol inheritEnv eager idleStopMs maxMemoryMb share toolsTtlMs wrap sandbox label description headersHelper`.split(
    /\s+/,
  );

test("the schema of gateway.jsonc is derived from the keys that the gateway reads", () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Plugboard's gateway for a team",
    ...schemaOf(GATEWAY_KEYS),
  };
  expect(schemaIn("gateway")).toEqual(schema);
});

describe("the schema of settings", () => {
  const properties = settings["properties"] as Readonly<Record<string, { default?: JsonValue }>>;

  test("has the actual default values", () => {
    const defaults = Object.entries(properties).flatMap(([key, { default: value }]) =>
      value === undefined ? [] : [[key, value] as const],
    );
    expect(Object.fromEntries(defaults)).toEqual(
      Object.fromEntries(
        defaults.map(([key]) => [key, DEFAULT_SETTINGS[key as keyof typeof DEFAULT_SETTINGS]]),
      ),
    );
    expect(defaults.length).toBeGreaterThan(8);
  });

  test.each(Object.keys(properties).filter((key) => key !== "$schema"))(
    "refuses the same values for %s as the host",
    async (key) => {
      const wrong = { [key]: "nothing that could be meant" };
      const file = "/home/me/.plugboard/settings.json";
      const places = { userConfig: "/c", settings: file, state: "/state", cache: "/cache" };
      const files = createMemoryFiles(new Map([[file, JSON.stringify(wrong)]]));
      const { problems } = await loadSettings(createFakePorts(files), places, {}, []);
      expect(problems.map(({ code }) => code)).toEqual(["settings-invalid"]);
      const patterns = await patternsFor(settings);
      expect(checkValue(wrong, settings, { ...(patterns && { patterns }) })).not.toEqual([]);
    },
  );
});
