import { chmod, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { hostIn } from "./host-in.ts";
import { probe, probeFile, probeServer } from "./launch-code.ts";

const SERVER = { command: "node", args: ["./server.mjs", "--config", "./x"] };

async function entryIn(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, "utf8")).mcpServers.acme;
}

async function subfolderOf(sandbox: Sandbox): Promise<string> {
  await sandbox.writeProject("sub/server.mjs", probeServer("added"));
  await sandbox.writeProject("server.mjs", probeServer("other"));
  await mkdir(join(sandbox.project, "sub", "below"), { recursive: true });
  return join(sandbox.project, "sub");
}

test("a server that is added in a subfolder runs the intended file from every folder of the project", async () => {
  await using sandbox = await createSandbox();
  const cwd = await subfolderOf(sandbox);
  const server = { ...SERVER, env: { PROBE_FILE: probeFile(sandbox) } };
  {
    await using host = await hostIn(sandbox, { cwd });
    const { file } = await host.config.add({ name: "acme", server, scope: "project" });
    expect(await entryIn(file)).toMatchObject({ args: ["./sub/server.mjs", "--config", "./x"] });
  }
  for (const folder of [sandbox.project, cwd, join(cwd, "below")]) {
    await using host = await hostIn(sandbox, { cwd: folder });
    expect(await probe(sandbox, host, "acme")).toMatchObject({ who: "added", cwd: folder });
  }
});

test("a server that is added for the user, or moved there, gets absolute paths", async () => {
  await using sandbox = await createSandbox();
  const cwd = await subfolderOf(sandbox);
  const args = [join(cwd, "server.mjs"), "--config", "./x"];
  await using host = await hostIn(sandbox, { cwd });
  const { file } = await host.config.add({ name: "acme", server: SERVER, scope: "user" });
  expect(await entryIn(file)).toMatchObject({ args });
  await host.config.remove("acme");
  await host.config.add({ name: "acme", server: SERVER, scope: "project" });
  await host.config.move("acme", "user");
  expect(await entryIn(file)).toMatchObject({ args });
});

test.each([
  ["cursor", ".cursor/mcp.json"],
  ["claude-code", ".mcp.json"],
])("a server of %s that is imported in a subfolder keeps the project's paths", async (tool, config) => {
  await using sandbox = await createSandbox();
  const cwd = await subfolderOf(sandbox);
  await sandbox.writeProject(config, { mcpServers: { acme: { ...SERVER, cwd: "." } } });
  await using host = await hostIn(sandbox, { cwd });
  await host.approvals.approve("acme", host.approvals.request("acme").hash);
  const { written } = await host.config.importFrom({ tool, scope: "user" });
  expect(await entryIn(written[0]?.file ?? "")).toMatchObject({
    cwd: sandbox.project,
  });
});

test("a project's server that is moved or imported to the user's file never runs another folder's code", async () => {
  const shell = { type: "stdio", command: "sh", args: ["-c", "exec node server.mjs"] };
  for (const file of [".plugboard/mcp.json", ".cursor/mcp.json"]) {
    await using place = await createSandbox();
    await place.writeProject("server.mjs", probeServer("project"));
    const other = await place.writeHome("elsewhere/server.mjs", probeServer("other"));
    await place.writeProject(file, {
      mcpServers: { acme: { ...shell, env: { PROBE_FILE: probeFile(place) } } },
    });
    await using host = await hostIn(place);
    await host.approvals.approve("acme", host.approvals.request("acme").hash);
    if (file.startsWith(".cursor")) await host.config.importFrom({ tool: "cursor", scope: "user" });
    else await host.config.move("acme", "user");
    await using later = await hostIn(place, { cwd: dirname(other) });
    expect(await probe(place, later, "acme")).toMatchObject({ who: "project", cwd: place.project });
  }
});

test.each<[string, JsonObject]>([
  ["a default", { command: "node", args: ["${NOPE:-server.mjs}"] }],
  ["a default with a folder", { command: "node", args: ["${NOPE:-.}/server.mjs"] }],
  ["a default that is part of a name", { command: "node", args: ["${NOPE:-ser}ver.mjs"] }],
  ["an empty default", { command: "node", args: ["${NOPE:-}server.mjs"] }],
  ["a module in a default", { command: "node", args: ["--import=${NOPE:-./server.mjs}", "/dev/null"] }],
  ["an option in a default", { command: "node", args: ["${NOPE:---import=./server.mjs}", "/dev/null"] }],
  ["a default in cwd", { command: "node", args: ["server.mjs"], cwd: "${NOPE:-.}" }],
  ["an empty default in cwd", { command: "node", args: ["server.mjs"], cwd: "${NOPE:-}" }],
  ["an interpreter in a default", { command: "${NOPE:-node}", args: ["server.mjs"] }],
  ["a shell in a default", { command: "${NOPE:-sh}", args: ["run"] }],
  ["a command in a default", { command: "${NOPE:-.}/tools/run" }],
  ["a path without an extension", { command: "nice", args: ["tools/run"] }],
  ["a path after an option", { command: "env", args: ["-S", "tools/run"] }],
])(
  "a project's server that names its code by %s never runs another folder's after a move",
  async (_, entry) => {
    await using place = await createSandbox();
    const files = (who: string): Record<string, string> => ({
      "server.mjs": probeServer(who),
      run: '#!/bin/sh\nexec node "$(dirname "$0")/server.mjs"\n',
      "tools/run": '#!/bin/sh\nexec node "$(dirname "$0")/../server.mjs"\n',
    });
    for (const [path, text] of Object.entries(files("project")))
      await chmod(await place.writeProject(path, text), 0o755);
    for (const [path, text] of Object.entries(files("other")))
      await chmod(await place.writeHome(`elsewhere/${path}`, text), 0o755);
    const env = { PROBE_FILE: probeFile(place) };
    await place.writeProject(".plugboard/mcp.json", {
      mcpServers: { acme: { type: "stdio", ...entry, env } },
    });
    await using host = await hostIn(place);
    await host.approvals.approve("acme", host.approvals.request("acme").hash);
    await host.config.move("acme", "user");
    await using later = await hostIn(place, { cwd: join(place.home, "elsewhere") });
    expect(await probe(place, later, "acme")).toMatchObject({ who: "project" });
  },
);

test("a server that is added in a subfolder is approved with the variables of its own envFile", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeProject(".env", "A=1\n");
  await sandbox.writeProject("sub/.env", "A=2\nB=2\n");
  const cwd = join(sandbox.project, "sub");
  await using host = await hostIn(sandbox, { cwd });
  const server = { ...stdioServer("tools-server.mjs"), envFile: "../.env" };
  await host.config.add({ name: "tools", server, scope: "project" });
  expect((await host.call("tools", "env", { name: "A" })).text).toBe("1");
  await sandbox.writeProject(".env", "A=1\nB=1\n");
  await using later = await hostIn(sandbox, { cwd });
  expect(later.servers()).toMatchObject([{ state: "untrusted" }]);
});

test("a server that is imported into the project's file in a subfolder keeps the project's env file", async () => {
  await using sandbox = await createSandbox();
  const cwd = await subfolderOf(sandbox);
  await sandbox.writeProject(".cursor/mcp.json", { mcpServers: { acme: { ...SERVER, envFile: ".env" } } });
  await using host = await hostIn(sandbox, { cwd });
  await host.approvals.approve("acme", host.approvals.request("acme").hash);
  const { written } = await host.config.importFrom({ tool: "cursor", scope: "project" });
  expect(await entryIn(written[0]?.file ?? "")).toMatchObject({ envFile: ".env" });
});
