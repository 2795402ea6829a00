import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCheckout } from "./checkout.ts";

const LONG_MS = 240_000;
const checkout = makeCheckout();

beforeAll(() => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  mkdirSync(join(checkout.folder, `dist.next-${pid}`)); // as a build that was killed leaves it
  expect(checkout.build()).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Building Plugboard/) });
}, LONG_MS);

afterAll(() => rmSync(checkout.folder, { recursive: true, force: true, maxRetries: 3 }));

test("a build leaves only dist, even after a build that was killed", () => {
  expect(checkout.topLevel()).toEqual(["dist"]);
});

test("sources that did not change are not built again", () => {
  expect(checkout.build()).toEqual({ code: 0, stdout: "", stderr: "" });
});

test(
  "a missing file is built again, with a message",
  () => {
    rmSync(join(checkout.folder, "dist", "index.js"));
    expect(checkout.build()).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Building Plugboard/) });
    expect(existsSync(join(checkout.folder, "dist", "index.js"))).toBe(true);
  },
  LONG_MS,
);

test(
  "a linked program never fails during a build, nor does a program that started before it",
  async () => {
    checkout.changeSources("changed");
    const early = await checkout.startLibraryUser();
    const building = checkout.startBuild();
    const built = once(building, "close");
    const failures: unknown[] = [];
    let runs = 0;
    const runRepeatedly = async (...args: string[]): Promise<void> => {
      while (building.exitCode === null) {
        const result = await checkout.plugboard(...args);
        if (result.code !== 0) failures.push(result);
        runs += 1;
      }
    };
    await Promise.all([runRepeatedly("list"), runRepeatedly("call", "demo", "text_stats", "text=hello")]);
    expect(await built).toEqual([0, null]);
    expect(failures).toEqual([]);
    expect(runs).toBeGreaterThan(2);
    expect((await checkout.plugboard("--help")).stdout).toContain("Exit codes: changed");
    expect(await early.finish()).toContain('"words":2');
  },
  LONG_MS,
);

test(
  "a build that fails changes nothing",
  async () => {
    const source = join(checkout.folder, "src", "index.ts");
    const text = readFileSync(source, "utf8");
    writeFileSync(source, `${text}\nexport const broken: number = "text";\n`);
    expect(checkout.build().code).not.toBe(0);
    expect((await checkout.plugboard("--help")).code).toBe(0);
    expect(checkout.topLevel()).toEqual(["dist"]);
    writeFileSync(source, text);
    expect(checkout.build()).toEqual({ code: 0, stdout: "", stderr: "" });
  },
  LONG_MS,
);

test("packing removes the files of earlier builds", () => {
  expect(checkout.filesInDist().length).toBeGreaterThan(checkout.filesOfLastBuild().length);
  expect(checkout.build("--only").code).toBe(0);
  expect(checkout.filesInDist()).toEqual(checkout.filesOfLastBuild());
});
