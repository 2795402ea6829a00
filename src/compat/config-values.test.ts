import { mkdir, readdir, readFile, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { mountSmallDisk } from "../../test/durability/small-disk.ts";
import { isRunning } from "../../test/flow/host-in.ts";
import { createSandbox } from "../../test/support/sandbox.ts";
import type { JsonObject } from "../index.ts";
import {
  convertSchema,
  expandEnvVarsDeep,
  resolveConfigValue,
  validateServerConfig,
  writeMCPConfigFile,
} from "./index.ts";

describe("validateServerConfig", () => {
  test.each<[string, unknown, string[]]>([
    ["a command", { command: "x" }, []],
    ["a url with its type", { type: "http", url: "http://x" }, []],
    ["an older transport", { type: "sse", url: "http://x" }, []],
    [
      "both",
      { command: "x", url: "http://x" },
      [
        'Server "a": both "command" and "url" are set - server should be either stdio (command) OR http/sse (url), not both',
      ],
    ],
    ["neither", {}, ['Server "a": stdio server requires "command" field']],
    ["a url without a type", { url: "http://x" }, ['Server "a": stdio server requires "command" field']],
    ["http without a url", { type: "http" }, ['Server "a": http server requires "url" field']],
    ["sse without a url", { type: "sse" }, ['Server "a": sse server requires "url" field']],
    ["an unknown type", { type: "ws", url: "x" }, ['Server "a": unknown server type "ws"']],
    ["nothing", null, ['Server "a": must be an object']],
  ])("returns the seed's errors for %s", (_, config, wrong) => {
    expect(validateServerConfig("a", config)).toEqual(wrong);
  });
});

test("expandEnvVarsDeep resolves texts at any depth and keeps unset variables", () => {
  const env = { SET: "value", EMPTY: "" };
  const config = {
    args: ["${SET}", { deep: "a ${SET} b ${UNSET}" }],
    defaults: ["${UNSET:-d}", "${EMPTY:-d}", "${EMPTY}", "${SET:-d}"],
    port: 5,
    __proto__: null,
    own: "${toString}",
  };
  expect(expandEnvVarsDeep(config, env)).toEqual({
    args: ["value", { deep: "a value b ${UNSET}" }],
    defaults: ["d", "d", "", "value"],
    port: 5,
    own: "${toString}",
  });
});

test.each([
  ["${", "${"],
  ["${}", "${}"],
  ["${:-a}${SET}", "${:-a}value"],
  ["${SET", "${SET"],
  ["${${SET}}", "${${SET}}"],
  ["${a:${SET}", "${a:value"],
  ["${a:-${SET}", "${SET"],
])("expandEnvVarsDeep turns %j into %j", (text, expanded) => {
  expect(expandEnvVarsDeep(text, { SET: "value" })).toBe(expanded);
});

test.each(["${a", "${a:", "${a:-", "${{", "${"])(
  "expandEnvVarsDeep takes linear time for many %j",
  (opening) => {
    const text = opening.repeat(300_000);
    expect(expandEnvVarsDeep(text, {})).toBe(text);
    expect(expandEnvVarsDeep(`${text}:`, {})).toBe(`${text}:`);
  },
);

describe("resolveConfigValue", () => {
  const env = { NAME: "from the environment", EMPTY: "", PATH: process.env["PATH"] };

  test("treats a value as the name of a variable first, then as plain text", async () => {
    expect(await resolveConfigValue("NAME", env)).toBe("from the environment");
    expect(await resolveConfigValue("plain", env)).toBe("plain");
    expect(await resolveConfigValue("EMPTY", env)).toBe("EMPTY");
    expect(await resolveConfigValue("constructor", env)).toBe("constructor");
    expect(await resolveConfigValue("keychain:name", env)).toBe("keychain:name");
  });

  test("runs a command once for all callers and trims its output", async () => {
    await using sandbox = await createSandbox();
    const file = join(sandbox.home, "count");
    const command = `!echo run >> ${file}; printf '  secret  '`;
    expect(await Promise.all([resolveConfigValue(command, env), resolveConfigValue(command, env)])).toEqual([
      "secret",
      "secret",
    ]);
    expect(await resolveConfigValue(command, env)).toBe("secret");
    expect(await readFile(file, "utf8")).toBe("run\n");
  });

  test("waits before it runs a failed command again", async () => {
    await using sandbox = await createSandbox();
    const file = join(sandbox.home, "count");
    const command = `!echo run >> ${file}; exit 1`;
    expect([await resolveConfigValue(command, env), await resolveConfigValue(command, env)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await readFile(file, "utf8")).toBe("run\n");
  });

  test("stops a command that prints too much", async () => {
    await using sandbox = await createSandbox();
    const file = join(sandbox.home, "pid");
    expect(await resolveConfigValue(`!sleep 60 & echo $! > ${file}; yes`, env)).toBeUndefined();
    expect(await isRunning(Number(await readFile(file, "utf8")))).toBe(false);
  });

  test.each(["!exit 3", "!true", "!no-such-command-here", "!head -c 100000 /dev/zero"])(
    "returns nothing if a command fails or prints nothing or too much: %s",
    async (value) => {
      expect(await resolveConfigValue(value, env)).toBeUndefined();
    },
  );
});

test("writeMCPConfigFile writes the whole file, readable by its owner only", async () => {
  await using sandbox = await createSandbox();
  const file = join(sandbox.home, "deep", "mcp.json");
  await writeMCPConfigFile(file, { mcpServers: { a: { command: "x" } } });
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ mcpServers: { a: { command: "x" } } });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("convertSchema gives an object schema without properties an empty one", () => {
  expect(convertSchema({ type: "object" })).toEqual({ type: "object", properties: {} });
});

describe("writeMCPConfigFile is atomic", () => {
  test("readers see the whole old file or the whole new one", async () => {
    await using sandbox = await createSandbox();
    const file = join(sandbox.home, "mcp.json");
    const configOf = (fill: string) => ({ mcpServers: { a: { command: fill.repeat(200_000) } } });
    const [old, next] = [configOf("o"), configOf("n")];
    await writeMCPConfigFile(file, old);
    const allowed = new Set([old, next].map((config) => `${JSON.stringify(config, undefined, 2)}\n`));
    const progress = { isWriting: true };
    const writing = writeMCPConfigFile(file, next).finally(() => {
      progress.isWriting = false;
    });
    while (progress.isWriting) expect(allowed).toContain(await readFile(file, "utf8"));
    await writing;
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual(next);
    expect(await readdir(sandbox.home)).toEqual(["mcp.json"]); // nothing is left beside it
  });

  test("a write that fails does not change the old file", async ({ skip }) => {
    await using sandbox = await createSandbox();
    const folder = join(sandbox.home, "disk");
    using disk = mountSmallDisk(folder);
    if (disk === undefined) return skip("mounting a small disk needs root on Linux");
    const file = join(disk.home, "mcp.json");
    await writeMCPConfigFile(file, { mcpServers: { a: { command: "old" } } });
    disk.fill(0);
    const large = { mcpServers: { a: { command: "n".repeat(1_000_000) } } };
    await expect(writeMCPConfigFile(file, large)).rejects.toThrow(/ENOSPC|no space/i);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ mcpServers: { a: { command: "old" } } });
    expect(await readdir(disk.home)).toEqual(["mcp.json"]);
  });
});

