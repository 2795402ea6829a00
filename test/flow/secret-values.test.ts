import { existsSync } from "node:fs";
import { readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Host, HostOptions } from "../../src/index.ts";
import { createManualClock, serveHttp } from "../../src/testing/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { eventually, eventuallyReads, failureOf, hostIn, isRunning } from "./host-in.ts";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox();
  return () => sandbox[Symbol.asyncDispose]();
});

const seenBy = async (host: Host, name: string, server = "tools"): Promise<string> =>
  (await host.call(server, "env", { name })).text;
const tools = (env: Record<string, string>) => stdioServer("tools-server.mjs", [], env);
const native = (env: Record<string, string>) =>
  sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { tools: tools(env) } });
const messages = (problems: readonly { message: string }[]): string[] =>
  problems.map(({ message }) => message.replace(/^.*server "\w+": /, ""));

/** An MCP server that accepts requests with these headers, and the headers of the last request. */
async function guarded(wanted: Record<string, string> = {}) {
  const seen: Record<string, string | string[] | undefined>[] = [];
  const server = await serveHttp(
    { name: "x", version: "1", tools: { hi: { run: () => "hi" } } },
    {
      guard: ({ headers }) => {
        seen.push(headers);
        return Object.entries(wanted).every(([name, value]) => headers[name] === value) ? undefined : 401;
      },
    },
  );
  return { url: server.url, seen, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test("a running command is ended with the host, and its server is not started", async () => {
  const [began, started] = [join(sandbox.home, "began"), join(sandbox.home, "started")];
  const command = "/bin/sh";
  const entry = {
    command,
    args: ["-c", `touch ${started}`],
    env: { A: `!echo $$ > ${began}.tmp; mv ${began}.tmp ${began}; sleep 60` },
  };
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { slow: entry } });
  const host = await hostIn(sandbox, { ports: { clock: createManualClock() } }); // no time limit ends it
  const connecting = failureOf(host.connect("slow"));
  const pid = Number(await eventuallyReads(began));
  await host.close();
  expect((await connecting).code).toBe("HOST_CLOSED");
  await eventually(async () => expect(await isRunning(pid)).toBe(false));
  expect(existsSync(started)).toBe(false);
});

