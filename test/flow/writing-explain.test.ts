import { describe, expect, test } from "vitest";
import type { Finding } from "../../src/index.ts";
import { createSandbox, type FileContent, type Sandbox } from "../support/sandbox.ts";
import { failureOf, hostIn } from "./host-in.ts";

const CONFIG = ".plugboard/mcp.json";

describe("an explanation", () => {
  test("shows every field with the file and line it came from, and the reasons for the server's state", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(
      CONFIG,
      `{
  "mcpServers": {
    "files": {
      "command": "npx",
      "args": ["-y", "files", "\${HOME}"],
      "timeout": 5000
    }
  }
}
`,
    );
    await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { files: { command: "theirs" } } });
    await using host = await hostIn(sandbox);
    const { server, fields, reasons, shadowed } = await host.config.explain("files");
    expect(server).toEqual(host.servers()[0]);
    expect(fields).toEqual([
      { field: "command", value: "npx", source: { file, line: 4, column: 7 } },
      { field: "args", value: ["-y", "files", "${HOME}"], source: { file, line: 5, column: 7 } },
      { field: "timeout", value: 5000, source: { file, line: 6, column: 7 } },
    ]);
    expect(reasons).toEqual([
      "transport: stdio (it has a command and no type)",
      "enabled: by default",
      expect.stringMatching(/^allowed: /),
      "starts: npx -y files ${HOME}, without the packages and settings of the working folder",
      `working folder: ${sandbox.project}`,
      `connection timeout: 5000 ms ("timeout" in ${file}:6:7)`,
      `call timeout: 5000 ms ("timeout" in ${file}:6:7)`,
    ]);
    expect(shadowed.map(({ command, source }) => [command, source.tool])).toEqual([["theirs", "cursor"]]);
  });

  test("names the commands that provide values, and the variables of the envFile", async () => {
    await using sandbox = await createSandbox();
    const envFile = await sandbox.writeHome("its.env", "B=1\nA=2\nc2VjcmV0LXRva2VuLTEyMzQ1Njc4OTA==\n");
    const local = { command: "node", args: ["x"], envFile, env: { T: "!print --token=abc", U: "plain" } };
    const remote = { type: "http", url: "https://h.test", headersHelper: "print-headers" };
    await sandbox.writeHome(CONFIG, { mcpServers: { local, remote } });
    await using host = await hostIn(sandbox);
    const about = async (name: string) =>
      (await host.config.explain(name)).reasons.filter((reason) => /^(?:runs|envFile)/.test(reason));
    expect(await about("local")).toEqual([
      "runs: print --token=[secret] (a shell command, for env.T)",
      "envFile sets: A, B, 1 more with unusual names",
    ]);
    expect(await about("remote")).toEqual(["runs: print-headers (a shell command, for headersHelper)"]);
  });

  test("of fields that come from several files names each", async () => {
    await using sandbox = await createSandbox();
    const user = await sandbox.writeHome(".codex/config.toml", '[mcp_servers.x]\ncommand = "user"\n');
    const project = await sandbox.writeProject(".codex/config.toml", '[mcp_servers.x]\nargs = ["project"]\n');
    await using host = await hostIn(sandbox, { trustProject: true });
    const { fields } = await host.config.explain("x");
    const sources = fields.map(({ field, source }) => [field, source.file, source.line]);
    expect(sources).toContainEqual(["command", user, 2]);
    expect(sources).toContainEqual(["args", project, 2]);
  });

  test("of fields with another name in the file also has their positions", async () => {
    await using sandbox = await createSandbox();
    const user = await sandbox.writeHome(
      ".codex/config.toml",
      '[mcp_servers.x]\nurl = "https://h/mcp"\nstartup_timeout_sec = "soon"\n\n[mcp_servers.x.http_headers]\nA = "1"\n',
    );
    const project = await sandbox.writeProject(
      ".codex/config.toml",
      '[mcp_servers.x]\nenabled_tools = ["a"]\n',
    );
    await using host = await hostIn(sandbox, { trustProject: true });
    const { server, fields } = await host.config.explain("x");
    const places = Object.fromEntries(
      fields.map(({ field, source: { file, line } }) => [field, `${file}:${line}`]),
    );
    expect(places).toMatchObject({
      url: `${user}:2`,
      headers: `${user}:5`,
      startupTimeout: `${user}:3`,
      allowTools: `${project}:2`,
    });
    expect(server.problems.map(({ code, file, line }) => [code, file, line])).toEqual([
      ["field-type", user, 3],
    ]);
  });

  test("says what the owner of the file would do", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".claude.json", { mcpServers: { web: { url: "https://host/mcp" } } });
    await using host = await hostIn(sandbox);
    expect((await host.config.explain("web")).reasons).toContain(
      "claude-code skips an entry with a url but no type",
    );
  });

  test("never shows a secret, wherever it is", async () => {
    await using sandbox = await createSandbox();
    const canary = "hunter2hunter2";
    await sandbox.writeHome(CONFIG, {
      mcpServers: {
        local: {
          command: "db",
          args: ["--token", canary, `--api-key=${canary}`, `postgres://me:${canary}@host/db`],
          env: {
            API_KEY: canary,
            DATABASE_URL: `postgres://me:${canary}@host/db`,
            PLAIN: "ordinary words",
            REF: "${API_KEY}",
            HALF: "half${API_KEY:-whole}",
            COMMAND: "!print-it",
          },
          token: canary,
        },
        web: {
          type: "http",
          url: `https://host/mcp?api_key=${canary}`,
          headers: { Authorization: `Bearer ${canary}`, Cookie: `session=${canary}` },
          oauth: { clientId: "me", clientSecret: canary, assertion: canary, privateKey: canary },
          auth: { type: "oauth", credentials: { refreshToken: canary } },
        },
      },
    });
    await using host = await hostIn(sandbox);
    const seen = JSON.stringify([
      await host.config.explain("local"),
      await host.config.explain("web"),
      host.doctor.diagnose(),
    ]);
    expect(seen).not.toContain(canary);
    expect(seen).not.toContain("ordinary words");
    expect(seen).toContain('"REF":"${API_KEY}","HALF":"[secret]${API_KEY}","COMMAND":"!print-it"');
  });

  test("of an unknown server suggests the nearest", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { github: { command: "x" } } });
    await using host = await hostIn(sandbox);
    await expect(host.config.explain("githup")).rejects.toThrow('"githup"');
    expect(await failureOf(Promise.resolve().then(() => host.doctor.diagnose("githup")))).toMatchObject({
      code: "SERVER_UNKNOWN",
      hint: expect.stringContaining('"github"'),
    });
  });
});

