import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodePorts } from "../../src/platform/node/index.ts";
import { reportTests } from "../durability/counts.ts";
import { eventsOf, failureOf, hostIn } from "../flow/host-in.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";

reportTests("hostile home folders, switches, code caches and huge files: no code run, no huge file read");

/** A file with a hole: it takes no space on the disk. */
async function makeHuge(file: string): Promise<void> {
  await writeFile(file, "{");
  await truncate(file, 400 * 1024 * 1024);
}

function rows(count: number, write: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => write(index)).join("\n");
}

test("huge config files are refused because of their size, without using memory", async () => {
  await using sandbox = await createSandbox();
  const mine = { mcpServers: { mine: { command: "x" } } };
  await sandbox.writeHome(".plugboard/mcp.json", mine);
  const files = await Promise.all([
    sandbox.writeProject(".mcp.json", ""),
    sandbox.writeProject(".cursor/mcp.json", ""),
    sandbox.writeHome(".codex/config.toml", ""),
  ]);
  await Promise.all(files.map(makeHuge));
  const peak = join(sandbox.home, "peak");
  const recorder = join(sandbox.home, "record.cjs");
  await writeFile(
    recorder,
    `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)));`,
  );
  const { code, stdout } = await runCli(["list", "--json"], {
    sandbox,
    env: { NODE_OPTIONS: `--require ${recorder}` },
  });
  const { servers, problems } = JSON.parse(stdout) as {
    servers: { name: string }[];
    problems: { code: string; file: string }[];
  };
  expect({ code, servers: servers.map(({ name }) => name) }).toEqual({ code: 0, servers: ["mine"] });
  expect(problems.map(({ code: what, file }) => [what, file]).sort()).toEqual(
    files.map((file) => ["file-too-large", file]).sort(),
  );
  expect(Number(readFileSync(peak, "utf8"))).toBeLessThan(300 * 1024); // kilobytes
});

const BLANKS = `{}${" ".repeat(1024 * 1024)}`;
const MEMBERS = `{"mcpServers": {}, "other": {${rows(13_000, (index) => `"k${index}": 0,`)}"last": 0}}`;

test.each([
  ["add, very long", ".plugboard/mcp.json", BLANKS, "is larger than 1 MB"],
  ["add, very many values", ".plugboard/mcp.json", MEMBERS, "25,000 brackets"],
  ["export, very many values", ".cursor/mcp.json", MEMBERS, "25,000 brackets"],
  [
    "export, very many tables",
    ".codex/config.toml",
    rows(13_000, (index) => `k${index} = 0`),
    "25,000 brackets",
  ],
] as const)(
  "a project's file that is too large to be read is not edited either: %s",
  async (how, path, text, why) => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { mine: { command: "x" } } });
    const file = await sandbox.writeProject(path, text);
    await using host = await hostIn(sandbox);
    const edited = how.startsWith("add")
      ? host.config.add({ name: "new", server: { command: "x" }, scope: "project" })
      : host.config.planExport({ tool: path.startsWith(".codex") ? "codex" : "cursor", scope: "project" });
    expect(await failureOf(edited)).toMatchObject({
      code: "CONFIG_UNWRITABLE",
      message: expect.stringContaining(why),
    });
    expect(readFileSync(file, "utf8")).toBe(text);
  },
);

test("a project's files that exceed the limits are reported, and the rest is read", async () => {
  await using sandbox = await createSandbox();
  const server = { command: "x" };
  const many = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, value]));
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { mine: server } });
  await sandbox.writeProject(".plugboard/mcp.json", {
    mcpServers: { heavy: { ...server, env: many(1_001, "x") }, light: server },
  });
  await sandbox.writeProject(".mcp.json", { mcpServers: many(1_001, server) });
  await sandbox.writeProject(".gemini/settings.json", `{}${" ".repeat(1024 * 1024)}`);
  await sandbox.writeProject(".continue/mcpServers/deep.yaml", `a: ${"[".repeat(1_000)}\n`);
  const flags = Array.from({ length: 6_500 }, (_, index) => `--env K${index} v`);
  await sandbox.writeProject("crushrc", `mcp add script ${flags.join(" ")}`);
  for (let index = 0; index < 101; index += 1)
    await sandbox.writeProject(`.continue/mcpServers/${index}.json`, {
      mcpServers: { [`c${index}`]: server },
    });
  await using host = await hostIn(sandbox);
  const { servers, problems } = host.snapshot();
  const names = servers.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["mine", "light", "s0", "s999", "c0"]));
  expect(names).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(?:heavy|script|s1000)$/)]));
  const said = problems
    .filter(({ severity }) => severity === "error")
    .map(({ code, message }) => `${code} ${message.replace(/^\S+ /, "")}`);
  expect(said.filter((line) => /1,000|1 MB|nested|100 of this kind/.test(line)).sort()).toEqual([
    'entry-shape server "heavy" is ignored: "env" has more than 1,000 members',
    'entry-shape server "script" is ignored: "env" has more than 1,000 members',
    "file-syntax is nested too deeply",
    "file-too-large has more than 1,000 servers; the rest are ignored",
    "file-too-large is ignored, and so are the files after it: a project can have at most 100 of this kind",
    "file-too-large is larger than 1 MB",
  ]);
});