describe("an env or header value of a native file", () => {
  test("can be a command, a variable's name, a stored secret, a file, or plain text, and is resolved when the server starts", async () => {
    await sandbox.writeHome(".plugboard/token.txt", "from the file\n");
    await native({
      COMMAND: "!printf 'from %s' \"${WORD:-the shell}\"",
      VARIABLE: "MY_VARIABLE",
      STORED: "keychain:work/token",
      INSIDE: "Bearer ${keychain:work/token}",
      FILE: "file:token.txt",
      HOME_FILE: "file:~/.plugboard/token.txt",
      ADDRESS: "file:///etc/hosts",
      TEXT: "no_such_variable",
      TWICE: "${HOLDS_A_NAME}",
      ESCAPED: "${NONE:-file:token.txt}",
    });
    const env = { ...sandbox.env(), MY_VARIABLE: "from a variable", HOLDS_A_NAME: "!echo ran" };
    await using host = await hostIn(sandbox, { env });
    await host.secrets.store("work/token", "from the store");
    const names = "COMMAND VARIABLE STORED INSIDE FILE HOME_FILE ADDRESS TEXT TWICE ESCAPED".split(" ");
    const seen = await Promise.all(names.map((name) => seenBy(host, name)));
    expect(Object.fromEntries(names.map((name, index) => [name, seen[index]]))).toEqual({
      COMMAND: "from the shell",
      VARIABLE: "from a variable",
      STORED: "from the store",
      INSIDE: "Bearer from the store",
      FILE: "from the file",
      HOME_FILE: "from the file",
      ADDRESS: "file:///etc/hosts",
      TEXT: "no_such_variable",
      TWICE: "!echo ran",
      ESCAPED: "file:token.txt",
    });
    expect(await host.doctor.checkValues()).toEqual([]);
  });

  test("works the same way for remote servers", async () => {
    await using server = await guarded({ authorization: "Bearer t0ken", "x-key": "k3y" });
    const headers = { Authorization: "!echo Bearer t0ken", "X-Key": "MY_KEY" };
    await using host = await hostIn(sandbox, {
      env: { ...sandbox.env(), MY_KEY: "k3y" },
      servers: { x: { type: "http", url: server.url, headers } },
    });
    expect((await host.call("x", "hi")).text).toBe("hi");
  });

  test("is not resolved in arguments or a URL", async () => {
    const args = [
      "-e",
      "console.error(JSON.stringify(process.argv.slice(1))); process.exit(1)",
      "${keychain:a}",
      "!echo b",
      "MY_VARIABLE",
    ];
    await using host = await hostIn(sandbox, {
      env: { ...sandbox.env(), MY_VARIABLE: "x" },
      servers: { x: { command: process.execPath, args } },
    });
    await host.secrets.store("a", "the secret");
    const { message, hint } = await failureOf(host.connect("x"));
    expect(message).toContain('["${keychain:a}","!echo b","MY_VARIABLE"]');
    expect(hint).toContain(
      'args refers to the secret "a", but secrets are available only in env, headers and oauth',
    );
  });

  test("is plain text in the files of other tools", async () => {
    await sandbox.writeHome(".cursor/mcp.json", {
      mcpServers: { tools: tools({ A: "!echo ran", B: "MY_VARIABLE", C: "keychain:x", D: "file:y" }) },
    });
    await using host = await hostIn(sandbox, { env: { ...sandbox.env(), MY_VARIABLE: "value" } });
    expect(await Promise.all(["A", "B", "C", "D"].map((name) => seenBy(host, name)))).toEqual([
      "!echo ran",
      "MY_VARIABLE",
      "keychain:x",
      "file:y",
    ]);
  });
});

