import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placeOf } from "./place.ts";

/** Creates a fake `/proc` with this boot id and PID namespace. */
async function procOf(boot: string, namespace: string): Promise<string> {
  const proc = await mkdtemp(join(tmpdir(), "proc-"));
  await mkdir(join(proc, "sys/kernel/random"), { recursive: true });
  await writeFile(join(proc, "sys/kernel/random/boot_id"), `${boot}\n`);
  await mkdir(join(proc, "self/ns"), { recursive: true });
  await symlink(namespace, join(proc, "self/ns/pid"));
  return proc;
}

test("on Linux, a place identifies a machine, a boot and a PID namespace", async () => {
  const place = async (boot: string, namespace: string): Promise<string | undefined> =>
    placeOf("linux", await procOf(boot, namespace));
  const here = await place("boot-1", "pid:[1]");
  expect(here).toBe(`linux/${encodeURIComponent(hostname())}/boot-1/pid%3A%5B1%5D`);
  expect(await place("boot-1", "pid:[1]")).toBe(here);
  expect(await place("boot-2", "pid:[1]")).not.toBe(here);
  expect(await place("boot-1", "pid:[2]")).not.toBe(here);
});

test("on Linux without /proc the place is unknown", () => {
  expect(placeOf("linux", "/nowhere")).toBeUndefined();
});

test.each(["darwin", "win32"])(
  "on %s, a place identifies a machine and a boot, without spaces",
  (platform) => {
    expect(placeOf(platform, "/nowhere")).toMatch(new RegExp(`^${platform}/\\S+/\\d+$`));
  },
);
