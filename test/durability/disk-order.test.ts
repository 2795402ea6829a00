import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createSandbox } from "../support/sandbox.ts";

const program = fileURLToPath(new URL("writer.mjs", import.meta.url));
const hasStrace = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;
if (!hasStrace) console.log("strace is not here, so what reaches the disk when is not looked at.");

/** The relevant calls, in order, each with a name. */
function stepsIn(trace: string, folder: string): string[] {
  const known: readonly (readonly [RegExp, string])[] = [
    [/\bfsync\(\d+<[^>]*\.tmp>\)/, "the text is on the disk"],
    [/\brename\w*\(.*\.tmp".*mcp\.json"/, "it has its name"],
    [new RegExp(`\\bfsync\\(\\d+<${folder}>\\)`), "the name is on the disk"],
    [/\bwrite\(1.*"first-0\\n"/, "it is said"],
  ];
  return trace
    .split("\n")
    .flatMap((line) => known.flatMap(([call, step]) => (call.test(line) ? [step] : [])));
}

test.skipIf(!hasStrace)(
  "adding a server is reported only after its file and folder are on disk",
  async () => {
    await using sandbox = await createSandbox();
    const trace = join(sandbox.home, "trace");
    const calls = "trace=fsync,rename,renameat,renameat2,write";
    const options = ["-f", "-y", "-o", trace, "-e", calls, process.execPath, program, "first", "1"];
    const { status, stderr } = spawnSync("strace", options, {
      cwd: sandbox.project,
      env: sandbox.env(),
      input: "go\n",
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stepsIn(await readFile(trace, "utf8"), join(sandbox.home, ".plugboard"))).toEqual([
      "the text is on the disk",
      "it has its name",
      "the name is on the disk",
      "it is said",
    ]);
  },
);