describe("a project's value", () => {
  test.each([".plugboard/mcp.json", ".omp/mcp.json", ".xcsh/mcp.json", ".pisces/mcp.json", "mcp.json"])(
    "of %s is run only after its server was approved with exactly that value",
    async (file) => {
      const mark = join(sandbox.home, "ran");
      const write = (command: string) =>
        sandbox.writeProject(file, { mcpServers: { tools: tools({ A: command, B: "MY_VARIABLE" }) } });
      const env = { ...sandbox.env(), MY_VARIABLE: "value" };
      const use = async (options: HostOptions = {}) => {
        await using host = await hostIn(sandbox, { env, ...options });
        return await seenBy(host, "A").catch((error: { code: string }) => error.code);
      };
      await write(`!touch ${mark}; echo one`);
      {
        await using host = await hostIn(sandbox, { env });
        host.doctor.diagnose();
        expect(await host.doctor.checkValues()).toEqual([]);
        await host.config.explain("tools");
        expect(await host.doctor.test("tools").catch((error: { code: string }) => error.code)).toBe(
          "INTERACTION_REQUIRED",
        );
        expect(await use({ trustProject: true })).toBe("(unset)");
        expect(existsSync(mark)).toBe(false);
        await host.approvals.approve("tools", host.approvals.request("tools").hash);
        expect([await seenBy(host, "A"), await seenBy(host, "B")]).toEqual(["one", "value"]);
        expect(existsSync(mark)).toBe(true);
      }
      await write(`!touch ${mark}; echo two`);
      expect(await use()).toBe("INTERACTION_REQUIRED");
    },
  );

  test("that is a secret in plain text is not copied to the stored approvals", async () => {
    const write = (env: Record<string, string>) =>
      sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { tools: tools(env) } });
    await write({ TOKEN: "hunter2hunter2", KEY: "!echo x", MODE: "fast" });
    await using host = await hostIn(sandbox, { env: { ...sandbox.env(), OTHER: "x" } });
    await host.approvals.approve("tools", host.approvals.request("tools").hash);
    const kept = await readFile(join(sandbox.home, ".local/state/plugboard/approvals.json"), "utf8");
    expect(kept).not.toContain("hunter2");
    expect(kept).toContain("!echo x");
    await write({ TOKEN: "hunter2hunter2", KEY: "!echo y", MODE: "OTHER" });
    await host.reload();
    expect(host.approvals.request("tools")).toMatchObject({
      status: "changed",
      changes: [
        {
          field: "env",
          before: { TOKEN: "[secret]", KEY: "!echo x", MODE: "[value 115dc360]" },
          after: { TOKEN: "[secret]", KEY: "!echo y", MODE: "OTHER" },
        },
      ],
    });
    expect((await host.approvals.inspect("tools")).reads).toEqual([{ variable: "OTHER", field: "env.MODE" }]);
  });

  test("that is the name of a variable is listed for approval, even if the variable is not set yet", async () => {
    const env = { A: "OTHER", B: "API_TOKEN", C: "fast", D: "FAST" };
    await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { tools: tools(env) } });
    await using host = await hostIn(sandbox, { env: { ...sandbox.env(), OTHER: "x" } });
    expect((await host.approvals.inspect("tools")).reads).toEqual([
      { variable: "OTHER", field: "env.A" },
      { variable: "API_TOKEN", field: "env.B" },
    ]);
  });

  test("is shown for approval, whichever field names it", async () => {
    const tool = {
      wrap: ["${WRAPPER:-env}"],
      command: "node",
      args: ["${ARG}"],
      cwd: "${FOLDER}",
      envFile: "${FOLDER}/.env",
      env: { A: "${A}" },
      oauth: { clientSecret: "${CLIENT_SECRET}" },
    };
    await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { tool } });
    await using host = await hostIn(sandbox);
    const { reads } = await host.approvals.inspect("tool");
    expect(reads.map(({ variable, field }) => `${variable} for ${field}`)).toEqual([
      "WRAPPER for wrap",
      "ARG for args",
      "FOLDER for cwd",
      "FOLDER for envFile",
      "A for env.A",
      "CLIENT_SECRET for oauth",
    ]);
  });

  test("that is omitted with --trust-project is reported", async () => {
    await sandbox.writeProject(".plugboard/mcp.json", {
      mcpServers: { tools: tools({ A: "!echo x", B: "keychain:x", C: "file:x", D: "MY_VARIABLE" }) },
    });
    const env = { ...sandbox.env(), MY_VARIABLE: "value" };
    await using host = await hostIn(sandbox, { env, trustProject: true });
    expect(messages((await host.doctor.test("tools")).problems)).toEqual([
      "env.A is the output of a command that runs only after you approve the server",
      "env.B is a stored secret that is used only after you approve the server",
      "env.C is read from a file only after you approve the server",
      "env.D is the name of a variable that is filled in only after you approve the server",
    ]);
    expect(await seenBy(host, "D")).not.toContain("MY_VARIABLE");
  });

  test("that names a file in another tool's syntax is also omitted with --trust-project", async () => {
    await sandbox.writeHome("key", "hunter2hunter2");
    const { command, args } = tools({});
    const server = { type: "local", command: [command, ...args], environment: { A: "{file:~/key}" } };
    await sandbox.writeProject("opencode.json", { mcp: { tools: server } });
    await using host = await hostIn(sandbox, { trustProject: true });
    expect(messages((await host.doctor.test("tools")).problems)).toEqual([
      "env.A is read from a file only after you approve the server",
    ]);
    await host.approvals.approve("tools", host.approvals.request("tools").hash);
    await using approved = await hostIn(sandbox);
    expect(await seenBy(approved, "A")).toBe("hunter2hunter2");
  });
});

