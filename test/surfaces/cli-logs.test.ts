import { expect, test, vi } from "vitest";
import { runCli, startCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const script = `for n in 1 2 3 4 5; do printf 'line %s\\033[31m\\n' $n >&2; done; exit 3`;

test("logs shows the last lines of a failed server, escaped for a terminal, and starts nothing", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { broken: { command: "sh", args: ["-c", script] }, quiet: stdioServer("raw-server.mjs") },
  });
  expect((await runCli(["logs", "broken"], { sandbox })).stdout).toBe('"broken" has no output yet.\n');
  await runCli(["call", "quiet", "echo", "text=hi"], { sandbox });
  await runCli(["test", "broken"], { sandbox });

  const { code, stdout } = await runCli(["logs", "broken", "--lines", "2"], { sandbox });
  expect(code).toBe(0);
  expect(stdout.split("\n").slice(0, 3)).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d line 4.*\[31m$/),
    expect.stringMatching(/^\d\d:\d\d:\d\d line 5/),
    expect.stringMatching(/^── ended with code 3 \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  ]);
  expect(stdout).not.toContain("\u001b");

  const json = await runCli(["logs", "broken", "--json"], { sandbox });
  expect(json.json()).toMatchObject({
    server: "broken",
    runs: [{ lines: [{ number: 1, stream: "stderr" }, {}, {}, {}, {}], end: { code: 3 } }, {}],
  });
  expect((await runCli(["logs", "quiet"], { sandbox })).stdout).toBe('"quiet" has no output yet.\n');
});

test("logs --follow shows new output of a server in another process", async () => {
  await using sandbox = await createSandbox();
  const noisy = stdioServer("raw-server.mjs", ["--behave", "noise"]);
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { noisy } });
  const call = ["call", "noisy", "echo", "text=hi"];
  await runCli(call, { sandbox });
  await runCli(call, { sandbox });
  await using follower = startCli(["logs", "noisy", "--lines", "1", "--follow"], { sandbox });
  const endings = (): number => follower.output().split("ended with code 0").length - 1;
  await vi.waitFor(() => expect(endings()).toBe(1), { timeout: 15_000 });
  await runCli(call, { sandbox });
  await vi.waitFor(() => expect(endings()).toBe(2), { timeout: 15_000 });
  follower.child.kill("SIGINT");
  const { code, stdout } = await follower.ended;
  expect(code).toBe(130);
  expect(stdout.match(/Server starting up/g)).toHaveLength(1);
});

test.each([["0"], ["-1"], ["many"]])("logs refuses %s lines", async (lines) => {
  await using sandbox = await createSandbox();
  expect(await runCli(["logs", "x", `--lines=${lines}`], { sandbox })).toMatchObject({ code: 2 });
});
