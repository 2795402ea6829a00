import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createHost, type Host } from "../../src/index.ts";
import { failureOf } from "../flow/host-in.ts";
import { createSandbox } from "../support/sandbox.ts";
import { LONGEST_MS, report, tenthOf } from "./counts.ts";
import { mountSmallDisk, pretendSmallDisk, type SmallDisk } from "./small-disk.ts";

/** More than is left in any of the attempts, so that every one fails somewhere on its way. */
const CONFIG_BYTES = 64 * 1024;

async function startHost({ home, files }: SmallDisk): Promise<{ host: Host; file: string }> {
  const file = join(home, ".plugboard", "mcp.json");
  await mkdir(dirname(file));
  await writeFile(file, `{\n  // ${"x".repeat(CONFIG_BYTES)}\n  "mcpServers": {}\n}\n`);
  return { host: await createHost({ cwd: home, env: { HOME: home }, ports: { files } }), file };
}

/** What went wrong, if anything, when a server was added with so many bytes left. */
async function addWhenFull(
  disk: SmallDisk,
  host: Host,
  file: string,
  name: string,
  left: number,
): Promise<string[]> {
  const add = (): Promise<unknown> => host.add({ name, server: { command: "node" }, scope: "user" });
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

/** The score takes the first disk that there is. */
let reported = false;

const DISKS = {
  "a file system of its own": mountSmallDisk,
  "a disk that says it is full": pretendSmallDisk,
};

test.each(Object.entries(DISKS))(
  "a server added on a full disk leaves the old file whole and nothing beside it: %s",
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
    if (!reported) report("servers added on a full disk, the old file whole", harmless, writes);
    reported = true;
    expect(faults.flat()).toEqual([]);
  },
  LONGEST_MS,
);