describe("an unresolved value is omitted and reported", () => {
  const LEFT_OUT = [
    "is the output of a command that ended with code 127",
    "is the output of a command that printed nothing",
    'needs the secret "nope", which is not stored',
    "needs the file nope.txt, which cannot be read",
    'needs the secret "nope", which is not stored',
    "looks like the name of a variable that is not set, so it is sent unchanged",
  ];
  const VALUES = {
    A: "!no-such-command-here",
    EMPTY: "!true",
    B: "keychain:nope",
    C: "file:nope.txt",
    D: "Bearer ${keychain:nope}",
    TOKEN: "MY_TOKN",
  };
  const named = (field: string) =>
    Object.keys(VALUES).map((key, index) => `${field}.${key} ${LEFT_OUT[index]}`);

  test("by doctor's check and by test", async () => {
    await native(VALUES);
    await using host = await hostIn(sandbox);
    expect(messages(await host.doctor.checkValues("tools"))).toEqual(named("env"));
    expect(messages((await host.doctor.test("tools")).problems)).toEqual(named("env"));
    expect(await Promise.all(Object.keys(VALUES).map((name) => seenBy(host, name)))).toEqual([
      ...Array(5).fill("(unset)"),
      "MY_TOKN",
    ]);
  });

  test("by the hint of the 401 that follows", async () => {
    await using server = await guarded({ authorization: "Bearer right" });
    const notes = { type: "http", url: server.url, oauth: false } as const;
    await using host = await hostIn(sandbox, {
      servers: {
        x: { ...notes, headers: { Authorization: "!exit 1" } },
        y: { ...notes, headers: { Authorization: "GITHUB_TOKN" } },
      },
    });
    const { code, hint } = await failureOf(host.call("x", "hi"));
    expect([code, hint]).toEqual([
      "AUTH_REQUIRED",
      'Check your authentication credentials.\nThese values were missing, which may be the cause:\n- createHost({ servers }) server "x": headers.Authorization is the output of a command that ended with code 1',
    ]);
    expect((await failureOf(host.call("y", "hi"))).hint).toContain("looks like the name of a variable");
  });

  test("by the hint of the failed start that follows", async () => {
    const script = "process.env.KEY || process.exit(1)";
    const x = { command: process.execPath, args: ["-e", script], env: { KEY: "keychain:nope" } };
    await using host = await hostIn(sandbox, { servers: { x } });
    expect(await failureOf(host.connect("x"))).toMatchObject({
      code: "CONNECT_EXITED",
      hint: expect.stringContaining('env.KEY needs the secret "nope", which is not stored'),
    });
  });
});

describe("a headers helper", () => {
  const helper = `printf '{"Authorization":"Bearer %s-%s"}' "$CLAUDE_CODE_MCP_SERVER_NAME" "$KIND"`;
  const env = () => ({ ...sandbox.env(), KIND: "helped" });
  const files: readonly [string, (url: string) => Promise<unknown>][] = [
    [
      "Claude Code",
      (url) =>
        sandbox.writeHome(".claude.json", {
          mcpServers: { x: { type: "http", url, headers: { authorization: "old" }, headersHelper: helper } },
        }),
    ],
    [
      "Codex",
      (url) =>
        sandbox.writeHome(
          ".codex/config.toml",
          `[mcp_servers.x]\nurl = "${url}"\nhttp_headers_helper = '''${helper}'''\n`,
        ),
    ],
    [
      "Plugboard",
      (url) =>
        sandbox.writeHome(".plugboard/mcp.json", {
          mcpServers: { x: { type: "http", url, headersHelper: helper } },
        }),
    ],
  ];

  test.each(files)(
    "of %s provides the headers of each connection, and OAuth is not used",
    async (_, write) => {
      await using server = await guarded({ authorization: "Bearer x-helped" });
      await write(server.url);
      await using host = await hostIn(sandbox, { env: env() });
      expect((await host.call("x", "hi")).text).toBe("hi");
      expect(await host.doctor.checkValues()).toEqual([]);
      expect(host.doctor.diagnose().findings.filter(({ severity }) => severity === "error")).toEqual([]);
      expect(server.seen.every(({ authorization }) => authorization === "Bearer x-helped")).toBe(true);
    },
  );

  test("of a project runs only once the server was approved", async () => {
    const mark = join(sandbox.home, "ran");
    await using server = await guarded();
    await sandbox.writeProject(".mcp.json", {
      mcpServers: {
        x: { type: "http", url: server.url, headersHelper: `date >> ${mark}; echo '{"X-A":"b"}'` },
      },
    });
    await using trusting = await hostIn(sandbox, { trustProject: true });
    expect(messages((await trusting.doctor.test("x")).problems)).toEqual([
      "headersHelper is a command that runs only after you approve the server",
    ]);
    expect(existsSync(mark)).toBe(false);
    await using host = await hostIn(sandbox);
    await host.approvals.approve("x", host.approvals.request("x").hash);
    await host.doctor.test("x");
    await host.doctor.test("x");
    expect(server.seen.at(-1)?.["x-a"]).toBe("b");
    expect((await readFile(mark, "utf8")).trim().split("\n")).toHaveLength(2);
  });

  test.each([
    ["fails", "exit 2", "is a command that ended with code 2"],
    ["prints no JSON", "echo Authorization: x", "is a command that did not print a JSON object of strings"],
    [
      "prints a header of two lines",
      `printf '{"A":"b\\\\r\\\\nc: d"}'`,
      "is a command that did not print a JSON object of strings",
    ],
    ["prints numbers", `echo '{"A":1}'`, "is a command that did not print a JSON object of strings"],
  ])("that %s is reported, and the server is used without its headers", async (_, headersHelper, said) => {
    await using server = await guarded();
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { x: { type: "http", url: server.url, headersHelper } },
    });
    await using host = await hostIn(sandbox);
    expect(messages((await host.doctor.test("x")).problems)).toEqual([`headersHelper ${said}`]);
    expect(messages(await host.doctor.checkValues())).toEqual([`headersHelper ${said}`]);
  });
});

