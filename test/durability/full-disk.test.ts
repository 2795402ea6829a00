import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createHost, type Host } from "../../src/index.ts";
import { failureOf } from "../flow/host-in.ts";
import { createSandbox } from "../support/sandbox.ts";
import { LONGEST_MS, report, tenthOf } from "./counts.ts";
import { mountSmallDisk, pretendSmallDisk, type SmallDisk } from "./small-disk.ts";

/** More than is left in any attempt, so that each fails at some point. */
const CONFIG_BYTES = 64 * 1024;

async function startHost({ home, files }: SmallDisk): Promise<{ host: Host; file: string }> {
  const file = join(home, ".plugboard", "mcp.json");
  await mkdir(dirname(file));
  await writeFile(file, `{\n  // ${"x".repeat(CONFIG_BYTES)}\n  "mcpServers": {}\n}\n`);
  return { host: await createHost({ cwd: home, env: { HOME: home }, ports: { files } }), file };
}

/** Returns what went wrong, if anything, when a server was added with this many bytes left. */
async function addWhenFull(
  disk: SmallDisk,
  host: Host,
  file: string,
  name: string,
  left: number,
): Promise<string[]> {
  const add = (): Promise<unknown> => host.config.add({ name, server: { command: "node" }, scope: "user" });
  const before = await readFile(file, "utf8");
  disk.fill(left);
  const { code, message } = await failureOf(add());
  const after = await readFile(file, "utf8");
  const litter = await readdir(dirname(file));
  disk.empty();
  await add();
  return [
    ...(code === "CONFIG_UNWRITABLE" ? [] : [`${name}: ${code}`]),
    ...(message.includes("ENOSPC") ? [] : [`${name}: ${message}`]),
    ...(after === before ? [] : [`${name}: the old text is gone`]),
    ...(litter.join() === "mcp.json" ? [] : [`${name}: ${litter.join()} is left`]),
    ...((await readFile(file, "utf8")).includes(`"${name}"`) ? [] : [`${name}: not written afterwards`]),
  ];
}

/** A project on the disk, with a large approvals file or config file. */
async function projectHost({ home, files }: SmallDisk, large: "approvals" | "config") {
  const project = join(home, "project");
  const config = join(project, ".plugboard", "mcp.json");
  const approvals = join(home, ".local", "state", "plugboard", "approvals.json");
  const padding = "x".repeat(CONFIG_BYTES);
  const other = { file: "/other", server: "o", hash: "0", approvedAt: "2026-01-01", fields: { padding } };
  for (const folder of [join(project, ".git"), dirname(config), dirname(approvals)])
    await mkdir(folder, { recursive: true });
  await writeFile(config, `{ ${large === "config" ? `/* ${padding} */` : ""} "mcpServers": {} }\n`);
  await writeFile(approvals, JSON.stringify({ version: 1, approvals: large === "approvals" ? [other] : [] }));
  const options = { cwd: project, env: { HOME: home }, ports: { files } };
  return { host: await createHost(options), config, approvals };
}

const readBoth = (config: string, approvals: string): Promise<string[]> =>
  Promise.all([readFile(config, "utf8"), readFile(approvals, "utf8")]);

/** The score uses the first disk that is available. */
let reported = false;

const DISKS = {
  "a file system of its own": mountSmallDisk,
  "a disk that says it is full": pretendSmallDisk,
};

test.each(Object.entries(DISKS))(
  "adding a server on a full disk keeps the old file intact and leaves no other file: %s",
  async (_, open) => {
    await using sandbox = await createSandbox();
    using disk = open(join(sandbox.home, "disk"));
    if (disk === undefined) return console.log("No file system can be mounted here; the other disk must do.");
    const { host, file } = await startHost(disk);
    const writes = tenthOf(200);
    const faults: string[][] = [];
    for (let number = 0; number < writes; number += 1) {
      const left = (number / writes) * CONFIG_BYTES;
      faults.push(await addWhenFull(disk, host, file, `n${number}`, left));
    }
    await host.close();
    const harmless = faults.filter(({ length }) => length === 0).length;
    if (!reported) report("servers added on a full disk: the old file is intact", harmless, writes);
    reported = true;
    expect(faults.flat()).toEqual([]);
  },
  LONGEST_MS,
);

test.each(
  Object.entries(DISKS).flatMap(([name, open]) =>
    (["approvals", "config"] as const).map((large) => [large, name, open] as const),
  ),
)(
  "a project's server added on a full disk is both written and approved, or neither, with large %s: %s",
  async (large, _, open) => {
    await using sandbox = await createSandbox();
    using disk = open(join(sandbox.home, "disk"));
    if (disk === undefined) return console.log("No file system can be mounted here; the other disk must do.");
    const { host, config, approvals } = await projectHost(disk, large);
    const outcomes: string[] = [];
    const failures = new Set<boolean>();
    for (let number = 0; number < 12; number += 1) {
      const name = `n${number}`;
      const before = await readBoth(config, approvals);
      disk.fill((number / 4) * CONFIG_BYTES);
      const add = host.config.add({ name, server: { command: "node" }, scope: "project" });
      const failed = await add.then(
        () => false,
        () => true,
      );
      failures.add(failed);
      disk.empty();
      const [text = "", given = ""] = await readBoth(config, approvals);
      const isWritten = text.includes(`"${name}"`);
      const isApproved = given.includes(`"${name}"`);
      const isWhole = failed ? text === before[0] && given === before[1] : isWritten && isApproved;
      outcomes.push(
        isWhole ? "whole" : `${name}: failed ${failed}, written ${isWritten}, approved ${isApproved}`,
      );
    }
    await host.close();
    expect(new Set(outcomes)).toEqual(new Set(["whole"]));
    expect(failures).toEqual(new Set([true, false]));
  },
  LONGEST_MS,
);

test("a server that cannot be written to its new file stays in its old one, approved as it was", async () => {
  await using sandbox = await createSandbox();
  using disk = pretendSmallDisk(join(sandbox.home, "disk"));
  const { host, config, approvals } = await projectHost(disk, "config");
  const own = join(disk.home, ".plugboard", "mcp.json");
  await mkdir(dirname(own), { recursive: true });
  await writeFile(own, '{ "mcpServers": { "mine": { "type": "stdio", "command": "node" } } }\n');
  await host.reload();
  const before = [await readFile(own, "utf8"), ...(await readBoth(config, approvals))];
  disk.fill(1_000);
  expect(await failureOf(host.config.move("mine", "project"))).toMatchObject({ code: "CONFIG_UNWRITABLE" });
  disk.empty();
  expect([await readFile(own, "utf8"), ...(await readBoth(config, approvals))]).toEqual(before);
  await host.close();
});

test("enabling a server on a full disk changes neither the list nor its entry", async () => {
  await using sandbox = await createSandbox();
  using disk = pretendSmallDisk(join(sandbox.home, "disk"));
  const { host, config } = await projectHost(disk, "config");
  await host.config.add({ name: "off", server: { command: "node", enabled: false }, scope: "project" });
  const own = join(disk.home, ".plugboard", "mcp.json");
  await mkdir(dirname(own), { recursive: true });
  await writeFile(own, '{ "disabledServers": ["off"] }\n');
  await host.reload();
  const before = await readBoth(own, config);
  disk.fill(1_000);
  expect(await failureOf(host.config.setEnabled("off", true))).toMatchObject({ code: "CONFIG_UNWRITABLE" });
  disk.empty();
  expect(await readBoth(own, config)).toEqual(before);
  await host.close();
});
