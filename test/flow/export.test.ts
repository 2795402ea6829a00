import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ExportPlan, Host } from "../../src/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { failureOf, hostIn } from "./host-in.ts";

const NATIVE = ".plugboard/mcp.json";
const CURSOR = ".cursor/mcp.json";
const FILES = { type: "stdio", command: "npx", args: ["-y", "files", "/srv"] };
const ISSUES = {
  type: "http",
  url: "https://h.test/mcp",
  headers: { Authorization: "Bearer ${ISSUES_TOKEN}" },
};

async function withServers(servers: object): Promise<Sandbox> {
  const sandbox = await createSandbox();
  await sandbox.writeHome(NATIVE, { mcpServers: servers });
  return sandbox;
}

const actionsOf = ({ changes }: ExportPlan): string[] =>
  changes.map(({ server, action }) => `${action} ${server}`);
const reasonsOf = ({ skipped }: ExportPlan): string[] =>
  skipped.map(({ server, reason }) => `${server}: ${reason}`);
const read = (file: string): Promise<string> => readFile(file, "utf8");
const apply = async (host: Host, tool: string, names?: string[]) =>
  host.config.applyExport(await host.config.planExport({ tool, ...(names && { names }) }));

/** The files beside a file that are not the file itself. */
async function neighboursOf(file: string): Promise<string[]> {
  return (await readdir(dirname(file))).filter((name) => name !== basename(file)).sort();
}

