import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ServerOptions } from "../../src/index.ts";
import {
  type HttpScriptedServer,
  type NodeTest,
  recordedHost,
  serveHttp,
  type VitestTest,
} from "../../src/testing/index.ts";

let folder: string;
let server: HttpScriptedServer;
let calls = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorded-"));
  server = await serveHttp({
    name: "x",
    version: "1",
    tools: { count: { run: () => String((calls += 1)) } },
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const servers = (): Record<string, ServerOptions> => ({ x: { url: server.url } });
const env = (record: boolean) => ({ HOME: folder, ...(record && { PLUGBOARD_RECORD: "1" }) });

/** A test in another file, and its functions to run afterwards. */
function nodeTest(name: string): NodeTest & { end(): Promise<void> } {
  const closes: (() => Promise<void>)[] = [];
  return {
    name,
    filePath: join(folder, "some.test.mjs"),
    after: (close) => void closes.push(close),
    async end() {
      for (const close of closes) await close();
    },
  };
}

test("a test context of Vitest is enough", async (context) => {
  const asVitest: VitestTest = context;
  const copied: VitestTest = {
    task: { ...asVitest.task, file: { filepath: join(folder, basename(asVitest.task.file.filepath)) } },
    onTestFinished: (close) => context.onTestFinished(close),
  };
  const recording = await recordedHost(copied, { servers: servers(), env: env(true) });
  const { text } = await recording.call("x", "count");
  await recording.close();
  const before = calls;
  const host = await recordedHost(copied, { servers: servers(), env: env(false) });
  expect((await host.call("x", "count")).text).toBe(text);
  expect(calls).toBe(before);
});

describe("with node:test", () => {
  test("each test has its own recording, and its host is closed after the test", async () => {
    for (const name of ["counts a/b", "counts a b"]) {
      const one = nodeTest(name);
      const host = await recordedHost(one, { servers: servers(), env: env(true) });
      await host.call("x", "count");
      await one.end();
      await expect(host.call("x", "count")).rejects.toMatchObject({ code: "HOST_CLOSED" });
    }
    const [first, second] = await Promise.all(
      ["counts a/b", "counts a b"].map(async (name) => {
        const host = await recordedHost(nodeTest(name), { servers: servers(), env: env(false) });
        await using _ = host;
        return (await host.call("x", "count")).text;
      }),
    );
    expect(Number(second)).toBe(Number(first) + 1);
    expect(existsSync(join(folder, "recordings", "some.test.mjs"))).toBe(true);
  });

  test("a missing recording says how to record it", async () => {
    const opening = recordedHost(nodeTest("never recorded"), { servers: servers(), env: env(false) });
    await expect(opening).rejects.toThrow(/^There is no recording at .* PLUGBOARD_RECORD=1 /);
  });

  test("the recording can be chosen", async () => {
    const file = join(folder, "chosen.jsonl");
    const one = nodeTest("chosen");
    const host = await recordedHost(one, { servers: servers(), env: env(true), file });
    await host.tools();
    await one.end();
    expect(existsSync(file)).toBe(true);
  });
});