/** Texts of under 1 MB that took seconds to minutes to read. */
const SLOW_TEXTS: readonly (readonly [string, string, string, RegExp | undefined])[] = [
  ["YAML aliases", "a.yaml", `x: &a 1\n${rows(60_000, (index) => `k${index}: *a`)}`, /25,000/],
  ["YAML aliases of one name", "a.yaml", rows(2_000, () => "k: &a 1\nj: *a"), /10,000/],
  ["YAML brackets", "a.yaml", `a: [${"}".repeat(20_000)}`, /10,000/],
  ["YAML quotes", "a.yaml", `"'`.repeat(12_000), /10,000/],
  ["YAML spaces", "a.yaml", `a: x${" ".repeat(900_000)}y`, undefined],
  ["YAML spaces before a colon", "a.yaml", `a${" ".repeat(900_000)}y`, undefined],
  ["JSON values", "a.json", `[${"{},".repeat(340_000)}1]`, /25,000/],
  ["JSON names that are equal", "a.json", `{${'"a":1,'.repeat(12_000)}"a":1}`, undefined],
];

test.each(SLOW_TEXTS)(
  "a project's file does not keep the process busy with %s",
  async (_, name, text, said) => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { mine: { command: "x" } } });
    const file = await sandbox.writeProject(`.continue/mcpServers/${name}`, text);
    await using host = await hostIn(sandbox);
    const { servers, problems } = host.snapshot();
    expect(servers.map((server) => server.name)).toContain("mine");
    const limits = problems.filter(({ code }) => code === "file-too-large");
    expect(limits.map((problem) => [problem.file, problem.message])).toEqual(
      said === undefined ? [] : [[file, expect.stringMatching(said)]],
    );
    expect(problems.length).toBeLessThan(30);
  },
);

test("a server of a project with long values can be listed and explained", async () => {
  await using sandbox = await createSandbox();
  const long = (piece: string): string => piece.repeat(32_000 / piece.length);
  await sandbox.writeProject(".vscode/mcp.json", {
    servers: {
      local: { command: "x", args: ["?", " ", "eyJ-", "@", "$(", "%A%"].map(long) },
      remote: { type: "http", url: `http://x/${long("?a=")}`, headers: { Authorization: long("sk-") } },
    },
  });
  await using host = await hostIn(sandbox);
  expect(host.snapshot().servers.map(({ name }) => name)).toEqual(["local", "remote"]);
  for (const name of ["local", "remote"]) expect(await host.config.explain(name)).toBeDefined();
});

test.each([
  ["files", "{file:"],
  ["signs of a shell", "0%$("],
  ["folders", "${PWD:-"],
])("a server with many unclosed placeholders can be inspected and explained: %s", async (_, opening) => {
  await using sandbox = await createSandbox();
  const entry = { command: "node", args: [opening.repeat(70_000)] };
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { long: entry } });
  await using host = await hostIn(sandbox);
  expect((await host.approvals.inspect("long")).runs).toHaveLength(1);
  expect(await host.config.explain("long")).toBeDefined();
});

test.each<[string, object, RegExp]>([
  ["a path as command", { command: "/".repeat(1_000_000) }, /"command" has a text that is longer than 32 KB/],
  ["an argument", { command: "node", args: ["/".repeat(900_000)] }, /"args" has a text that is longer/],
  ["a line for a shell", { command: "sh", args: ["-c", "a ".repeat(450_000)] }, /"args" has a text/],
  ["a variable's name", { command: "x", env: { ["A".repeat(33_000)]: "" } }, /"env" has a text/],
  ["a nested text", { url: "https://h.test", oauth: { a: { b: "x".repeat(33_000) } } }, /"oauth" has a text/],
  ["many texts", { command: "x", args: Array(30).fill("/".repeat(30_000)) }, /longer than 256 KB in total/],
])("a server of a project is ignored because of its length: %s", async (_, entry, message) => {
  await using sandbox = await createSandbox();
  const mcpServers = { long: entry, short: { command: "x" } };
  for (const file of [".mcp.json", ".plugboard/mcp.json"]) await sandbox.writeProject(file, { mcpServers });
  await using host = await hostIn(sandbox);
  const { servers, problems } = host.snapshot();
  expect(servers.map(({ name }) => name)).toEqual(["short"]);
  const said = problems.filter(({ code }) => code === "entry-shape");
  expect(said.length).toBe(2);
  for (const problem of said) {
    expect(problem.message).toMatch(message);
    expect(problem.message.length).toBeLessThan(500);
  }
});

