import { mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { failureOf, hostIn } from "../flow/host-in.ts";
import { createSandbox } from "../support/sandbox.ts";

const REFUSED = { code: "CONFIG_UNWRITABLE", message: expect.stringContaining("leads out of the project") };
const ADD = { name: "new", server: { command: "x" }, scope: "project" } as const;

/** A link in the project to the user's own config or to its folder. */
const LINKS: readonly (readonly [string, string, string])[] = [
  ["a file", ".plugboard/mcp.json", ".plugboard/mcp.json"],
  ["a folder", ".plugboard", ".plugboard"],
  ["a folder without a file", ".plugboard", "empty"],
  ["a file that is not there yet", ".plugboard/mcp.json", "empty/new.json"],
];

test.each(LINKS)(
  "adding a server to a project does not write through a link out of it: %s",
  async (_, from, to) => {
    await using sandbox = await createSandbox();
    const text = JSON.stringify({ mcpServers: { mine: { command: "x", enabled: false } } });
    const own = await sandbox.writeHome(".plugboard/mcp.json", text);
    await mkdir(join(sandbox.home, "empty"));
    const link = join(sandbox.project, from);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(sandbox.home, to), link);
    await using host = await hostIn(sandbox);
    expect(await failureOf(host.config.add(ADD))).toMatchObject(REFUSED);
    expect(await readFile(own, "utf8")).toBe(text);
  },
);

test("exporting, enabling and disabling do not write through a link out of the project", async () => {
  await using sandbox = await createSandbox();
  const elsewhere = await sandbox.writeHome("cursor.json", "{}");
  const theirs = await sandbox.writeHome("theirs.json", {
    mcpServers: { off: { command: "x", enabled: false } },
  });
  for (const [file, target] of [
    [".cursor/mcp.json", elsewhere],
    [".plugboard/mcp.json", theirs],
  ] as const) {
    await mkdir(dirname(join(sandbox.project, file)), { recursive: true });
    await symlink(target, join(sandbox.project, file));
  }
  await using host = await hostIn(sandbox);
  expect(await failureOf(host.config.planExport({ tool: "cursor", scope: "project" }))).toMatchObject(
    REFUSED,
  );
  expect(await failureOf(host.config.setEnabled("off", true))).toMatchObject(REFUSED);
  expect(await readFile(elsewhere, "utf8")).toBe("{}");
  expect(await readFile(theirs, "utf8")).toContain('"enabled": false');
});

test("problems of a project's config that links to a private file quote nothing from that file", async () => {
  await using sandbox = await createSandbox();
  const secret = await sandbox.writeHome("private.json", {
    "canary-key": { x: 1 },
    mcpServers: { "canary-server": 7, "canary-other": "canary-value" },
    servers: { "canary-third": 5 },
    bundles: { "canary-bundle": { serverId: "canary-id" } },
  });
  for (const file of [
    "codex-toolloop.mcp.json",
    ".mcp.json",
    ".opencode/opencode.json",
    ".vscode/mcp.json",
    ".plugboard/mcp.json",
  ]) {
    await mkdir(dirname(join(sandbox.project, file)), { recursive: true });
    await symlink(secret, join(sandbox.project, file));
  }
  await using host = await hostIn(sandbox);
  const { problems } = host.snapshot();
  expect(problems.map(({ message }) => message)).toContainEqual(expect.stringContaining("it is a link"));
  expect(JSON.stringify([problems, host.doctor.diagnose()])).not.toContain("canary-");
});

test("problems in a file that a link inside the project points to are quoted", async () => {
  await using sandbox = await createSandbox();
  const target = await sandbox.writeProject("config/mcp.json", { mcpServers: { own: 7 } });
  await symlink(target, join(sandbox.project, ".mcp.json"));
  await using host = await hostIn(sandbox);
  expect(host.snapshot().problems.map(({ message }) => message)).toContainEqual(
    expect.stringContaining("own"),
  );
});

test("a link inside the project is followed", async () => {
  await using sandbox = await createSandbox();
  const target = await sandbox.writeProject("config/mcp.json", "{}");
  await mkdir(join(sandbox.project, ".plugboard"));
  await symlink(target, join(sandbox.project, ".plugboard", "mcp.json"));
  await using host = await hostIn(sandbox);
  await host.config.add(ADD);
  expect(JSON.parse(await readFile(target, "utf8"))).toMatchObject({ mcpServers: { new: { command: "x" } } });
});