describe("an export plan", () => {
  test("contains what would be written, and writes nothing", async () => {
    await using sandbox = await withServers({ files: FILES, issues: ISSUES });
    await using host = await hostIn(sandbox);
    const plan = await host.config.planExport({ tool: "cursor" });
    expect(plan).toMatchObject({
      tool: "cursor",
      label: "Cursor",
      scope: "user",
      file: join(sandbox.home, CURSOR),
      skipped: [],
      before: "",
    });
    expect(plan.changes).toEqual([
      { server: "files", action: "add", after: FILES },
      {
        server: "issues",
        action: "add",
        after: { url: ISSUES.url, headers: { Authorization: "Bearer ${env:ISSUES_TOKEN}" } },
      },
    ]);
    expect(JSON.parse(plan.after)).toEqual({
      mcpServers: Object.fromEntries(plan.changes.map(({ server, after }) => [server, after])),
    });
    expect(await readdir(sandbox.home)).toEqual([".plugboard"]);
  });

  test("writes the project's nearest file, or else one at its root", async () => {
    await using sandbox = await withServers({ files: FILES });
    const cwd = join(sandbox.project, "a", "b");
    await mkdir(cwd, { recursive: true });
    await using host = await hostIn(sandbox, { cwd });
    const request = { tool: "cursor", scope: "project" } as const;
    expect((await host.config.planExport(request)).file).toBe(join(sandbox.project, CURSOR));
    const nearer = await sandbox.writeProject(join("a", CURSOR), {});
    expect((await host.config.planExport(request)).file).toBe(nearer);
  });

  test("contains the user's own and approved servers unless some are named", async () => {
    await using sandbox = await withServers({ files: FILES, off: { ...FILES, enabled: false } });
    await sandbox.writeProject(NATIVE, {
      mcpServers: { known: { ...FILES, args: ["known"] }, stranger: { ...FILES, args: ["stranger"] } },
    });
    await using host = await hostIn(sandbox, { trustProject: true });
    await host.approvals.approve("known", host.approvals.request("known").hash);
    expect(actionsOf(await host.config.planExport({ tool: "cursor" }))).toEqual(["add known", "add files"]);
    const named = await host.config.planExport({
      tool: "cursor",
      names: ["off", "stranger", "files", "files"],
    });
    expect(actionsOf(named)).toEqual(["add files"]);
    expect(reasonsOf(named)).toEqual([
      'off: it may not run: "enabled": false in its entry',
      "stranger: it may not run: defined by this project; not approved yet",
    ]);
  });

  test.each([
    ["curser", undefined, "USAGE_INVALID", 'Plugboard cannot export to "curser".', 'Did you mean "cursor"?'],
    [
      "emacs",
      undefined,
      "USAGE_INVALID",
      'Plugboard cannot export to "emacs".',
      "Supported tools: claude-code,",
    ],
    ["claude-code", "user", "CONFIG_UNWRITABLE", "Claude Code rewrites its user file", "claude mcp add-json"],
    ["windsurf", "project", "CONFIG_UNWRITABLE", "Windsurf has no project file.", "Use the user scope."],
  ] as const)("for %s (%s) is refused", async (tool, scope, code, message, hint) => {
    await using sandbox = await withServers({ files: FILES });
    await using host = await hostIn(sandbox);
    expect(await failureOf(host.config.planExport({ tool, ...(scope && { scope }) }))).toEqual({
      code,
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
  });

  test("for an unknown server is refused", async () => {
    await using sandbox = await withServers({ files: FILES });
    await using host = await hostIn(sandbox);
    expect(await failureOf(host.config.planExport({ tool: "cursor", names: ["flies"] }))).toMatchObject({
      code: "SERVER_UNKNOWN",
    });
  });

  test("for the project is refused in the home folder", async () => {
    await using sandbox = await withServers({ files: FILES });
    await using host = await hostIn(sandbox, { cwd: sandbox.home });
    expect(await failureOf(host.config.planExport({ tool: "cursor", scope: "project" }))).toMatchObject({
      message: "Your home folder is not a project.",
      hint: "Use the user scope.",
    });
  });

  test.each([
    ["cursor", CURSOR, '{ "mcpServers": {', /mcp\.json:1:18 ends before the closing \}.*it was not changed/],
    ["cursor", CURSOR, "[]", /must hold an object; it was not changed/],
    ["cursor", CURSOR, '{ "mcpServers": [] }', /has a structure that Plugboard cannot edit/],
    ["cursor", CURSOR, Buffer.from([0x7b, 0xff, 0x7d]), /is not UTF-8 text/],
    [
      "codex",
      ".codex/config.toml",
      "[mcp_servers",
      /config\.toml:1:\d+ is not valid TOML.*it was not changed/,
    ],
    ["codex", ".codex/config.toml", "mcp_servers = {}\n", /has a structure that Plugboard cannot edit/],
  ])("for a file of %s that cannot be edited is refused", async (tool, path, content, message) => {
    await using sandbox = await withServers({ files: FILES });
    const file = await sandbox.writeHome(path, content);
    const before = await readFile(file);
    await using host = await hostIn(sandbox);
    expect(await failureOf(host.config.planExport({ tool }))).toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message),
    });
    expect(await readFile(file)).toEqual(before);
    expect(await neighboursOf(file)).toEqual([]);
  });

  test("does not change a server that the file itself defines", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CURSOR, { mcpServers: { mine: { command: "x", odd: true } } });
    await using host = await hostIn(sandbox);
    const plan = await host.config.planExport({ tool: "cursor", all: true });
    expect((await host.config.planExport({ tool: "cursor" })).others).toEqual([]); // the tool has it already
    expect(actionsOf(plan)).toEqual(["same mine"]);
    expect(plan.after).toBe(plan.before);
    expect(await host.config.applyExport(plan)).toEqual({ tool: "cursor", file: plan.file, written: false });
  });

  test("skips a server that the tool would merge with one in another of its files", async () => {
    await using sandbox = await withServers({ files: FILES });
    await sandbox.writeHome(".codex/config.toml", '[mcp_servers.files]\nurl = "https://h.test"\n');
    await using host = await hostIn(sandbox);
    const plan = await host.config.planExport({ tool: "codex", scope: "project" });
    expect(reasonsOf(plan)).toEqual([
      `files: Codex would merge it with the entry in ${join(sandbox.home, ".codex/config.toml")}`,
    ]);
  });
});

describe("a server stays out, with the reason,", () => {
  test.each([
    ["when its name is unusual", "a b", FILES, "Server name can only contain"],
    ["when it starts from a relative path", "x", { ...FILES, command: "./x" }, "relative path"],
    ["when its folder is relative", "x", { ...FILES, cwd: "sub" }, "relative path"],
    ["when a value is a command", "x", { ...FILES, env: { A: "!pass x" } }, "env.A is a command"],
    [
      "when only its own tool knows a value",
      "x",
      { ...FILES, args: ["${input:a}"] },
      "only plugboard can resolve",
    ],
    ["when it has sign-in settings", "x", { ...ISSUES, oauth: { clientId: "me" } }, "sign-in settings"],
    [
      "when a program signs in for it",
      "x",
      { ...ISSUES, authProviderId: "p" },
      'other tools do not support its "authProviderId"',
    ],
    [
      "when a token is in plain text",
      "x",
      { ...ISSUES, headers: { "X-Key": "abc" } },
      "headers.X-Key contains a secret",
    ],
    [
      "when an argument is a secret",
      "x",
      { ...FILES, args: ["--token", "abc"] },
      "args[1] contains a secret",
    ],
    ["when its url is a secret", "x", { ...ISSUES, url: "https://h.test/?key=abc" }, "url contains a secret"],
    [
      "when a default is a secret",
      "x",
      { ...FILES, env: { API_KEY: "${K:-abc}" } },
      "env.API_KEY contains a secret",
    ],
  ])("%s", async (_, name, server, reason) => {
    await using sandbox = await withServers({ [name]: server });
    await using host = await hostIn(sandbox);
    const plan = await host.config.planExport({ tool: "vscode" });
    expect(plan.changes).toEqual([]);
    expect(reasonsOf(plan)).toEqual([expect.stringContaining(`${name}: `)]);
    expect(reasonsOf(plan)[0]).toContain(reason);
  });
});

