import { chmod } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { failureOf, hostIn } from "./host-in.ts";
import { approve } from "./launch-code.ts";

const CONFIG = ".plugboard/mcp.json";
const server = stdioServer("tools-server.mjs");

/** A script that prints its owner, in the project and in a repository below it. */
async function writeScripts(sandbox: Sandbox): Promise<string> {
  for (const [path, who] of [
    ["token.sh", "project"],
    ["nested/token.sh", "nested"],
  ] as const)
    await chmod(await sandbox.writeProject(path, `#!/bin/sh\necho ${who}\n`), 0o755);
  return join(sandbox.project, "nested");
}

test("a user's server takes no variable from an env file of the working folder", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeProject(".env", "NODE_OPTIONS=--require ./evil.cjs\nAPI_URL=https://thief.example");
  await sandbox.writeHome(CONFIG, { mcpServers: { own: { ...server, envFile: ".env" } } });
  await using host = await hostIn(sandbox);
  const seen = async (name: string) => (await host.call("own", "env", { name })).text;
  expect([await seen("API_URL"), await seen("NODE_OPTIONS")]).toEqual(["(unset)", "(unset)"]);
});

test("a user's server that opts in gets the env file of each folder", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeProject(".env", "REGION=eu");
  const own = { ...server, envFile: ".env", resolveInProject: true };
  await sandbox.writeHome(CONFIG, { mcpServers: { own } });
  await using host = await hostIn(sandbox);
  expect((await host.call("own", "env", { name: "REGION" })).text).toBe("eu");
});

test("a project's command for a value runs in the project's folder, not in a nested one", async () => {
  await using sandbox = await createSandbox();
  const cwd = await writeScripts(sandbox);
  await sandbox.writeProject(CONFIG, { mcpServers: { acme: { ...server, env: { WHO: "!./token.sh" } } } });
  await using host = await hostIn(sandbox, { cwd });
  await approve(host, "acme");
  expect((await host.call("acme", "env", { name: "WHO" })).text).toBe("project");
});

test("a user's command for a value runs in the home folder, whatever the working folder is", async () => {
  await using sandbox = await createSandbox();
  await writeScripts(sandbox);
  await chmod(await sandbox.writeHome("token.sh", "#!/bin/sh\necho home\n"), 0o755);
  await sandbox.writeHome(CONFIG, { mcpServers: { own: { ...server, env: { WHO: "!./token.sh" } } } });
  await using host = await hostIn(sandbox);
  expect((await host.call("own", "env", { name: "WHO" })).text).toBe("home");
});

test("a server with the project's env file does not become the user's own, and no secret goes to a project's file", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeProject(".env", "WHO=project");
  await sandbox.writeProject(CONFIG, { mcpServers: { acme: { ...server, envFile: ".env" } } });
  await sandbox.writeHome(CONFIG, { mcpServers: { own: { ...server, env: { API_KEY: "hunter2hunter2" } } } });
  await using host = await hostIn(sandbox);
  await approve(host, "acme");
  expect(await failureOf(host.config.move("acme", "user"))).toMatchObject({
    code: "CONFIG_INVALID",
    message: `its envFile ${join(sandbox.project, ".env")} belongs to the project, which could then choose what your own server runs`,
  });
  expect((await host.call("acme", "env", { name: "WHO" })).text).toBe("project");
  expect(await failureOf(host.config.move("own", "project"))).toMatchObject({
    code: "CONFIG_INVALID",
    message: 'env.API_KEY of "own" is a secret in plain text.',
  });
});

const BIN = dirname(process.execPath);

test.each<[what: string, file: string, path: string, variables: Record<string, string>]>([
  ["an unset variable of Cursor's", ".cursor/mcp.json", `\${env:MY_BIN}:${BIN}:/usr/bin`, {}],
  ["an unset variable of Gemini's", ".gemini/settings.json", `$MY_BIN:${BIN}:/usr/bin`, {}],
  ["an empty default", CONFIG, `\${MY_BIN:-}:${BIN}:/usr/bin`, {}],
  ["an empty variable", CONFIG, `\${MY_BIN}:${BIN}:/usr/bin`, { MY_BIN: "" }],
  ["a relative folder on PATH", CONFIG, "/opt/x/bin:${PATH}", { PATH: `./bin:${BIN}:/usr/bin` }],
  ["PATH by its name", CONFIG, "PATH", { PATH: `./bin:${BIN}:/usr/bin` }],
])(
  "a user's server runs no program of the working folder because of %s",
  async (_, file, path, variables) => {
    await using sandbox = await createSandbox();
    for (const program of ["node", "bin/node"])
      await chmod(await sandbox.writeProject(program, "#!/bin/sh\nexit 1\n"), 0o755);
    const own = { ...server, command: "node", env: { PATH: path } };
    await sandbox.writeHome(file, { mcpServers: { own } });
    await using host = await hostIn(sandbox, { env: { ...sandbox.env(), ...variables } });
    expect((await host.call("own", "env", { name: "PATH" })).text).not.toMatch(/^:|::|:$|^[^/]|:[^/]/);
  },
);

test("lists of code folders, declared or inherited, never include the working folder", async () => {
  await using sandbox = await createSandbox();
  const env = { PYTHONPATH: "${env:PYTHONPATH}:/opt/lib", LD_LIBRARY_PATH: "/opt/lib:${env:NOT_SET}" };
  await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { declares: { ...server, env } } });
  const inherits = { ...server, inheritEnv: ["PYTHONPATH", "LD_LIBRARY_PATH"] };
  await sandbox.writeHome(CONFIG, { mcpServers: { inherits } });
  await using host = await hostIn(sandbox, {
    env: { ...sandbox.env(), LD_LIBRARY_PATH: ":/opt/lib", PYTHONPATH: "lib:/opt/other" },
  });
  const seen = async (name: string, variable: string) =>
    (await host.call(name, "env", { name: variable })).text;
  expect(await seen("declares", "PYTHONPATH")).toBe("/opt/other:/opt/lib");
  expect(await seen("declares", "LD_LIBRARY_PATH")).toBe("/opt/lib");
  expect(await seen("inherits", "PYTHONPATH")).toBe("/opt/other");
  expect(await seen("inherits", "LD_LIBRARY_PATH")).toBe("/opt/lib");
});

test("an imported server keeps the user's own env file, but not the project's", async () => {
  await using sandbox = await createSandbox();
  const own = await sandbox.writeHome("own.env", "WHO=user");
  await sandbox.writeProject(".cursor/mcp.json", {
    mcpServers: { ours: { ...server, envFile: own }, theirs: { ...server, envFile: ".env" } },
  });
  await sandbox.writeProject(".env", "WHO=project");
  await using host = await hostIn(sandbox, { cwd: join(sandbox.project, ".cursor") });
  await approve(host, "ours");
  await approve(host, "theirs");
  const { written, skipped } = await host.config.importFrom({ tool: "cursor", scope: "user" });
  expect(written).toMatchObject([{ name: "ours" }]);
  expect(skipped).toMatchObject([
    { name: "theirs", reason: expect.stringContaining("belongs to the project") },
  ]);
  expect((await host.call("ours", "env", { name: "WHO" })).text).toBe("user");
});
