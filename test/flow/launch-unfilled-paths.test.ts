import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reportTests } from "../durability/counts.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { hostIn } from "./host-in.ts";
import { probe, probeFile, probeServer } from "./launch-code.ts";

reportTests("launches in a hostile folder: only code that the entry identifies is run");

/** The same program in the home folder and, under the names that a shell would fill in, in the working folder. */
async function writeServers(sandbox: Sandbox): Promise<void> {
  await chmod(await sandbox.writeHome("bin/probe.mjs", probeServer("home")), 0o755);
  for (const folder of ["~", "$HOME", "${NOT_SET}", "$PATH"])
    for (const file of ["bin/probe.mjs", "probe.mjs"])
      await chmod(await sandbox.writeProject(`${folder}/${file}`, probeServer("project")), 0o755);
}

async function writeUser(sandbox: Sandbox, entry: Record<string, unknown>, env = {}): Promise<void> {
  const server = { ...entry, env: { PROBE_FILE: probeFile(sandbox), ...env } };
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { acme: server } });
}

test.each([
  ["command", { command: "~/bin/probe.mjs" }],
  ["script", { command: "node", args: ["--no-warnings", "~/bin/probe.mjs"] }],
  ["cwd", { command: "node", args: ["probe.mjs"], cwd: "~/bin" }],
])("a %s that begins with ~/ is in the home folder", async (_, entry) => {
  await using sandbox = await createSandbox();
  await writeServers(sandbox);
  await writeUser(sandbox, entry);
  await using host = await hostIn(sandbox);
  expect(await probe(sandbox, host, "acme")).toMatchObject({ who: "home" });
});

test.each([
  ["command", { command: "${NOT_SET}/bin/probe.mjs" }],
  ["command", { command: "$HOME/bin/probe.mjs" }],
  ["args", { command: "node", args: ["${NOT_SET}/bin/probe.mjs"] }],
  ["args", { command: "node", args: ["--import", "$HOME/bin/probe.mjs", "/x.mjs"] }],
  ["args", { command: "nice", args: ["node", "$HOME/bin/probe.mjs"] }],
  ["cwd", { command: "node", args: ["probe.mjs"], cwd: "$HOME/bin" }],
  ["cwd", { command: "node", args: ["probe.mjs"], cwd: "~other/bin" }],
])("a server is not started if a path in %s has an unresolved placeholder: %j", async (field, entry) => {
  await using sandbox = await createSandbox();
  await writeServers(sandbox);
  await writeUser(sandbox, entry);
  await using host = await hostIn(sandbox);
  await expect(host.doctor.test("acme")).rejects.toMatchObject({
    code: "CONNECT_FAILED",
    hint: expect.stringContaining(`"${field}"`),
  });
});

test("declared folders of PATH that begin with ~ or $ are not those of the working folder", async () => {
  await using sandbox = await createSandbox();
  await writeServers(sandbox);
  const PATH = `~/bin:$PATH:~other:${process.env["PATH"] ?? ""}`;
  await writeUser(sandbox, { command: "probe.mjs" }, { PATH });
  await using host = await hostIn(sandbox);
  const { who, path } = await probe(sandbox, host, "acme");
  expect([who, path[0]]).toEqual(["home", join(sandbox.home, "bin")]);
  expect(path.filter((folder) => /^[~$]/.test(folder))).toEqual([]);
});