describe("convertSchema", () => {
  test.each<[string, JsonObject]>([
    ["an object with properties", { type: "object", properties: { a: { type: "string" } }, required: ["a"] }],
    [
      "keywords it does not know",
      { type: "object", properties: {}, "x-own": [1, { deep: true }], $defs: { b: {} } },
    ],
    ["nested objects without properties", { type: "object", properties: { a: { type: "object" } } }],
    ["a schema of another type", { type: "string", pattern: "^a$" }],
    ["a schema without a type", { anyOf: [{ type: "object" }, { type: "null" }] }],
  ])("does not change %s", (_, schema) => {
    expect(convertSchema(schema)).toEqual(structuredClone(schema));
  });

  test("only adds missing properties to an object schema, and does not modify its argument", () => {
    const schema = { type: "object", required: ["a"], additionalProperties: false, description: "d" };
    const before = structuredClone(schema);
    expect(convertSchema(schema)).toEqual({ ...before, properties: {} });
    expect(schema).toEqual(before);
  });
});

describe("writeMCPConfigFile and links", () => {
  test.each([
    ["the file", ".plugboard/mcp.json"],
    ["its folder", ".plugboard"],
  ])("writes nothing through a link out of the project: %s", async (_, link) => {
    await using sandbox = await createSandbox();
    const own = await sandbox.writeHome(".plugboard/mcp.json", "{}\n");
    const file = join(sandbox.project, ".plugboard", "mcp.json");
    await mkdir(dirname(join(sandbox.project, link)), { recursive: true });
    await symlink(join(sandbox.home, link), join(sandbox.project, link));
    await expect(writeMCPConfigFile(file, { mcpServers: { a: { command: "x" } } })).rejects.toMatchObject({
      code: "CONFIG_UNWRITABLE",
    });
    expect(await readFile(own, "utf8")).toBe("{}\n");
  });

  test("follows a link outside of every project", async () => {
    await using sandbox = await createSandbox();
    const real = await sandbox.writeHome("dotfiles/mcp.json", "{}\n");
    const link = join(sandbox.home, "mcp.json");
    await symlink(real, link);
    await writeMCPConfigFile(link, { mcpServers: {} });
    expect(await readFile(real, "utf8")).toContain("mcpServers");
  });
});
