import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import { Redactor } from "../model/index.ts";
import { nodePorts } from "../platform/node/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { createServerLogs, type ServerLogs } from "./server-logs.ts";

const PLACES = { userConfig: "", settings: "", state: "/state", cache: "" };
const SUBJECT = { server: "files", file: "/home/me/mcp.json" };
const ENDED = { code: 0, signal: undefined, failure: undefined };

function createLogs(disk: Map<string, string> = new Map()): ServerLogs & { disk: Map<string, string> } {
  return { ...createServerLogs(createFakePorts(createMemoryFiles(disk)), PLACES), disk };
}

async function textsIn(logs: ServerLogs): Promise<string[][]> {
  return (await logs.read(SUBJECT)).map(({ lines }) => lines.map(({ text }) => text));
}

describe("a server's output", () => {
  test("is stored by run, in order, with its stream and how the run ended", async () => {
    const logs = createLogs();
    const run = logs.start(SUBJECT, new Redactor());
    run.add("stderr", "starting");
    run.add("stdout", "not JSON");
    run.add("stderr", "   ");
    run.end({ ...ENDED, code: 3 }, true);
    await run.saved();
    expect(await logs.read(SUBJECT)).toEqual([
      {
        id: expect.any(String),
        startedAt: 0,
        lines: [
          { number: 1, at: 0, stream: "stderr", text: "starting" },
          { number: 2, at: 0, stream: "stdout", text: "not JSON" },
        ],
        end: { code: 3, at: 0 },
      },
    ]);
  });

  test("is stored as soon as its folder can be created", async () => {
    const state = await mkdtemp(join(tmpdir(), "server-logs-"));
    try {
      const { files } = nodePorts();
      const refusals = [new Error("ENOSPC")];
      const makeFolder: typeof files.makeFolder = async (path, mode) => {
        const refusal = refusals.pop();
        if (refusal !== undefined) throw refusal;
        await files.makeFolder(path, mode);
      };
      const logs = createServerLogs(createFakePorts({ ...files, makeFolder }), { ...PLACES, state });
      const run = logs.start(SUBJECT, new Redactor());
      run.add("stderr", "lost");
      await run.saved();
      run.add("stderr", "kept");
      await run.saved();
      expect(await textsIn(logs)).toEqual([["kept"]]);
    } finally {
      await rm(state, { recursive: true });
    }
  });

  test("is readable again from the next line after an interrupted write", async () => {
    const disk = new Map<string, string>();
    const files = createMemoryFiles(disk);
    let isFull = true;
    const append: typeof files.append = async (path, text, mode) => {
      await files.append(path, isFull ? text.slice(0, 9) : text, mode);
      if (isFull) throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    };
    const logs = createServerLogs(createFakePorts({ ...files, append }), PLACES);
    const run = logs.start(SUBJECT, new Redactor());
    for (const text of ["lost", "kept", "kept, too"]) {
      run.add("stderr", text);
      await run.saved();
      isFull = false;
    }
    expect(await textsIn(logs)).toEqual([["kept", "kept, too"]]);
  });

  test("in an unreadable file does not hide the other files", async () => {
    const disk = new Map<string, string>();
    const files = createMemoryFiles(disk);
    let broken = "";
    const read: typeof files.read = (path) =>
      path === broken ? Promise.reject(new Error("EIO")) : files.read(path);
    const logs = createServerLogs(createFakePorts({ ...files, read }), PLACES);
    for (const text of ["one", "two"]) {
      const run = logs.start(SUBJECT, new Redactor());
      run.add("stderr", text);
      await run.saved();
    }
    [broken = ""] = disk.keys();
    expect(await textsIn(logs)).toEqual([[], ["two"]]);
  });

  test("is separate from the output of a server with the same name in another file", async () => {
    const logs = createLogs();
    const run = logs.start({ ...SUBJECT, file: "/repo/mcp.json" }, new Redactor());
    run.add("stderr", "x");
    await run.saved();
    expect(await logs.read(SUBJECT)).toEqual([]);
  });

  test("is stored without known secrets", async () => {
    const logs = createLogs();
    const redactor = new Redactor();
    redactor.add("hunter2-hunter2");
    redactor.add("-----BEGIN KEY-----\nMIIEvQIBADANBg\n-----END KEY-----");
    const run = logs.start(SUBJECT, redactor);
    run.add("stderr", "my key is hunter2-hunter2");
    run.add("stderr", "MIIEvQIBADANBg");
    run.add("stderr", `${"x".repeat(3_995)}hunter2-hunter2`);
    await run.saved();
    const kept = [...logs.disk.values()].join("");
    expect(kept).toContain("my key is [secret]");
    for (const part of ["hunter2", "MIIE", "hunt"]) expect(kept).not.toContain(part);
  });

  test("that is empty leaves no file, unless the server ended by itself", async () => {
    const logs = createLogs();
    const quiet = logs.start(SUBJECT, new Redactor());
    quiet.end(ENDED, false);
    await quiet.saved();
    expect(logs.disk.size).toBe(0);
    const crashed = logs.start(SUBJECT, new Redactor());
    crashed.end({ ...ENDED, code: undefined, signal: "SIGSEGV" }, true);
    await crashed.saved();
    expect(await logs.read(SUBJECT)).toMatchObject([{ lines: [], end: { signal: "SIGSEGV" } }]);
  });
});

describe("a log is limited", () => {
  test("in the number of runs", async () => {
    const logs = createLogs();
    for (let count = 1; count <= 8; count += 1) {
      const run = logs.start(SUBJECT, new Redactor());
      run.add("stderr", `run ${count}`);
      await run.saved();
    }
    expect(await textsIn(logs)).toEqual([["run 4"], ["run 5"], ["run 6"], ["run 7"], ["run 8"]]);
    expect(logs.disk.size).toBe(5);
  });

  test("in the size of a run, and the end is kept", async () => {
    const logs = createLogs();
    const run = logs.start(SUBJECT, new Redactor());
    for (let count = 1; count <= 2_000; count += 1) {
      run.add("stderr", `${count} ${"x".repeat(1_000)}`);
      await run.saved();
    }
    const size = [...logs.disk.values()].join("").length;
    expect(size).toBeLessThan(260 * 1024);
    const [texts = []] = await textsIn(logs);
    expect(texts.at(-1)).toMatch(/^2000 x/);
    expect(texts.length).toBeGreaterThan(100);
  });

  test("in the length of a line and in the amount of output, with a gap in the line numbers", async () => {
    const logs = createLogs();
    const run = logs.start(SUBJECT, new Redactor());
    for (let count = 1; count <= 1_000; count += 1) run.add("stderr", "y".repeat(100_000));
    await run.saved();
    run.add("stderr", "after the flood");
    await run.saved();
    const [{ lines } = { lines: [] }] = await logs.read(SUBJECT);
    expect(lines.length).toBeLessThan(30);
    expect(lines.at(-1)).toMatchObject({ number: 1_001, text: "after the flood" });
    for (const { text } of lines) expect(text.length).toBeLessThanOrEqual(4_000);
  });
});

test("an invalid log is read as far as possible", async () => {
  const logs = createLogs();
  const run = logs.start(SUBJECT, new Redactor());
  run.add("stderr", "good");
  await run.saved();
  const [file = ""] = logs.disk.keys();
  logs.disk.set(file, `[]\nnull\n{"number":"x"}\n${logs.disk.get(file)}{"number":2,"at":1,"te`);
  logs.disk.set(file.replace(/[^/]+$/, "notes.txt"), "mine");
  expect(await textsIn(logs)).toEqual([["good"]]);
});
