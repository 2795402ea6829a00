import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import { createSandbox } from "../../test/support/sandbox.ts";
import { nodeFiles } from "../platform/node/files.ts";
import { createArtifacts } from "./artifacts.ts";
import { findOwnPaths } from "./own-paths.ts";

async function artifactsIn(home: string, mostBytes: number) {
  const ports = createFakePorts(nodeFiles);
  let now = 0;
  const clock = { ...ports.clock, now: () => (now += 1) };
  const places = findOwnPaths({ platform: "linux", home, cwd: home, variables: {} });
  const folder = join(places.state, "artifacts");
  const artifacts = createArtifacts({ ...ports, clock }, places, () => mostBytes);
  const keep = (content: Uint8Array, mimeType: string) =>
    artifacts.keep({ server: "s", tool: "t", content, mimeType }, {});
  return { folder, ports, keep };
}
const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(7);

test("an artifact can be read back, by its owner only", async () => {
  await using sandbox = await createSandbox();
  const { keep, folder } = await artifactsIn(sandbox.home, 1_000);
  const kept = await keep(Buffer.from([0, 255, 10]), "image/png");
  expect(kept).toMatchObject({ bytes: 3, path: expect.stringMatching(/\.png$/) });
  expect([...(await readFile(kept?.path ?? ""))]).toEqual([0, 255, 10]);
  expect((await stat(kept?.path ?? "")).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test("the oldest artifacts are removed if there is no room, but no other files", async () => {
  await using sandbox = await createSandbox();
  const { keep, folder } = await artifactsIn(sandbox.home, 1_000);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "notes.txt"), "mine");
  const paths: (string | undefined)[] = [];
  for (const size of [400, 401, 402]) paths.push((await keep(bytes(size), "text/plain"))?.path);
  const left = (await readdir(folder)).map((name) => join(folder, name)).sort();
  expect(left).toEqual([...paths.slice(1), join(folder, "notes.txt")].sort());
});

test("an artifact that is larger than the limit is not stored", async () => {
  await using sandbox = await createSandbox();
  const { keep } = await artifactsIn(sandbox.home, 1_000);
  expect(await keep(bytes(1_001), "text/plain")).toBeUndefined();
});

test.each(["../../etc/passwd", "text/plain\0.sh", "image/../../x", "__proto__", "TEXT/PLAIN"])(
  "a MIME type does not affect the path: %s",
  async (mimeType) => {
    await using sandbox = await createSandbox();
    const { keep, folder } = await artifactsIn(sandbox.home, 1_000);
    const kept = await keep(bytes(1), mimeType);
    expect(kept?.reference.startsWith(`${folder}/`)).toBe(true);
    expect(kept?.reference.slice(folder.length + 1)).toMatch(/^\d+-1-[0-9a-f]+\.(?:bin|txt)$/);
  },
);

test("if the folder cannot be written, only the artifact is lost", async () => {
  await using sandbox = await createSandbox();
  const { keep, folder, ports } = await artifactsIn(sandbox.home, 1_000);
  await mkdir(join(folder, ".."), { recursive: true });
  await writeFile(folder, "in the way");
  expect(await keep(bytes(1), "text/plain")).toBeUndefined();
  expect(ports.logged).toEqual(["warn artifact.unwritable"]);
});
