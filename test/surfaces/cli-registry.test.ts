import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasPty, startOnPty } from "../support/pty.ts";
import { type PublishedServer, type RegistryServer, startRegistry } from "../support/registry-server.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { whyNoSandbox } from "../support/sandbox-support.ts";

const CONFIG = ".plugboard/mcp.json";
const npm = (more: object = {}): object => ({
  registryType: "npm",
  identifier: "weather",
  version: "1.2.0",
  transport: { type: "stdio" },
  ...more,
});
const published = (name: string, more: object, rest: Partial<PublishedServer> = {}): PublishedServer => ({
  server: { name, version: "1.2.0", description: `About ${name}`, ...more },
  ...rest,
});
/** A variable whose value consists of others with defaults. */
const withHidden = (value: string, defaults: Readonly<Record<string, string>>): object => ({
  environmentVariables: [
    {
      name: "A",
      value,
      variables: Object.fromEntries(Object.entries(defaults).map(([id, text]) => [id, { default: text }])),
    },
  ],
});
const KEY = { name: "WEATHER_KEY", isRequired: true, isSecret: true, description: "API key" };
const SERVERS: readonly PublishedServer[] = [
  published("io.github.acme/weather", { version: "1.0.0", packages: [npm({ version: "1.0.0" })] }),
  published("io.github.acme/weather", {
    packages: [npm({ environmentVariables: [KEY, { name: "UNITS", default: "metric" }] })],
    remotes: [{ type: "streamable-http", url: "https://weather.test/mcp" }],
  }),
  published(
    "com.example/weather-old",
    { packages: [npm()] },
    { status: "deprecated", statusMessage: "Use weather" },
  ),
  published("io.github.m1crosoft/weather", { packages: [npm()] }),
  published("io.github.acme/weather-gone", { packages: [npm()] }, { status: "deleted" }),
  published("io.github.acme/plain", { packages: [npm({ identifier: "plain" })] }),
  published("io.github.acme/snow", { packages: [npm()] }),
];

async function sandboxWith(registry: RegistryServer): Promise<Sandbox> {
  const sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/settings.json", { registry: registry.url });
  return sandbox;
}

async function entryIn(sandbox: Sandbox, name: string): Promise<unknown> {
  const file = join(sandbox.project, CONFIG);
  if (!existsSync(file)) return undefined;
  return (JSON.parse(await readFile(file, "utf8")) as { mcpServers: Record<string, unknown> }).mcpServers[
    name
  ];
}

describe("`search`", () => {
  test("finds servers over several pages, in their latest version, with warnings", async () => {
    await using registry = await startRegistry(SERVERS);
    await using sandbox = await sandboxWith(registry);
    const { code, stdout } = await runCli(["search", "weather"], { sandbox });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: [
        "io.github.acme/weather  1.2.0 · npm, remote",
        "  About io.github.acme/weather",
        "com.example/weather-old  1.2.0 · npm",
        "  About com.example/weather-old",
        "  ! Deprecated: Use weather",
        "io.github.m1crosoft/weather  1.2.0 · npm",
        "  About io.github.m1crosoft/weather",
        "  ! Its name resembles io.github.microsoft. It may be an imitation.",
        "",
      ].join("\n"),
    });
    expect(registry.requests).toHaveLength(2);
    const narrow = await runCli(["search", "weather", "example", "--json"], { sandbox });
    expect(narrow.json()).toMatchObject({ servers: [{ name: "com.example/weather-old" }], hasMore: false });
  });

  test("uses stored results if the registry cannot be reached", async () => {
    await using registry = await startRegistry(SERVERS);
    await using sandbox = await sandboxWith(registry);
    const online = await runCli(["search", "plain"], { sandbox });
    await registry.stop();
    const offline = await runCli(["search", "plain"], { sandbox });
    expect(offline).toMatchObject({ code: 0, stdout: online.stdout });
    expect(offline.stderr).toContain("The registry cannot be reached. This result is from ");
    const other = await runCli(["search", "other"], { sandbox });
    expect(other).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `cannot be reached: nothing is listening at ${registry.url} (connection refused)`,
      ),
    });
  });

  test("suggests a shorter search if nothing matches, and `add` suggests a search", async () => {
    await using registry = await startRegistry(SERVERS);
    await using sandbox = await sandboxWith(registry);
    expect(await runCli(["search", "tea", "pot"], { sandbox })).toMatchObject({
      code: 0,
      stdout: "No servers match.\n",
      stderr: "The registry searches names. Try one word, or a part of one.\n",
    });
    const { stderr } = await runCli(["add", "teapot"], { sandbox });
    expect(stderr).toContain("or find it in the registry: plugboard search teapot\n");
  });

  test("limits and escapes what the registry sends", async () => {
    const evil = "\u001b[31mred\u202e";
    await using registry = await startRegistry([
      published("io.github.acme/evil", { version: evil, description: `${evil}${"x".repeat(100_000)}` }),
      published(`io.github.acme/${evil}`, {}),
      published(`io.github.acme/${"n".repeat(300)}`, {}),
    ]);
    await using sandbox = await sandboxWith(registry);
    const { stdout } = await runCli(["search", "acme"], { sandbox });
    expect(stdout).not.toContain("\u001b");
    expect(stdout).not.toContain("\u202e");
    expect(stdout.length).toBeLessThan(600);
    expect(stdout.match(/io\.github\.acme\//g)).toHaveLength(1);
  });
});

