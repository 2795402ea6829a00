import { execFileSync, spawn } from "node:child_process";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

/** Argument forms that read a file. */
const FORMS = [
  ["key=@file", (file: string) => ["call", "demo", "text_stats", `text=@${file}`]],
  ["--input @file", (file: string) => ["call", "demo", "text_stats", "--input", `@${file}`]],
] as const;

test.each(FORMS)("%s reads a file", async (form, words) => {
  await using sandbox = await createSandbox();
  const text = form === "key=@file" ? "two words" : JSON.stringify({ text: "two words" });
  const { code, stdout } = await runCli(words(await sandbox.writeHome("input", text)), { sandbox });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("2") });
});

test.each(FORMS)(
  "%s refuses a huge file, a device, and a pipe that nothing is written to",
  async (_, words) => {
    await using sandbox = await createSandbox();
    const huge = join(sandbox.home, "huge");
    await writeFile(huge, "");
    await truncate(huge, 400 * 1024 * 1024);
    const { code, stderr } = await runCli(words(huge), { sandbox });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("it is larger than 64 MB") });
    const device = await runCli(words("/dev/zero"), { sandbox });
    expect(device).toMatchObject({ code: 2, stderr: expect.stringContaining("it is not a file") });
    const pipe = join(sandbox.home, "pipe");
    execFileSync("mkfifo", [pipe]);
    expect((await runCli(words(pipe), { sandbox })).signal).toBeUndefined(); // it ends
  },
);

/** Runs a line of bash in which `"$0" "$1"` is the program. */
async function runShell(script: string, sandbox: Sandbox): Promise<{ stdout: string; stderr: string }> {
  const program = fileURLToPath(new URL("../../dist/surfaces/cli/main.cjs", import.meta.url));
  const child = spawn("bash", ["-c", script, process.execPath, program], {
    cwd: sandbox.project,
    env: sandbox.env(),
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  await new Promise((resolve) => child.once("close", resolve));
  return { stdout, stderr };
}

test("a pipe is read to its end, even if its writer is slow", async () => {
  await using sandbox = await createSandbox();
  const writer = `"$0" -e 0; printf 'one '; for i in 1 2 3 4 5; do "$0" -e 0; done; printf two`;
  const script = `"$0" "$1" call demo text_stats text=@<(${writer})`;
  expect(await runShell(script, sandbox)).toEqual({ stdout: expect.stringContaining("2"), stderr: "" });
});

test("input beyond the limit is refused", async () => {
  await using sandbox = await createSandbox();
  const script = `head -c 70000000 /dev/zero | "$0" "$1" call demo text_stats --input -`;
  const { stderr } = await runShell(script, sandbox);
  expect(stderr).toContain("Cannot read standard input: it is larger than 64 MB");
});
