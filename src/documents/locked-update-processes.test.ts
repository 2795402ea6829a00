import { spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { bundleProgram } from "../../test/support/bundle-program.ts";
import { createSandbox } from "../../test/support/sandbox.ts";
import { nodePorts } from "../platform/node/index.ts";
import { updateFile } from "./locked-update.ts";

let program: string;

/** Appends lines to a file, or kills itself at a given step of the first update. */
const WRITER = `
import { updateFile } from "./locked-update.ts";
import { nodeFiles as files } from "../platform/node/files.ts";
import { createNodeProcesses } from "../platform/node/processes.ts";
const [file, name, count, moment] = process.argv.slice(2);
const processes = createNodeProcesses();
const die = () => { process.kill(process.pid, "SIGKILL"); return new Promise(() => {}); };
const clock = { now: Date.now, after: (ms, callback) => { const timer = setTimeout(callback, ms); return () => clearTimeout(timer); } };
const dangerous = {
  ...files,
  create: (path, text, mode) => {
    if (moment === "naming the lock" && path.endsWith(".lock")) return files.create(path, "", mode).then(die);
    if (moment === "writing" && path.endsWith(".tmp")) return files.create(path, text.slice(0, 3), mode).then(die);
    return files.create(path, text, mode);
  },
  rename: (from, to) => (moment === "replacing" ? die() : files.rename(from, to)),
  remove: (path) => (moment === "giving back" && path.endsWith(".lock") ? die() : files.remove(path)),
};
for (let index = 0; index < Number(count); index += 1) {
  await updateFile({ files: dangerous, processes, clock }, file, (text = "") => text + name + " " + index + "\\n");
}
`;

beforeAll(async () => {
  program = await bundleProgram(WRITER, import.meta.url);
});

/** Returns how it ended: an exit code or a signal. */
function write(file: string, name: string, count: number, moment = ""): Promise<string> {
  const child = spawn(process.execPath, [program, file, name, String(count), moment], { stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(signal ?? String(code)));
  });
}

function linesOf(names: readonly string[], count: number): string[] {
  return names.flatMap((name) => Array.from({ length: count }, (_, index) => `${name} ${index}`)).sort();
}

test("processes that write concurrently lose nothing, even after a dead process's lock", async () => {
  await using sandbox = await createSandbox();
  const file = join(sandbox.home, "file");
  const names = ["a", "b", "c", "d", "e", "f"];
  expect(await write(file, "dead", 1, "replacing")).toBe("SIGKILL");

  const ends = await Promise.all(names.map((name) => write(file, name, 10)));

  const lines = (await readFile(file, "utf8")).trimEnd().split("\n").sort();
  expect({ ends, lines, left: await readdir(sandbox.home) }).toEqual({
    ends: names.map(() => "0"),
    lines: linesOf(names, 10),
    left: ["file"],
  });
});

test.each([
  ["naming the lock", ["old", "new"]],
  ["writing", ["old", "new"]],
  ["replacing", ["old", "new"]],
  ["giving back", ["old", "dead 0", "new"]],
])("a writer killed while %s blocks no other process and leaves nothing behind", async (moment, lines) => {
  await using sandbox = await createSandbox();
  const file = join(sandbox.home, "file");
  await writeFile(file, "old\n");
  expect(await write(file, "dead", 1, moment)).toBe("SIGKILL");

  await updateFile(nodePorts(), file, (text = "") => `${text}new\n`);

  expect({ text: await readFile(file, "utf8"), left: await readdir(sandbox.home) }).toEqual({
    text: lines.map((line) => `${line}\n`).join(""),
    left: ["file"],
  });
});