describe("`add` of a registry name", () => {
  test("shows the whole launch, adds nothing without a yes, and adds it with --yes", async () => {
    await using registry = await startRegistry(SERVERS);
    await using sandbox = await sandboxWith(registry);
    const asked = await runCli(["add", "io.github.acme/plain"], { sandbox });
    expect(asked).toMatchObject({ code: 3, stdout: "" });
    expect(asked.stderr).toContain('  command  npx\n  args     ["-y","plain@1.2.0"]\n');
    expect(await entryIn(sandbox, "plain")).toBeUndefined();
    const added = await runCli(["add", "io.github.acme/plain", "--yes"], { sandbox });
    expect(added.code).toBe(0);
    expect(await entryIn(sandbox, "plain")).toEqual({
      type: "stdio",
      command: "npx",
      args: ["-y", "plain@1.2.0"],
    });
  });

  test("takes a version, a kind and a name, and warns about deprecations", async () => {
    await using registry = await startRegistry(SERVERS);
    await using sandbox = await sandboxWith(registry);
    await runCli(["add", "io.github.acme/weather@1.0.0", "--name", "old", "--yes"], { sandbox });
    expect(await entryIn(sandbox, "old")).toMatchObject({ args: ["-y", "weather@1.0.0"] });
    await runCli(["add", "io.github.acme/weather", "--via", "remote", "--yes"], { sandbox });
    expect(await entryIn(sandbox, "weather")).toEqual({ type: "http", url: "https://weather.test/mcp" });
    const old = await runCli(["add", "com.example/weather-old", "--yes"], { sandbox });
    expect(old.stderr).toContain("! Version 1.2.0 is deprecated: Use weather.");
    const unknown = await runCli(["add", "io.github.acme/nothing", "--yes"], { sandbox });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("The registry does not have") });
  });

  test.skipIf(!hasPty || whyNoSandbox() !== undefined).each<[string, unknown]>([
    ["y", true],
    ["2", { network: "full" }],
    ["3", false],
  ])("lets the user choose a sandbox: %s", async (key, chosen) => {
    await using registry = await startRegistry(SERVERS);
    await using sandbox = await sandboxWith(registry);
    await using program = startOnPty(["add", "io.github.acme/plain"], { sandbox });
    await program.waitForText('Add it as "plain"? [y = 1, 2, 3, N]');
    program.enter(key);
    expect((await program.ended).code).toBe(0);
    expect(program.raw()).toMatch(
      /1 +.*sandboxed.*can write to the project.*2 +.*full network.*3 +.*not sandboxed/s,
    );
    expect(await entryIn(sandbox, "plain")).toMatchObject({ command: "npx", sandbox: chosen });
  });

  test.skipIf(!hasPty)("asks for required values, and stores secrets in the vault", async () => {
    await using registry = await startRegistry(SERVERS);
    await using sandbox = await sandboxWith(registry);
    await using program = startOnPty(["add", "io.github.acme/weather"], { sandbox });
    await program.waitForText("Add it as");
    program.enter("y");
    await program.waitForText("WEATHER_KEY (API key):");
    program.enter("hunter2hunter2");
    expect((await program.ended).code).toBe(0);
    expect(program.raw()).not.toContain("hunter2");
    expect(await entryIn(sandbox, "weather")).toMatchObject({
      env: { WEATHER_KEY: "keychain:weather/WEATHER_KEY", UNITS: "metric" },
    });
    const { stdout } = await runCli(["secret", "get", "weather/WEATHER_KEY"], { sandbox });
    expect(stdout.trim()).toBe("hunter2hunter2");
  });

  const CHOOSING = npm({
    environmentVariables: [
      { name: "REGION", isRequired: true, choices: ["eu", "us", "a\u001b[2Jb"], description: "Where" },
      { name: "TOKEN", isRequired: true, isSecret: true },
    ],
    packageArguments: [{ type: "positional", valueHint: "folder", isRequired: true }],
  });

  test.skipIf(!hasPty)("shows the choices of a value, and accepts no other value", async () => {
    await using registry = await startRegistry([published("io.github.acme/pick", { packages: [CHOOSING] })]);
    await using sandbox = await sandboxWith(registry);
    await using program = startOnPty(["add", "io.github.acme/pick", "--yes"], { sandbox });
    await program.waitForText("REGION (Where):");
    expect(program.raw()).toMatch(/1 {2}eu\r\n {2}2 {2}us\r\n/);
    program.enter("asia");
    await program.waitForText("Choose a number from 1 to 2.");
    program.enter("2");
    await program.waitForText("folder:");
    program.enter(".");
    await program.waitForText("TOKEN:");
    program.enter("hunter2hunter2");
    expect((await program.ended).code).toBe(0);
    expect(await entryIn(sandbox, "pick")).toMatchObject({ env: { REGION: "us" } });
  });

  test("takes variables, headers and limits from options, and asks only for the rest", async () => {
    const remote = {
      type: "streamable-http",
      url: "https://weather.test/mcp",
      headers: [
        { name: "Authorization", value: "Bearer {token}", variables: { token: { isRequired: true } } },
        { name: "X-Org", isRequired: true },
      ],
    };
    await using registry = await startRegistry([
      published("io.github.acme/pick", { packages: [CHOOSING] }),
      published("io.github.acme/weather", { packages: [npm({ environmentVariables: [KEY] })] }),
      published("io.github.acme/web", { remotes: [remote] }),
    ]);
    await using sandbox = await sandboxWith(registry);
    const add = (name: string, ...more: string[]) =>
      runCli(["add", `io.github.acme/${name}`, "--yes", ...more], { sandbox });
    const local = await add(
      "weather",
      "--env",
      "WEATHER_KEY=env:MY_KEY",
      "--env",
      "DEBUG=1",
      "--timeout",
      "5000",
    );
    expect(local).toMatchObject({ code: 0, stderr: expect.stringContaining("5000") });
    expect(await entryIn(sandbox, "weather")).toEqual({
      type: "stdio",
      command: "npx",
      args: ["-y", "weather@1.2.0"],
      env: { WEATHER_KEY: "${MY_KEY}", DEBUG: "1" },
      timeout: 5000,
    });
    expect((await add("web", "--token", "env:T", "--header", "X-Org=acme")).code).toBe(0);
    expect(await entryIn(sandbox, "web")).toEqual({
      type: "http",
      url: "https://weather.test/mcp",
      headers: { Authorization: "Bearer ${T}", "X-Org": "acme" },
    });
    const missing = await add("pick", "--env", "REGION=eu");
    expect(missing).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("requires values: TOKEN, folder."),
    });
    expect((await add("weather")).stderr).toContain(
      "Run the command on a terminal, or add --env WEATHER_KEY=env:<NAME>.",
    );
  });

  test.each([
    [["--token", "env:T"], "--token requires a remote server."],
    [["--header", "A=b"], "--header requires a remote server."],
    [["--transport", "sse"], "--transport requires --url"],
    [["--args", "x"], "--args requires --command."],
    [["--env", "K=ghp_abcdefghijklmnopqrstuvwxyz0123456789"], "looks like a secret"],
  ])("refuses options that it cannot use: %s", async (options, message) => {
    await using registry = await startRegistry(SERVERS);
    await using sandbox = await sandboxWith(registry);
    const refused = await runCli(["add", "io.github.acme/plain", "--yes", ...options], { sandbox });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(await entryIn(sandbox, "plain")).toBeUndefined();
  });

  test("suggests a search for an unknown name, and the latest version for an unknown one", async () => {
    await using registry = await startRegistry(SERVERS);
    await using sandbox = await sandboxWith(registry);
    const unknown = await runCli(["add", "io.github.acme/wether"], { sandbox });
    expect(unknown.stderr).toBe(
      '✗ The registry does not have "io.github.acme/wether".\n  Find its name: plugboard search wether\n',
    );
    const old = await runCli(["add", "io.github.acme/weather@0.0.1"], { sandbox });
    expect(old.stderr).toBe(
      '✗ The registry does not have "io.github.acme/weather" in version 0.0.1.\n' +
        "  The latest version: plugboard add io.github.acme/weather\n",
    );
  });

  test.each([
    [
      "another program",
      npm({ runtimeHint: "bash", runtimeArguments: [{ type: "positional", value: "-c" }] }),
    ],
    ["a command as a value", npm({ environmentVariables: [{ name: "A", value: "!touch owned" }] })],
    ["someone's secret", npm({ environmentVariables: [{ name: "A", value: "keychain:github" }] })],
    ["a variable", npm({ packageArguments: [{ type: "positional", value: "${AWS_SECRET_ACCESS_KEY}" }] })],
    [
      "a command as the default of a variable",
      npm({
        environmentVariables: [{ name: "A", value: "{x}", variables: { x: { default: "!touch owned" } } }],
      }),
    ],
    [
      "a variable as the default of an argument",
      npm({ packageArguments: [{ type: "positional", valueHint: "x", default: "${AWS_SECRET}" }] }),
    ],
    ["a command after an empty default", npm(withHidden("{a}!touch owned", { a: "" }))],
    ["a variable that two defaults form", npm(withHidden("{a}{b}", { a: "$", b: "{AWS_SECRET}" }))],
    ["a file that a default completes", npm(withHidden("{a}e:/etc/passwd", { a: "fil" }))],
    ["a secret that a default completes", npm(withHidden("{a}:github", { a: "keychain" }))],
    ["defaults that make it too long", npm(withHidden("{a}".repeat(1_000), { a: "x".repeat(4_000) }))],
    ["code for npx", npm({ runtimeArguments: [{ type: "named", name: "-c", value: "touch owned" }] })],
    ["another package", npm({ runtimeArguments: [{ type: "named", name: "--package", value: "evil" }] })],
    ["an option for Node", npm({ environmentVariables: [{ name: "NODE_OPTIONS", value: "-r /tmp/x" }] })],
    [
      "the whole disk for a container",
      npm({
        registryType: "oci",
        runtimeArguments: [
          { type: "named", name: "-v", value: "{a}", variables: { a: { default: "/:/host" } } },
        ],
      }),
    ],
    ["control characters", npm({ packageArguments: [{ type: "positional", value: "a\u001b[2J" }] })],
  ])("refuses a launch with %s", async (_, bad) => {
    await using registry = await startRegistry([published("io.github.acme/bad", { packages: [bad] })]);
    await using sandbox = await sandboxWith(registry);
    const { code, stderr } = await runCli(["add", "io.github.acme/bad", "--yes"], { sandbox });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('Plugboard cannot use "io.github.acme/bad"'),
    });
    expect(await entryIn(sandbox, "bad")).toBeUndefined();
  });

  test("shows defaults as they are written to the file", async () => {
    const level = {
      type: "named",
      name: "--level",
      value: "{level}",
      variables: { level: { default: "--debug" } },
    };
    const hidden = npm({ ...withHidden("{a}{b}", { a: "AWS_", b: "SECRET" }), packageArguments: [level] });
    await using registry = await startRegistry([published("io.github.acme/sly", { packages: [hidden] })]);
    await using sandbox = await sandboxWith(registry);
    const { code, stderr } = await runCli(["add", "io.github.acme/sly", "--yes"], { sandbox });
    const entry = (await entryIn(sandbox, "sly")) as { args: unknown; env: unknown };
    expect(entry).toMatchObject({
      args: expect.arrayContaining(["--debug"]),
      env: { A: "${=text:-AWS_SECRET}" },
    });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining(JSON.stringify(entry.args)),
    });
    expect(stderr).toContain(JSON.stringify(entry.env));
  });

  test.skipIf(!hasPty)("shows typed values before the question, and never as references", async () => {
    const asking = (value: string): object =>
      npm({ environmentVariables: [{ name: "A", value, variables: { a: { isRequired: true } } }] });
    await using registry = await startRegistry([
      published("io.github.acme/typed", { packages: [asking("{a}-1")] }),
      published("io.github.acme/sly", { packages: [asking("{a}{HOME}")] }),
      published("io.github.acme/named", { packages: [asking("{a}")] }),
    ]);
    await using sandbox = await sandboxWith(registry);
    const answer = async (name: string, text: string, then?: string): Promise<string> => {
      await using program = startOnPty(["add", `io.github.acme/${name}`], { sandbox });
      await program.waitForText("a:");
      program.enter(text);
      if (then !== undefined) {
        await program.waitForText("Add it as");
        expect(program.raw()).toContain(then);
        program.enter("y");
      }
      await program.ended;
      return program.raw();
    };
    await answer("typed", "north", '{"A":"north-1"}');
    expect(await entryIn(sandbox, "typed")).toMatchObject({ env: { A: "north-1" } });
    expect(await answer("sly", "$")).toContain("refers to variables, secrets or commands of this machine");
    expect(await entryIn(sandbox, "sly")).toBeUndefined();
    await answer("named", "PATH", "text:-PATH");
    expect(await entryIn(sandbox, "named")).toMatchObject({ env: { A: "${=text:-PATH}" } });
  });

  test("does not let a value name a variable of this machine", async () => {
    const env = { environmentVariables: [{ name: "A", value: "AWS_SECRET" }] };
    await using registry = await startRegistry([published("io.github.acme/sly", { packages: [npm(env)] })]);
    await using sandbox = await sandboxWith(registry);
    await runCli(["add", "io.github.acme/sly", "--yes"], { sandbox, env: { AWS_SECRET: "canary" } });
    expect(await entryIn(sandbox, "sly")).toMatchObject({ env: { A: "${=text:-AWS_SECRET}" } });
    const entry = { name: "link", command: "npx", args: ["x"], env: { A: "AWS_SECRET" } };
    await runCli(["add", `vscode:mcp/install?${encodeURIComponent(JSON.stringify(entry))}`, "--yes"], {
      sandbox,
    });
    expect(await entryIn(sandbox, "link")).toMatchObject({ env: { A: "${=text:-AWS_SECRET}" } });
  });
});