async function findingsFor(sandbox: Sandbox, servers: FileContent, env = {}): Promise<readonly Finding[]> {
  await sandbox.writeHome(CONFIG, { mcpServers: servers });
  await using host = await hostIn(sandbox, { env: { ...sandbox.env(), ...env } });
  return host.doctor.diagnose().findings;
}

describe("a diagnosis warns, as the seeds advise,", () => {
  test("of a name that is in several files", async () => {
    await using sandbox = await createSandbox();
    const other = await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { files: { command: "x" } } });
    expect(await findingsFor(sandbox, { files: { type: "stdio", command: "y" } })).toEqual([
      {
        server: "files",
        severity: "warning",
        message: `"files" is also in ${other}:3:5, which is not used.`,
        hint: "Keep server names unique across all files.",
      },
    ]);
  });

  test("of names that give tools the same names", async () => {
    await using sandbox = await createSandbox();
    const findings = await findingsFor(sandbox, {
      "my-server": { type: "stdio", command: "a" },
      my_server: { type: "stdio", command: "b" },
      mine: { type: "stdio", command: "c" },
    });
    expect(findings).toEqual([
      {
        server: "my_server",
        severity: "warning",
        message: '"my_server" and "my-server" give their tools the same names.',
        hint: "Rename one server. Prefer names with only letters and underscores.",
      },
    ]);
  });

  test("of a missing type", async () => {
    await using sandbox = await createSandbox();
    expect(await findingsFor(sandbox, { files: { command: "x" } })).toEqual([
      {
        server: "files",
        severity: "warning",
        message: '"files" has no type.',
        hint: 'Set "type" to avoid a wrong guess.',
      },
    ]);
  });

  test.each([".omp/mcp.json", ".xcsh/mcp.json", ".pisces/mcp.json", "mcp.json"])(
    "of a missing type in %s, and that http is assumed",
    async (name) => {
      await using sandbox = await createSandbox();
      const file = await sandbox.writeProject(name, { mcpServers: { web: { url: "https://host/mcp" } } });
      await using host = await hostIn(sandbox, { trustProject: true });
      expect(host.servers()).toMatchObject([{ transport: "http", state: "idle" }]);
      expect(
        host.doctor.diagnose().findings.map(({ severity, message }) => `${severity}: ${message}`),
      ).toEqual([
        `warning: ${file}:4:7 server "web": no "type"; "http" is assumed because there is a "url"`,
        'warning: "web" has no type.',
      ]);
    },
  );

  test("that a disabled server is never started", async () => {
    await using sandbox = await createSandbox();
    expect(await findingsFor(sandbox, { files: { type: "stdio", command: "x", enabled: false } })).toEqual([
      {
        server: "files",
        severity: "info",
        message: '"files" is disabled by "enabled": false in its entry; it is never started.',
        hint: "Enable it to use it.",
      },
    ]);
  });

  test("of a sign-in without its credential", async () => {
    await using sandbox = await createSandbox();
    const web = { type: "http", url: "https://host/mcp", auth: { type: "oauth" } };
    expect(await findingsFor(sandbox, { web })).toEqual([
      {
        server: "web",
        severity: "warning",
        message: '"web": its auth has no credentialId, so no token is sent.',
        hint: "Store a valid credentialId, or sign in.",
      },
    ]);
  });

  test("of a secret that comes from a command", async () => {
    await using sandbox = await createSandbox();
    const web = { type: "http", url: "https://host/mcp", headers: { "X-Key": "!pass show key" } };
    expect(await findingsFor(sandbox, { web })).toEqual([
      {
        server: "web",
        severity: "warning",
        message: '"web": X-Key is the output of a command; it is omitted if the output is empty.',
        hint: "Check that the command prints the same text every time.",
      },
    ]);
  });
});

