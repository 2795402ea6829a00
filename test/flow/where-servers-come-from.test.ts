import { chmod, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { hostIn } from "./host-in.ts";

const { command: node, args } = stdioServer("raw-server.mjs");

/** A program in the sandbox's program folder. */
async function install(sandbox: Sandbox, name: string, script: string): Promise<string> {
  const file = await sandbox.writeHome(`bin/${name}`, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

test("a server can be an npm package, an image or a program", async () => {
  await using sandbox = await createSandbox();
  const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));
  await symlink(packages, join(sandbox.project, "node_modules"));
  const run = `exec "${node}" "${args[0]}"`;
  const program = await install(sandbox, "acme", run);
  // Replaces Docker, and like Docker passes on only the variables that it is told to.
  await install(
    sandbox,
    "docker",
    `[ "$*" = "run -i --rm -e KEY acme/server:1" ] && [ "$KEY" = k ] && ${run}`,
  );
  const env = { ...sandbox.env(), PATH: `${join(sandbox.home, "bin")}:${sandbox.env()["PATH"]}` };
  const servers = {
    npm: { command: "npx", args: ["--no-install", "mcp-server-memory"], resolveInProject: true },
    image: {
      command: "docker",
      args: ["run", "-i", "--rm", "-e", "KEY", "acme/server:1"],
      env: { KEY: "k" },
    },
    program: { command: program },
  };
  await using host = await hostIn(sandbox, { env, servers });
  expect((await host.doctor.test("npm")).tools).toContain("create_entities");
  expect((await host.doctor.test("image")).tools).toEqual(["echo", "pid"]);
  expect((await host.doctor.test("program")).tools).toEqual(["echo", "pid"]);
});
