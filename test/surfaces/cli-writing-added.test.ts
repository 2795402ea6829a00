import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const CONFIG = ".plugboard/mcp.json";

describe("an added server", () => {
  test("in the project can run immediately, because adding it approves it", async () => {
    await using sandbox = await createSandbox();
    const { command, args } = stdioServer("raw-server.mjs");
    await runCli(["add", "raw", "--", command, ...args], { sandbox });
    const { code, stdout } = await runCli(["call", "raw", "echo", "text=hi"], { sandbox });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "hi\n" });
  });

  test("is tested with --test, and kept if the test fails", async () => {
    await using sandbox = await createSandbox();
    const { command, args } = stdioServer("raw-server.mjs");
    const good = await runCli(["add", "raw", "--test", "--", command, ...args], { sandbox });
    expect([good.code, good.stdout]).toEqual([
      0,
      expect.stringMatching(/^\+ Added server "raw".*\n[\s\S]*raw/),
    ]);
    const bad = await runCli(["add", "bad", "--test", "--", join(sandbox.home, "nothing-here")], { sandbox });
    expect([bad.code, bad.stdout, bad.stderr]).toEqual([
      1,
      '+ Added server "bad" to project config (.plugboard/mcp.json)\n',
      expect.stringContaining('Failed to connect to "bad"'),
    ]);
    const { mcpServers } = JSON.parse(await readFile(join(sandbox.project, CONFIG), "utf8"));
    expect(Object.keys(mcpServers)).toEqual(["raw", "bad"]);
  });

  test("of each of eight parallel processes is written and approved", async () => {
    await using sandbox = await createSandbox();
    const names = Array.from({ length: 8 }, (_, index) => `s${index}`);
    const runs = await Promise.all(names.map((name) => runCli(["add", name, "--", "node"], { sandbox })));
    expect(runs.map(({ code, stderr }) => [code, stderr.includes("✗")])).toEqual(names.map(() => [0, false]));
    const { json } = await runCli(["list", "--json"], { sandbox });
    const { servers } = json() as { servers: { name: string; state: string }[] };
    expect(servers.map(({ name, state }) => [name, state]).sort()).toEqual(
      names.map((name) => [name, "idle"]),
    );
  });
});