describe("a project's server that becomes the user's own", () => {
  async function planFor(tool: string, entry: object, files: Record<string, string> = {}) {
    const sandbox = await createSandbox();
    await sandbox.writeProject(NATIVE, { mcpServers: { notes: entry } });
    for (const [path, text] of Object.entries(files)) await sandbox.writeProject(path, text);
    await using host = await hostIn(sandbox);
    await host.approvals.approve("notes", (await host.approvals.inspect("notes")).hash);
    return { sandbox, plan: await host.config.planExport({ tool }) };
  }

  test("names the project's script by its absolute path", async () => {
    const { sandbox, plan } = await planFor("cursor", { command: "node", args: ["server.js"] });
    await using _ = sandbox;
    const args = [join(sandbox.project, "server.js")];
    expect(plan.changes).toEqual([
      { server: "notes", action: "add", after: { type: "stdio", command: "node", args } },
    ]);
  });

  test("starts in the project's folder if it needs that, or is skipped", async () => {
    const entry = { command: "sh", args: ["-c", "bash server.sh"] };
    for (const tool of ["vscode", "cursor"]) {
      const { sandbox, plan } = await planFor(tool, entry);
      await using _ = sandbox;
      if (tool === "vscode") expect(plan.changes[0]?.after).toMatchObject({ cwd: sandbox.project });
      else expect(reasonsOf(plan)).toEqual(["notes: Cursor does not support cwd"]);
    }
  });

  test("is skipped if the project could change its variables", async () => {
    const entry = { command: "npx", args: ["x"], envFile: ".env" };
    const { sandbox, plan } = await planFor("vscode", entry, { ".env": "A=1" });
    await using _ = sandbox;
    expect(reasonsOf(plan)).toEqual([expect.stringContaining("its envFile")]);
  });

  test("is written for another folder of the project with paths from there", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(join("sub", NATIVE), {
      mcpServers: { notes: { command: "node", args: ["server.js"] } },
    });
    await using host = await hostIn(sandbox, { cwd: join(sandbox.project, "sub") });
    await host.approvals.approve("notes", (await host.approvals.inspect("notes")).hash);
    const plan = await host.config.planExport({ tool: "cursor", scope: "project" });
    expect(plan.file).toBe(join(sandbox.project, CURSOR));
    expect(plan.changes[0]?.after).toMatchObject({ args: ["./sub/server.js"] });
  });
});

test("a wrapper and variables are exported with the server", async () => {
  await using sandbox = await withServers({
    wrapped: { ...FILES, wrap: ["bwrap", "--unshare-net"], env: { API_TOKEN: "${T}", AUTH: "token ${T}" } },
  });
  await sandbox.writeHome(
    ".codex/config.toml",
    '[mcp_servers.hub]\nurl = "https://h.test"\nbearer_token_env_var = "T"\n',
  );
  await using host = await hostIn(sandbox);
  const plan = await host.config.planExport({ tool: "vscode", all: true });
  expect(plan.changes.map(({ after }) => after)).toEqual([
    {
      type: "stdio",
      command: "bwrap",
      args: ["--unshare-net", "npx", "-y", "files", "/srv"],
      env: { API_TOKEN: "${env:T}", AUTH: "token ${env:T}" },
    },
    { type: "http", url: "https://h.test", headers: { Authorization: "Bearer ${env:T}" } },
  ]);
});

