import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createHost } from "../../src/index.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";

test("call --record writes a recording that a program can replay", async () => {
  await using sandbox = await createSandbox();
  const args = ["call", "demo", "text_stats", "text=hello there", "--record", "calls.jsonl"];
  const { stdout, stderr, code } = await runCli(args, { sandbox });
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  await using host = await createHost({
    discover: false,
    cwd: sandbox.project,
    env: sandbox.env(),
    servers: { demo: { command: "no-such-program" } },
    replay: "calls.jsonl",
  });
  const { text } = await host.call("demo", "text_stats", { text: "hello there" });
  expect(`${text}\n`).toBe(stdout);
});

test("call --record does not overwrite another file", async () => {
  await using sandbox = await createSandbox();
  const file = join(sandbox.project, "package.json");
  await writeFile(file, "{}");
  const { stderr, code } = await runCli(["call", "demo", "uuid", "--record", "package.json"], { sandbox });
  expect(code).toBe(2);
  expect(stderr).toContain("package.json exists and is not a recording");
  expect(await readFile(file, "utf8")).toBe("{}");
});