describe("a diagnosis", () => {
  test("lists every file that was read, with its servers and problems", async () => {
    await using sandbox = await createSandbox();
    const user = await sandbox.writeHome(CONFIG, {
      mcpServers: { a: { command: "x" }, b: { command: "y" } },
    });
    const broken = await sandbox.writeHome(".cursor/mcp.json", '{ "mcpServers": ');
    await using host = await hostIn(sandbox);
    expect(host.doctor.diagnose().files).toEqual([
      {
        file: user,
        servers: [
          { name: "a", tool: "plugboard", line: 3 },
          { name: "b", tool: "plugboard", line: 6 },
        ],
        problems: [],
      },
      {
        file: broken,
        servers: [],
        problems: [
          expect.objectContaining({
            code: "file-syntax",
            severity: "error",
            file: broken,
            line: 1,
            column: 17,
          }),
        ],
      },
    ]);
  });

  test.each([
    [
      ".codex/config.toml",
      '[mcp_servers.good]\ncommand = "a"\n[mcp_servers.bad]\ncommand = "b"\nurl = "https://h"\n',
      'server "bad": Codex would reject the whole file because of this',
      "codex does not expect both a command and a url",
    ],
    [
      ".config/opencode/opencode.json",
      { mcp: { good: { type: "local", command: ["a"] }, bad: { type: "stdio", command: "b" } } },
      'server "bad": opencode would reject the whole file because of this',
      "opencode does not support this type",
    ],
    [
      ".cline/data/settings/cline_mcp_settings.json",
      { mcpServers: { good: { command: "a" }, bad: { type: "http", url: "https://h" } } },
      'server "bad": Cline would reject the whole file because of this',
      "cline does not support this type",
    ],
    [
      ".claude/mcp.json",
      { mcpServers: { good: { command: "a" }, bad: { url: "https://h" } } },
      "is read by Plugboard, but Claude Code ignores it",
      "claude-code skips an entry with a url but no type",
    ],
  ] as const)(
    "says what the owner of %s would do, and loses no good server to it",
    async (name, content, whole, one) => {
      await using sandbox = await createSandbox();
      const file = await sandbox.writeHome(name, content);
      await using host = await hostIn(sandbox);
      const { files, servers, findings } = host.doctor.diagnose();
      expect(files).toMatchObject([
        {
          file,
          problems: [{ code: "owner-refuses", severity: "warning", message: expect.stringContaining(whole) }],
        },
      ]);
      expect(servers.find((server) => server.name === "good")?.state).toBe("idle");
      expect(findings.filter(({ server }) => server === "bad").map(({ message }) => message)).toContainEqual(
        expect.stringContaining(one),
      );
    },
  );

  test("lists invalid settings", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(".plugboard/settings.json", '{\n  "providers": ["cursor"]\n}\n');
    await using host = await hostIn(sandbox);
    expect(host.doctor.diagnose().problems).toMatchObject([
      { code: "settings-invalid", file, line: 2, column: 3 },
    ]);
  });

  test("names the variable of a model's key that is not set", async () => {
    await using sandbox = await createSandbox();
    const providers = { work: { baseURL: "https://llm.example.com/v1", apiKey: "env:WORK_LLM_KEY" } };
    const file = await sandbox.writeHome(".plugboard/settings.json", { modelProviders: providers });
    await using host = await hostIn(sandbox);
    expect(host.doctor.diagnose().problems).toEqual([
      {
        code: "settings-invalid",
        severity: "warning",
        message: 'WORK_LLM_KEY is not set; it supplies the API key for the model provider "work"',
        file,
      },
    ]);
    await using ready = await hostIn(sandbox, { env: { ...sandbox.env(), WORK_LLM_KEY: "k" } });
    expect(ready.doctor.diagnose().problems).toEqual([]);
  });

  test("names connections that are defined under several names", async () => {
    await using sandbox = await createSandbox();
    const findings = await findingsFor(sandbox, {
      one: { type: "stdio", command: "npx", args: ["-y", "thing"] },
      two: { type: "stdio", command: "cmd", args: ["/c", "npx", "thing"] },
    });
    expect(findings).toEqual([
      {
        server: "one",
        severity: "info",
        message: '"one" and "two" are the same connection under different names.',
        hint: "Disable all but one. Otherwise the model sees every tool twice.",
      },
    ]);
  });

  test("names the variables that a server needs and that are not set", async () => {
    await using sandbox = await createSandbox();
    const server = {
      type: "stdio",
      command: "x",
      args: ["${SET}", "${GONE}", "${GONE:-d}"],
      env: { KEY: "${KEY}" },
    };
    expect(await findingsFor(sandbox, { server }, { SET: "yes" })).toEqual([
      {
        server: "server",
        severity: "warning",
        message: '"server": args needs ${GONE}, which is not set.',
        hint: "Set it in the environment that Plugboard runs in.",
      },
      {
        server: "server",
        severity: "warning",
        message: '"server": env.KEY needs ${KEY}, which is not set.',
        hint: "Set it in the environment that Plugboard runs in.",
      },
    ]);
  });

  test.each<[string, string, FileContent, string, "warning" | "info"]>([
    [
      "asks a person for a secret where secrets are not available",
      ".config/Code/User/mcp.json",
      {
        inputs: [{ id: "key", type: "promptString", password: true }],
        servers: { x: { type: "http", url: "https://h/${input:key}" } },
      },
      '"x": url needs the secret input "key", but secrets are available only in env and headers.',
      "warning",
    ],
    [
      "runs a command",
      ".config/crush/crush.json",
      { mcp: { x: { type: "http", url: "https://h", headers: { A: "$(op read it)" } } } },
      '"x": headers.A contains the command $(op read it), which is not run.',
      "warning",
    ],
    [
      "runs a helper",
      ".claude.json",
      { mcpServers: { x: { type: "http", url: "https://h", headersHelper: "token" } } },
      '"x": its headers come from a command; they are omitted if the command fails.',
      "warning",
    ],
    [
      "is in a file",
      ".config/opencode/opencode.json",
      { mcp: { x: { type: "remote", url: "https://h", headers: { A: "{file:key.txt}" } } } },
      '"x": headers.A is read from the file key.txt at startup.',
      "info",
    ],
  ])("names a value that %s", async (_, name, content, message, severity) => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(name, content);
    await using host = await hostIn(sandbox);
    expect(host.doctor.diagnose().findings).toMatchObject([{ server: "x", severity, message }]);
  });

  test("reads no variables for a project without approval", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(CONFIG, { mcpServers: { theirs: { type: "stdio", command: "${GONE}" } } });
    await using host = await hostIn(sandbox);
    expect(host.doctor.diagnose().findings).toEqual([
      {
        server: "theirs",
        severity: "info",
        message: '"theirs" requires your approval: defined by this project; not approved yet.',
        hint: "Review what it would run, then approve it.",
      },
    ]);
  });

  test("of one server covers only that server", async () => {
    await using sandbox = await createSandbox();
    const user = await sandbox.writeHome(CONFIG, {
      mcpServers: { a: { command: "x" }, b: { command: "y" } },
    });
    await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { c: { command: "z" } } });
    await using host = await hostIn(sandbox);
    const { files, servers, findings } = host.doctor.diagnose("a");
    expect([
      files.map(({ file }) => file),
      servers.map(({ name }) => name),
      findings.map(({ server }) => server),
    ]).toEqual([[user], ["a"], ["a"]]);
  });
});