describe("writing", () => {
  const COMMENTED = [
    "\ufeff{",
    "\t// my servers",
    '\t"mcpServers": {',
    '\t\t"other": { "command": "keep" }, // mine',
    '\t\t"files": {',
    '\t\t\t"command": "old", // soon gone',
    '\t\t\t"disabled": true',
    "\t\t}",
    "\t},",
    '\t"extra": 1 // last',
    "}",
    "",
  ].join("\r\n");

  test("keeps comments, order, indentation, line ends, byte order mark and mode, after a backup", async () => {
    await using sandbox = await withServers({ files: FILES });
    const file = await sandbox.writeHome(CURSOR, COMMENTED);
    await chmod(file, 0o640);
    await using host = await hostIn(sandbox);
    const result = await apply(host, "cursor", ["files"]);
    expect(result).toEqual({
      tool: "cursor",
      file,
      written: true,
      backup: expect.stringMatching(/mcp\.json\.plugboard-backup-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/),
    });
    expect(await read(file)).toBe(
      COMMENTED.replace('"old", // soon gone', '"npx", // soon gone').replace(
        '"disabled": true\r\n',
        '"disabled": true,\r\n\t\t\t"type": "stdio",\r\n\t\t\t"args": ["-y", "files", "/srv"]\r\n',
      ),
    );
    expect(await read(result.backup ?? "")).toBe(COMMENTED);
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect((await stat(result.backup ?? "")).mode & 0o777).toBe(0o640);
    expect(await neighboursOf(file)).toEqual([basename(result.backup ?? "")]);
  });

  test("keeps a byte order mark inside a text", async () => {
    await using sandbox = await withServers({ files: FILES });
    const file = await sandbox.writeHome(CURSOR, '{ "a": "\ufeff" }\n');
    await using host = await hostIn(sandbox);
    await apply(host, "cursor");
    expect(JSON.parse(await read(file))).toEqual({ a: "\ufeff", mcpServers: { files: FILES } });
  });

  test("creates a missing file without a backup, and the host sees it immediately", async () => {
    await using sandbox = await withServers({ files: FILES });
    await using host = await hostIn(sandbox);
    const result = await apply(host, "gemini");
    expect(result).toEqual({
      tool: "gemini",
      file: join(sandbox.home, ".gemini/settings.json"),
      written: true,
    });
    expect(host.servers({ all: true }).map(({ name, source }) => [name, source.tool])).toEqual([
      ["files", "plugboard"],
      ["files", "gemini"],
    ]);
    expect(await host.config.applyExport(await host.config.planExport({ tool: "gemini" }))).toMatchObject({
      written: false,
    });
  });

  test("again replaces what was written before, and reports when nothing is left to do", async () => {
    await using sandbox = await withServers({ files: FILES });
    await using host = await hostIn(sandbox);
    await apply(host, "codex");
    await host.config.add({
      name: "files",
      server: { ...FILES, args: ["new"] },
      scope: "user",
      replace: true,
    });
    const plan = await host.config.planExport({ tool: "codex" });
    expect(plan.changes).toEqual([
      {
        server: "files",
        action: "change",
        before: { command: "npx", args: FILES.args },
        after: { command: "npx", args: ["new"] },
      },
    ]);
    await host.config.applyExport(plan);
    expect(await read(plan.file)).toBe('[mcp_servers.files]\ncommand = "npx"\nargs = ["new"]\n');
    expect(actionsOf(await host.config.planExport({ tool: "codex" }))).toEqual(["same files"]);
  });

  test("keeps the tool's own fields, but not permissions of another program", async () => {
    await using sandbox = await withServers({ files: FILES, issues: ISSUES });
    const own = { disabled: true, autoApprove: ["all"], timeout: 9 };
    const file = await sandbox.writeHome(".cline/data/settings/cline_mcp_settings.json", {
      mcpServers: {
        files: { transport: { type: "stdio", command: "old" }, ...own },
        issues: {
          type: "streamableHttp",
          url: ISSUES.url,
          headers: { Authorization: "Bearer ${env:ISSUES_TOKEN}" },
          ...own,
        },
      },
    });
    await using host = await hostIn(sandbox);
    await apply(host, "cline");
    const { mcpServers } = JSON.parse(await read(file)) as { mcpServers: Record<string, object> };
    expect(mcpServers["files"]).toEqual({ ...FILES, disabled: true, timeout: 9 });
    expect(mcpServers["issues"]).toMatchObject(own);
  });

  test("is refused when the file changed since the plan was made", async () => {
    await using sandbox = await withServers({ files: FILES });
    const file = await sandbox.writeHome(CURSOR, "{}\n");
    await using host = await hostIn(sandbox);
    const plan = await host.config.planExport({ tool: "cursor" });
    await writeFile(file, '{ "a": 1 }\n');
    expect(await failureOf(host.config.applyExport(plan))).toEqual({
      code: "CONFIG_UNWRITABLE",
      message: `${file} has changed since the diff was shown, so nothing was written.`,
      hint: "Review the diff again.",
    });
    expect(await read(file)).toBe('{ "a": 1 }\n');
    expect(await neighboursOf(file)).toEqual([]);
  });

  test("is refused when a file appeared since the plan was made", async () => {
    await using sandbox = await withServers({ files: FILES });
    await using host = await hostIn(sandbox);
    const plan = await host.config.planExport({ tool: "cursor" });
    const file = await sandbox.writeHome(CURSOR, "{}");
    expect(await failureOf(host.config.applyExport(plan))).toMatchObject({ code: "CONFIG_UNWRITABLE" });
    expect(await read(file)).toBe("{}");
  });

  test("reports a failure clearly, even if its backup cannot be removed", async () => {
    await using sandbox = await withServers({ files: FILES });
    const file = await sandbox.writeHome(CURSOR, "{}\n");
    const refuse = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
    const { files } = nodePorts();
    for (const broken of [
      { rename: refuse("ENOSPC"), remove: refuse("EROFS") },
      { mode: refuse("EACCES") },
      { realPath: refuse("ELOOP") },
    ]) {
      await using host = await hostIn(sandbox, { ports: { files: { ...files, ...broken } } });
      const plan = await host.config.planExport({ tool: "cursor", scope: "user" });
      expect(await failureOf(host.config.applyExport(plan))).toMatchObject({ code: "CONFIG_UNWRITABLE" });
      expect(await read(file)).toBe("{}\n");
    }
  });

  test("follows a link to its target", async () => {
    await using sandbox = await withServers({ files: FILES });
    const target = await sandbox.writeHome("dotfiles/cursor.json", "{}\n");
    const link = join(sandbox.home, CURSOR);
    await mkdir(dirname(link));
    await symlink(target, link);
    await using host = await hostIn(sandbox);
    await apply(host, "cursor");
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(JSON.parse(await read(target))).toEqual({ mcpServers: { files: FILES } });
  });

  test("waits for a tool that is writing the file, up to a limit", async () => {
    await using sandbox = await withServers({ files: FILES });
    const path = ".cline/data/settings/cline_mcp_settings.json";
    const file = await sandbox.writeHome(path, "{}\n");
    await mkdir(`${file}.lock`);
    await using host = await hostIn(sandbox, {
      ports: { clock: { now: () => 0, after: (_, callback) => (setImmediate(callback), () => {}) } },
    });
    expect(await failureOf(apply(host, "cline"))).toMatchObject({ code: "STATE_LOCKED" });
    expect(await read(file)).toBe("{}\n");
    expect(await neighboursOf(file)).toEqual([`${basename(file)}.lock`]);
  });
});