test.each([
  [
    ".plugboard/mcp.json",
    ".plugboard/token.txt",
    { headers: { Authorization: "file:./token.txt" } },
    "mcpServers",
  ],
  ["opencode.json", "token.txt", { type: "remote", headers: { Authorization: "{file:./token.txt}" } }, "mcp"],
])(
  "an approved file of a project's server in %s is not read if it becomes a link out of the project",
  async (config, file, entry, key) => {
    await using server = await guarded();
    await sandbox.writeProject(config, { [key]: { web: { type: "http", ...entry, url: server.url } } });
    const token = await sandbox.writeProject(file, "public");
    {
      await using host = await hostIn(sandbox);
      await host.approvals.approve("web", host.approvals.request("web").hash);
      await host.connect("web");
      expect(server.seen.at(-1)).toMatchObject({ authorization: "public" });
    }
    await rm(token);
    await symlink(await sandbox.writeHome("private", "hunter2"), token);
    await using host = await hostIn(sandbox);
    expect((await host.approvals.inspect("web")).files).toMatchObject([
      { leadsTo: join(sandbox.home, "private") },
    ]);
    await host.connect("web");
    expect(server.seen.at(-1)).not.toHaveProperty("authorization");
  },
);

test.skipIf(process.platform !== "linux").each([
  ["through a process", (file: string) => `/proc/self/root${file}`],
  ["through a process, from the project", (file: string) => `${"../".repeat(20)}proc/self/root${file}`],
  ["through another folder", (file: string) => `/proc/..${file}`],
  ["with slashes", (file: string) => `/.//${file}`],
])(
  "an approved file that is written as a path %s is not read if it becomes a link out of the project",
  async (_, pathOf) => {
    await using server = await guarded();
    const token = await sandbox.writeProject("token.txt", "public");
    const headers = { Authorization: `file:${pathOf(token)}` };
    await sandbox.writeProject(".plugboard/mcp.json", {
      mcpServers: { web: { type: "http", url: server.url, headers } },
    });
    {
      await using host = await hostIn(sandbox);
      await host.approvals.approve("web", host.approvals.request("web").hash);
      await host.connect("web");
      expect(server.seen.at(-1)).toMatchObject({ authorization: "public" });
    }
    await rm(token);
    await symlink(await sandbox.writeHome("private", "hunter2"), token);
    await using host = await hostIn(sandbox);
    await host.connect("web");
    expect(server.seen.at(-1)).not.toHaveProperty("authorization");
  },
);