describe("`add` of an install link", () => {
  test("suggests no command that contains an option instead of a name", async () => {
    await using sandbox = await createSandbox();
    const entry = { name: "--trust-project", command: "true" };
    const link = `vscode:mcp/install?${encodeURIComponent(JSON.stringify(entry))}`;
    const { stderr } = await runCli(["add", link, "--yes", "--scope", "user"], { sandbox });
    expect(stderr).toContain("plugboard test <server>");
    expect(stderr).not.toContain("test --trust-project");
  });

  const ENTRY = { command: "npx", args: ["-y", "linked@1.0.0"] };
  const inBase64 = (entry: object): string =>
    encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString("base64"));
  const inUrl = (value: object): string => encodeURIComponent(JSON.stringify(value));
  test.each([
    ["VS Code", `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: "linked", ...ENTRY }))}`],
    [
      "Cursor",
      `cursor://anysphere.cursor-deeplink/mcp/install?name=linked&config=${Buffer.from(JSON.stringify({ ...ENTRY, trust: "trusted" })).toString("base64")}`,
    ],
    [
      "VS Code's website",
      `https://insiders.vscode.dev/redirect/mcp/install?name=linked&config=${inUrl(ENTRY)}`,
    ],
    [
      "VS Code's website with a link inside",
      `https://vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${inUrl({ name: "linked", ...ENTRY })}`)}`,
    ],
    ["Cursor's website", `https://cursor.com/en-US/install-mcp?name=linked&config=${inBase64(ENTRY)}`],
    [
      "Cursor with the whole command line in one field",
      `https://cursor.com/install-mcp?name=linked&config=${inBase64({ command: "npx -y linked@1.0.0" })}`,
    ],
  ])("of %s shows the launch, and adds it after a yes", async (_, link) => {
    await using sandbox = await createSandbox();
    const asked = await runCli(["add", link], { sandbox });
    expect(asked).toMatchObject({ code: 3, stderr: expect.stringContaining('["-y","linked@1.0.0"]') });
    expect(await entryIn(sandbox, "linked")).toBeUndefined();
    expect((await runCli(["add", link, "--yes"], { sandbox })).code).toBe(0);
    expect(await entryIn(sandbox, "linked")).toEqual({ type: "stdio", ...ENTRY });
  });

  test.skipIf(!hasPty)("asks for the inputs of the link, and stores secrets in the vault", async () => {
    await using sandbox = await createSandbox();
    const inputs = [
      { type: "promptString", id: "api-key", description: "API key", password: true },
      { type: "pickString", id: "region", description: "Region", options: ["eu", "us"] },
      { type: "promptString", id: "unused", description: "Not asked for" },
    ];
    const config = { ...ENTRY, env: { KEY: "${input:api-key}", REGION: "${input:region}" } };
    const link = `https://vscode.dev/redirect/mcp/install?name=linked&inputs=${inUrl(inputs)}&config=${inUrl(config)}`;
    const asked = await runCli(["add", link, "--yes"], { sandbox });
    expect(asked).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("requires values: api-key, region."),
    });
    await using program = startOnPty(["add", link], { sandbox });
    await program.waitForText("region (Region):");
    program.enter("2");
    await program.waitForText("Add it as");
    program.enter("y");
    await program.waitForText("api-key (API key):");
    program.enter("hunter2hunter2");
    expect((await program.ended).code).toBe(0);
    expect(await entryIn(sandbox, "linked")).toMatchObject({
      ...ENTRY,
      env: { KEY: "${keychain:linked/api-key}", REGION: "us" },
    });
    const { stdout } = await runCli(["secret", "get", "linked/api-key"], { sandbox });
    expect(stdout.trim()).toBe("hunter2hunter2");
  });

  test.each([
    [
      "an input that runs a command of the editor",
      `vscode:mcp/install?${inUrl({ name: "a", ...ENTRY, env: { A: "${input:x}" }, inputs: [{ id: "x", type: "command", command: "y" }] })}`,
    ],
    [
      "an input that it does not declare",
      `vscode:mcp/install?${inUrl({ name: "a", ...ENTRY, env: { A: "${input:x}" } })}`,
    ],
    [
      "a reference that an input hides",
      `vscode:mcp/install?${inUrl({ name: "a", ...ENTRY, env: { A: "${input:x}${HOME}" }, inputs: [{ id: "x", type: "promptString" }] })}`,
    ],
    ["no JSON", "vscode:mcp/install?oops"],
    [
      "a command as a value",
      `vscode:mcp/install?${encodeURIComponent('{"name":"a","command":"x","env":{"A":"!id"}}')}`,
    ],
    ["another path", "cursor://anysphere.cursor-deeplink/mcp/other?name=a&config=e30="],
  ])("with %s is refused", async (_, link) => {
    await using sandbox = await createSandbox();
    expect((await runCli(["add", link, "--yes"], { sandbox })).code).toBe(2);
    expect(existsSync(join(sandbox.project, CONFIG))).toBe(false);
  });
});