test("no secret is written or shown: neither the environment's nor those in either file", async () => {
  const canaries = ["env-canary-1", "old-canary-2", "arg-canary-3", "own-canary-4", "x9"];
  const [fromEnv = "", old = "", argument = "", own = "", short = ""] = canaries;
  await using sandbox = await withServers({ issues: ISSUES, plain: { ...FILES, env: { API_KEY: own } } });
  const cursor = await sandbox.writeHome(
    CURSOR,
    `{
  "mcpServers": {
    // "API_KEY": "sk-${"a".repeat(20)}"
    "issues": { "url": "https://old.test", "headers": { "Authorization": "Bearer ${old}" } },
    "other": { "command": "x", "args": ["--token", "${argument}"], "env": { "PASSWORD": "${short}" } }
  }
}
`,
  );
  const env = { ...sandbox.env(), ISSUES_TOKEN: fromEnv };
  await using host = await hostIn(sandbox, { env });
  for (const tool of ["cursor", "codex", "opencode", "claude-code"]) {
    const plan = await host.config.planExport({ tool, names: ["issues", "plain"] });
    expect(actionsOf(plan)).toEqual([`${tool === "cursor" ? "change" : "add"} issues`]);
    expect(plan.after).toMatch(/ISSUES_TOKEN/);
    const shown = JSON.stringify(plan);
    for (const canary of canaries) expect(shown).not.toContain(canary);
    expect(shown).not.toContain("sk-aaaa");
    const { file, written } = await host.config.applyExport(plan);
    expect(written).toBe(true);
    const text = await read(file);
    expect(text).not.toContain(fromEnv);
    expect(text).not.toContain(own);
    expect(text).not.toContain("[secret]");
  }
  expect(await read(cursor)).toContain(`"--token", "${argument}"`);
});
