import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHost, type Host, type ToolResult } from "../../src/index.ts";
import { serveHttp } from "../../src/testing/index.ts";
import { type CliResult, runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { realServer, stdioServer } from "../support/test-servers.ts";
import { compileProject, writeTypeProject } from "../support/type-project.ts";

const LONG_MS = 120_000;

function generate(sandbox: Sandbox, ...words: readonly string[]): Promise<CliResult> {
  return runCli(["generate", ...words], { sandbox });
}

function projectFile({ project }: Sandbox, name: string): Promise<string> {
  return readFile(join(project, name), "utf8");
}

describe("for the published servers", () => {
  const context7 = resolve("node_modules/@upstash/context7-mcp/dist/index.js");
  let sandbox: Sandbox;

  beforeAll(async () => {
    sandbox = await createSandbox();
    const mcpServers = {
      brave: { ...realServer("brave"), env: { BRAVE_API_KEY: "none" } },
      context7: { command: process.execPath, args: [context7] },
      everything: realServer("everything"),
      files: realServer("filesystem", sandbox.project),
      git: realServer("git"),
      memory: realServer("memory"),
    };
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
    await writeTypeProject(sandbox);
    expect(await generate(sandbox, "types", "--out", "mcp.d.ts")).toMatchObject({ code: 0 });
    for (const server of Object.keys(mcpServers))
      expect(await generate(sandbox, "client", server, "-o", `${server}.ts`)).toMatchObject({ code: 0 });
    await copyFile("examples/typed-calls.mjs", join(sandbox.project, "example.mjs"));
    await sandbox.writeProject("use.ts", USE);
  }, LONG_MS);

  afterAll(() => sandbox[Symbol.asyncDispose]());

  test.each(["5.9", "7"] as const)(
    "the code type-checks with TypeScript %s, and so do calls",
    (version) => {
      expect(compileProject(sandbox, version)).toBe("");
    },
    LONG_MS,
  );

  test("--check accepts the file", async () => {
    expect(await generate(sandbox, "types", "--out", "mcp.d.ts", "--check")).toMatchObject({
      code: 0,
      stdout: "✓ mcp.d.ts is up to date.\n",
    });
  });

  test("a client calls the tools", async () => {
    const note = await sandbox.writeProject("note.txt", "remember the milk");
    compileProject(sandbox, "7");
    await using host = await createHost({ cwd: sandbox.project, env: sandbox.env() });
    const { read_text_file: read } = await loadClient(sandbox, "files", host);
    expect(await read?.({ path: note })).toMatchObject({ structured: { content: "remember the milk" } });
  });
});

const USE = `
import { createHost } from "plugboard";
import { createClient } from "./files.js";

const host = await createHost();
const result = await host.call("files", "read_text_file", { path: "x", head: 3 });
export const content: string | undefined = result.structured?.content;
await host.call("files", "list_allowed_directories");
await host.call("files", "read_text_file", async () => ({ path: "x" }), { textLimit: 10 });
await host.call("a server without types", "any_tool", { any: ["argument"] });
await host.call("a server without types", "any_tool");
const name: string = "files";
await host.call(name, "any_tool", {});

// @ts-expect-error: an unknown argument
await host.call("files", "read_text_file", { path: "x", line: 3 });
// @ts-expect-error: a wrong type
await host.call("files", "read_text_file", { path: 1 });
// @ts-expect-error: a missing argument
await host.call("files", "read_text_file", {});
// @ts-expect-error: no arguments
await host.call("files", "read_text_file");
// @ts-expect-error: an unknown tool
await host.call("files", "read_txt_file", { path: "x" });
// @ts-expect-error: a wrong type of the result
export const wrong: number | undefined = result.structured?.content;

const files = createClient(host);
export const text: string | undefined = (await files.read_text_file({ path: "x" })).structured?.content;
await files.list_allowed_directories();
// @ts-expect-error: no arguments
await files.read_text_file();
// @ts-expect-error: an unknown tool
await files.read_txt_file({ path: "x" });
`;

type LoadedClient = Readonly<Record<string, (args?: unknown) => Promise<ToolResult>>>;

/** Loads a compiled client. */
async function loadClient({ project }: Sandbox, name: string, host: Host): Promise<LoadedClient> {
  const module: unknown = await import(pathToFileURL(join(project, "out", `${name}.js`)).href);
  return (module as { createClient(host: Host): LoadedClient }).createClient(host);
}

/** Texts that would run or hide code if they were not escaped. */
const ATTACKS = [
  "*/ globalThis.attacked = true; /*",
  '"; globalThis.attacked = true; "',
  "`${(globalThis.attacked = true)}`",
  "\\",
  "\\u002a/ globalThis.attacked = true; //",
  "a\u2028globalThis.attacked = true;\u2029//",
  "a\nglobalThis.attacked = true;\r//",
  "}; globalThis.attacked = true; interface X {",
  "\u202e} attacked",
  "@ts-nocheck",
  "@deprecated {@link x}",
  "__proto__",
  "constructor",
  "then",
  "toJSON",
  "new",
  "",
] as const;

test(
  "a hostile server cannot break out of the generated code",
  async () => {
    const reference = (text: string) => ({
      $ref: `#/$defs/${text.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    });
    const schema = {
      type: "object",
      description: ATTACKS[0],
      properties: Object.fromEntries(
        ATTACKS.map((text) => [
          text,
          { description: text, anyOf: [{ enum: ATTACKS }, { const: text }, reference(text)] },
        ]),
      ),
      required: ATTACKS,
      $defs: Object.fromEntries(
        ATTACKS.map((text) => [text, { type: "object", properties: { [text]: reference(text) } }]),
      ),
    };
    const tools = Object.fromEntries(
      ATTACKS.map((text) => [
        text,
        { title: text, description: text, inputSchema: schema, outputSchema: schema, run: () => text },
      ]),
    );
    await using sandbox = await createSandbox();
    const server = await serveHttp({ name: "hostile", version: "1", tools });
    try {
      const name = ATTACKS[0];
      const mcpServers = { [name]: { type: "http", url: server.url } };
      await sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
      await writeTypeProject(sandbox);
      expect(await generate(sandbox, "types", "--out", "mcp.d.ts")).toMatchObject({ code: 0 });
      expect(await generate(sandbox, "client", name, "--out", "hostile.ts")).toMatchObject({ code: 0 });
      await sandbox.writeProject(
        "use.ts",
        `import { createHost } from "plugboard";
        const host = await createHost();
        // @ts-expect-error: missing arguments
        await host.call(${JSON.stringify(name)}, "then", {});
        // @ts-expect-error: an unknown tool
        await host.call(${JSON.stringify(name)}, "unknown");`,
      );
      expect(compileProject(sandbox, "7")).toBe("");
      for (const file of ["mcp.d.ts", "hostile.ts"])
        expect(await projectFile(sandbox, file)).not.toMatch(/[\u2028\u2029\r\u202e]/);
      await using host = await createHost({ cwd: sandbox.project, env: sandbox.env() });
      const client = await loadClient(sandbox, "hostile", host);
      const leftOut = ["", "__proto__", "then", "toJSON"]; // Plugboard offers no tool without a name
      expect(new Set(Object.keys(client))).toEqual(
        new Set(ATTACKS.filter((text) => !leftOut.includes(text))),
      );
      expect(Object.getPrototypeOf(client)).toBe(Object.prototype);
      expect(await Promise.resolve(client)).toBe(client);
      expect(JSON.stringify(client)).toBe("{}");
      expect(globalThis).not.toHaveProperty("attacked");
    } finally {
      await server.close();
    }
  },
  LONG_MS,
);

async function sandboxWithTools(): Promise<Sandbox> {
  const sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { raw: stdioServer("raw-server.mjs") } });
  return sandbox;
}

test("--check exits with 1 when the tools changed, and writes nothing", async () => {
  await using sandbox = await sandboxWithTools();
  const words = ["types", "--out", "mcp.d.ts"];
  const missing = await generate(sandbox, ...words, "--check");
  expect(missing).toMatchObject({
    code: 1,
    stderr: "✗ mcp.d.ts is out of date. Run: plugboard generate types --out mcp.d.ts\n",
  });
  expect(await generate(sandbox, ...words)).toMatchObject({
    code: 0,
    stdout: "✓ Wrote mcp.d.ts (2 tools).\n",
  });
  const written = await projectFile(sandbox, "mcp.d.ts");
  await writeFile(join(sandbox.project, "mcp.d.ts"), written.replaceAll("\n", "\r\n"));
  expect(await generate(sandbox, ...words, "--check")).toMatchObject({ code: 0 }); // git may convert line ends
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { raw: stdioServer("raw-server.mjs", ["--behave", "pages"]) },
  });
  const changed = await generate(sandbox, ...words, "--check", "--json");
  expect(changed.code).toBe(1);
  expect(changed.json()).toEqual({
    file: "mcp.d.ts",
    servers: ["raw"],
    tools: 4,
    changed: true,
    written: false,
  });
  expect(await generate(sandbox, ...words)).toMatchObject({ code: 0 });
  expect(await projectFile(sandbox, "mcp.d.ts")).toContain("on_page_2");
});

test("a file that Plugboard did not generate is never overwritten", async () => {
  await using sandbox = await sandboxWithTools();
  await sandbox.writeProject("mine.ts", "export const mine = 1;\n");
  for (const flags of [[], ["--check"]]) {
    const { code, stderr } = await generate(sandbox, "client", "raw", "--out", "mine.ts", ...flags);
    expect(code).toBe(2);
    expect(stderr).toContain("mine.ts exists, and Plugboard did not generate it.");
  }
  expect(await projectFile(sandbox, "mine.ts")).toBe("export const mine = 1;\n");
});

test("if a server fails, nothing is written", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: {
      broken: stdioServer("raw-server.mjs", ["--behave", "exit"]),
      raw: stdioServer("raw-server.mjs"),
    },
  });
  const failed = await generate(sandbox, "types", "--out", "mcp.d.ts");
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain('"broken"');
  await expect(projectFile(sandbox, "mcp.d.ts")).rejects.toThrow("ENOENT");
  expect(await generate(sandbox, "types", "raw", "--out", "mcp.d.ts")).toMatchObject({ code: 0 });
});

test.each([
  [["types"], "Missing --out <file>."],
  [["docs", "--out", "x.ts"], "Unknown kind of file: docs"],
  [["client", "--out", "x.ts"], "A client is for one server."],
  [["client", "raw", "demo", "--out", "x.ts"], "A client is for one server."],
  [["client", "raw", "--out", "x.d.ts"], "x.d.ts cannot contain a client."],
  [["types", "--out", "x.json"], "x.json cannot contain types."],
  [["types", "rew", "--out", "x.ts"], 'Unknown server "rew".'],
  [["types", "--out", "no/folder/x.ts"], "Cannot write no/folder/x.ts"],
])("generate %j is a usage error", async (words, message) => {
  await using sandbox = await sandboxWithTools();
  const { code, stderr } = await generate(sandbox, ...words);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

test("a repository's link neither receives the code nor is read", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { tools: stdioServer("tools-server.mjs") } });
  const outside = join(sandbox.home, "outside");
  await mkdir(outside);
  const targets = { "new.ts": join(outside, ".profile"), "device.ts": "/dev/zero", "pipe.ts": "/dev/stdin" };
  for (const [name, target] of Object.entries(targets)) {
    await symlink(target, join(sandbox.project, name));
    expect(await generate(sandbox, "client", "tools", "--out", name)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("it is a link"),
    });
  }
  expect(await readdir(outside)).toEqual([]);
});
