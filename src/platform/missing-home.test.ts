import { expect, test } from "vitest";
import { createMemoryFiles } from "../testing/index.ts";
import { missingHomePath, withoutHome } from "./missing-home.ts";

test.each(["linux", "darwin", "win32"])(
  "nothing is found below the missing home folder on %s",
  async (platform) => {
    const path = `${missingHomePath(platform)}/.plugboard/mcp.json`;
    const files = withoutHome(createMemoryFiles(new Map([[path, "{}"]])), platform);
    expect(await files.read(path)).toBeUndefined();
    expect(await files.kind(path)).toBeUndefined();
    expect(await files.stamp(path)).toBeUndefined();
    expect(await files.mode(path)).toBeUndefined();
    expect(await files.writtenAt(path)).toBeUndefined();
    expect(await files.list(missingHomePath(platform))).toEqual([]);
    expect([...(await files.present([path]))]).toEqual([]);
    expect(await files.realPath(path)).toBe(path);
  },
);

test("writing to a missing home folder fails, and the error explains why", async () => {
  const contents = new Map([["/elsewhere", "kept"]]);
  const files = withoutHome(createMemoryFiles(contents), "linux");
  const path = `${missingHomePath("linux")}/state`;
  const why = "there is no home folder; set HOME or PLUGBOARD_HOME to an absolute path";
  await expect(files.makeFolder(path, 0o700)).rejects.toThrow(why);
  await expect(files.create(path, "x", 0o600)).rejects.toThrow(why);
  await expect(files.replace(path, "x", 0o600)).rejects.toThrow(why);
  await expect(files.append(path, "x", 0o600)).rejects.toThrow(why);
  await expect(files.rename(path, "/x")).rejects.toThrow(why);
  await files.remove(path);
  expect([...contents]).toEqual([["/elsewhere", "kept"]]);
});

test("files outside the home folder work as usual", async () => {
  const contents = new Map<string, string>();
  const files = withoutHome(createMemoryFiles(contents), "linux");
  await files.create("/project/file", "text", 0o600);
  expect(new TextDecoder().decode(await files.read("/project/file"))).toBe("text");
});
