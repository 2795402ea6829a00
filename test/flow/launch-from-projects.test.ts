import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reportTests } from "../durability/counts.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { failureOf, hostIn } from "./host-in.ts";
import { approve, probe, probeFile, probeServer } from "./launch-code.ts";

reportTests("launches in a hostile folder: only code that the entry identifies is run");

/** A project, and in its folder `nested` another repository with files of the same names. */
async function nestedIn(sandbox: Sandbox): Promise<string> {
  const nested = join(sandbox.project, "nested");
  await mkdir(join(nested, ".git"), { recursive: true });
  for (const folder of ["", "nested/"]) {
    const who = folder === "" ? "project" : "nested";
    for (const path of ["tools/server.mjs", "server.mjs"]) {
      const file = await sandbox.writeProject(`${folder}${path}`, probeServer(who));
      await chmod(file, 0o755);
    }
    const bin = await sandbox.writeProject(`${folder}node_modules/.bin/runs`, '#!/bin/sh\nexec node "$1"\n');
    await chmod(bin, 0o755);
    await sandbox.writeProject(`${folder}package.json`, { name: "x", version: "1.0.0" });
    await sandbox.writeProject(
      `${folder}preload.mjs`,
      `process.env.PROBE_FILE += "${who === "nested" ? ".no" : ""}";`,
    );
  }
  return nested;
}

const LAUNCHES: [string, Record<string, unknown>][] = [
  ["a script", { command: "node", args: ["./tools/server.mjs", "--config", "./x", "."] }],
  ["a script without a folder", { command: "node", args: ["server.mjs"] }],
  [
    "a script after options",
    { command: "node", args: ["--no-warnings", "--import=./preload.mjs", "./server.mjs"] },
  ],
  [
    "a script after an option with a value",
    { command: "node", args: ["--disable-warning", "ExperimentalWarning", "./server.mjs"] },
  ],
  ["a script of a package runner", { command: "npx", args: ["--no", "runs", "./server.mjs"] }],
  ["a script behind env", { command: "env", args: ["-u", "X", "node", "./server.mjs"] }],
  ["a command with a slash", { command: "./tools/server.mjs", args: [] }],
  ["a wrapper with a slash", { wrap: ["./tools/server.mjs"], command: "x", args: [] }],
];

test.each(LAUNCHES)(
  "a project's server in a nested repository runs the project's code: %s",
  async (_, entry) => {
    await using sandbox = await createSandbox();
    const nested = await nestedIn(sandbox);
    const env = { PROBE_FILE: probeFile(sandbox) };
    await sandbox.writeProject(".mcp.json", { mcpServers: { acme: { ...entry, env } } });
    await sandbox.writeProject(".claude/settings.json", {});
    const isNative = entry["wrap"] !== undefined;
    if (isNative) {
      await sandbox.writeProject(".mcp.json", {});
      await sandbox.writeProject("mcp.json", { mcpServers: { acme: { ...entry, env } } });
    }
    const cwd = isNative ? join(sandbox.project, "sub") : nested;
    await mkdir(cwd, { recursive: true });
    await using host = await hostIn(sandbox, { cwd });
    await approve(host, "acme");
    const { who, cwd: started, args } = await probe(sandbox, host, "acme");
    const keepsFolder = entry["command"] === "node";
    expect({ who, started }).toEqual({ who: "project", started: keepsFolder ? cwd : sandbox.project });
    if (Array.isArray(entry["args"]) && entry["args"].includes("--config"))
      expect(args).toEqual(["--config", "./x", "."]);
  },
);

test.skipIf(process.platform !== "linux").each([
  ["a script", { command: "node", args: ["/proc/self/cwd/server.mjs"] }],
  ["another name for the process", { command: "node", args: ["/proc/thread-self/cwd/server.mjs"] }],
])(
  "a project's server in a nested repository runs the project's code through a path such as /proc/self/cwd: %s",
  async (_, entry) => {
    await using sandbox = await createSandbox();
    const nested = await nestedIn(sandbox);
    const env = { PROBE_FILE: probeFile(sandbox) };
    await sandbox.writeProject(".mcp.json", { mcpServers: { acme: { ...entry, env } } });
    await using host = await hostIn(sandbox, { cwd: nested });
    await approve(host, "acme");
    expect(await probe(sandbox, host, "acme")).toMatchObject({ who: "project", cwd: sandbox.project });
  },
);