test("scripts of a project that take long to read are ignored", async () => {
  await using sandbox = await createSandbox();
  const marks = await sandbox.writeProject("crushrc", "$(".repeat(50_000));
  const first = await sandbox.writeProject("a/crushrc", `mcp add one --command x\n${"a ".repeat(25_000)}`);
  const second = await sandbox.writeProject("a/b/crushrc", `mcp add two --command x\n${"a ".repeat(25_000)}`);
  await using host = await hostIn(sandbox, { cwd: join(first, "..", "b") });
  const { servers, problems } = host.snapshot();
  expect(servers.map(({ name }) => name)).toEqual(["one"]);
  expect(
    problems.filter(({ code }) => code === "file-too-large").map(({ file, message }) => [file, message]),
  ).toEqual([
    [marks, expect.stringContaining("25,000")],
    [second, expect.stringContaining("100,000 characters in total")],
  ]);
});

test("doctor looks for the programs of thousands of servers without blocking other work", async () => {
  await using sandbox = await createSandbox();
  const many = (prefix: string) =>
    Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`${prefix}${index}`, { command: `x${index % 500}` }]),
    );
  await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: many("a") });
  await sandbox.writeProject(".cursor/mcp.json", { mcpServers: many("b") });
  const { files } = nodePorts();
  let inThisTurn = 0;
  let most = 0;
  const kind: typeof files.kind = (path) => {
    inThisTurn += 1;
    most = Math.max(most, inThisTurn);
    return files.kind(path);
  };
  const env = { ...sandbox.env(), PATH: "/nowhere" };
  await using host = await hostIn(sandbox, { env, ports: { files: { ...files, kind } } });
  let isOver = false;
  const count = (): void => {
    inThisTurn = 0;
    if (!isOver) setImmediate(count);
  };
  count();
  most = 0;
  const findings = await host.doctor.checkPrograms();
  isOver = true;
  expect(findings).toHaveLength(2_000);
  // The first ones start together, once the search is loaded.
  expect(most).toBeLessThan(500);
});

test.each([
  ["settings", ".plugboard/settings.json", "file-too-large"],
  ["approvals", ".local/state/plugboard/approvals.json", "state-unreadable"],
])("a huge file of %s is one problem", async (_, path, code) => {
  await using sandbox = await createSandbox();
  await makeHuge(await sandbox.writeHome(path, ""));
  await using host = await hostIn(sandbox);
  expect(host.snapshot().problems.map((problem) => problem.code)).toEqual([code]);
});

test.each([
  ["huge", makeHuge, /is larger than 1 MB/],
  ["a pipe", async (file: string) => void execFileSync("mkfifo", [`${file}.pipe`]), /is not a regular file/],
])("an envFile that is %s is reported and ignored", async (what, make, message) => {
  await using sandbox = await createSandbox();
  const envFile = await sandbox.writeHome("variables", "");
  await make(envFile);
  const named = what === "huge" ? envFile : `${envFile}.pipe`;
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { mine: { command: process.execPath, args: ["-e", "0"], envFile: named } },
  });
  await using host = await hostIn(sandbox);
  const events = eventsOf(host);
  await host.connect("mine").catch(() => undefined);
  const problems = events.flatMap((event) => (event.type === "problem" ? event.problem.message : []));
  expect(problems).toEqual([expect.stringMatching(message)]);
});

test.each(["huge", "a device"])("a value in a file that is %s is omitted", async (kind) => {
  await using sandbox = await createSandbox();
  const file = await sandbox.writeHome("value", "");
  if (kind === "huge") await makeHuge(file);
  const source = kind === "huge" ? file : "/dev/zero";
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { mine: { command: process.execPath, args: ["-e", "0"], env: { TOKEN: `file:${source}` } } },
  });
  await using host = await hostIn(sandbox);
  const findings = await host.doctor.checkValues("mine");
  expect(findings.map(({ message }) => message)).toEqual([expect.stringContaining(source)]);
});