test("a project's cwd cannot be a path such as /proc/self/cwd", async () => {
  await using sandbox = await createSandbox();
  const cwd = "/proc/self/cwd";
  await sandbox.writeProject("mcp.json", {
    mcpServers: { acme: { command: "node", args: ["./server.mjs"], cwd } },
  });
  await using host = await hostIn(sandbox);
  expect((await host.approvals.inspect("acme")).starts).toContain(
    '"cwd" may mean the folder that Plugboard runs in',
  );
  await approve(host, "acme");
  expect(await failureOf(host.connect("acme"))).toMatchObject({ code: "CONNECT_FAILED" });
});

test("a project's relative cwd is resolved from the project's folder", async () => {
  await using sandbox = await createSandbox();
  await nestedIn(sandbox);
  const env = { PROBE_FILE: probeFile(sandbox) };
  const mcpServers = { acme: { command: "node", args: ["server.mjs"], cwd: "tools", env } };
  await sandbox.writeProject(".plugboard/mcp.json", { mcpServers });
  await mkdir(join(sandbox.project, "sub", "tools"), { recursive: true });
  await using host = await hostIn(sandbox, { cwd: join(sandbox.project, "sub") });
  await approve(host, "acme");
  expect(await probe(sandbox, host, "acme")).toMatchObject({
    who: "project",
    cwd: join(sandbox.project, "tools"),
  });
});

test("Claude Code would run the nested file, and Plugboard reports that", async () => {
  await using sandbox = await createSandbox();
  const nested = await nestedIn(sandbox);
  const mcpServers = {
    acme: { command: "node", args: ["./tools/server.mjs"] },
    absolute: { command: "node", args: ["/opt/server.mjs", "./x"] },
  };
  await sandbox.writeProject(".mcp.json", { mcpServers });
  const problemsIn = async (cwd: string): Promise<unknown[]> => {
    await using host = await hostIn(sandbox, { cwd });
    return host.servers().map(({ name, ownerVerdict }) => [name, ownerVerdict?.problems]);
  };
  expect(await problemsIn(nested)).toEqual([
    ["acme", ["working-folder-path"]],
    ["absolute", []],
  ]);
  expect(await problemsIn(sandbox.project)).toEqual([
    ["acme", []],
    ["absolute", []],
  ]);
});

test("before a project's server is approved, the file that it would run is shown", async () => {
  await using sandbox = await createSandbox();
  const nested = await nestedIn(sandbox);
  await sandbox.writeProject(".mcp.json", {
    mcpServers: {
      path: { command: "./tools/server.mjs" },
      script: { command: "node", args: ["server.mjs"] },
    },
  });
  await using host = await hostIn(sandbox, { cwd: nested });
  expect((await host.approvals.inspect("path")).program).toBe(join(sandbox.project, "tools", "server.mjs"));
  expect((await host.approvals.inspect("script")).starts).toBe(`node ${join(sandbox.project, "server.mjs")}`);
  expect((await host.config.explain("script")).reasons).toContain(
    `starts: node ${join(sandbox.project, "server.mjs")}`,
  );
});

test("a project's server in a subfolder gets the project's env file", async () => {
  await using sandbox = await createSandbox();
  const server = { ...stdioServer("tools-server.mjs"), envFile: ".env" };
  await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { acme: server } });
  await sandbox.writeProject(".env", "WHOSE=project");
  await sandbox.writeProject("nested/.env", "WHOSE=nested\nNODE_OPTIONS=--require ./evil.js");
  await using host = await hostIn(sandbox, { cwd: join(sandbox.project, "nested") });
  await approve(host, "acme");
  expect((await host.call("acme", "env", { name: "WHOSE" })).text).toBe("project");
});
