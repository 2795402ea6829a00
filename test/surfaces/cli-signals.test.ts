import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { startCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { startHttpServer, stdioServer } from "../support/test-servers.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

async function reads(file: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const text = await readFile(file, "utf8");
      expect(text).not.toBe("");
      return text;
    },
    { timeout: 15_000, interval: 20 },
  );
}

/** A server whose tool `slow` writes one file when it starts and another when it is cancelled. */
async function writeSlowServer(sandbox: Sandbox): Promise<{ started: string; cancelled: string }> {
  const [started, cancelled] = [join(sandbox.home, "started"), join(sandbox.home, "cancelled")];
  const tools = stdioServer("tools-server.mjs", [], { START_FILE: started, CANCEL_FILE: cancelled });
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { tools } });
  return { started, cancelled };
}

describe("a call that is interrupted", () => {
  test.each(SIGNALS)(
    "by %s is cancelled at the server, exits 130 and leaves nothing running",
    async (signal) => {
      await using sandbox = await createSandbox();
      const { started, cancelled } = await writeSlowServer(sandbox);
      await using cli = startCli(["call", "tools", "slow", "ms=60000"], { sandbox });
      await reads(started);
      cli.child.kill(signal);
      expect(await cli.ended).toMatchObject({ code: 130, stdout: "", stderr: "" });
      expect(await reads(cancelled)).toBe("cancelled");
    },
  );

  test("by Ctrl-C, which reaches the whole group, ends the same way", async () => {
    await using sandbox = await createSandbox();
    const { started, cancelled } = await writeSlowServer(sandbox);
    await using cli = startCli(["call", "tools", "slow", "ms=60000"], { sandbox });
    await reads(started);
    cli.signalGroup("SIGINT");
    expect(await cli.ended).toMatchObject({ code: 130, stdout: "", stderr: "" });
    expect(await reads(cancelled)).toBe("cancelled");
  });

  test.each([
    ["2026-07-28", []],
    ["legacy", ["--legacy-only"]],
  ])("is cancelled over HTTP at a %s server", async (_, flags) => {
    await using sandbox = await createSandbox();
    const [started, cancelled] = [join(sandbox.home, "started"), join(sandbox.home, "cancelled")];
    await using server = await startHttpServer(flags, { START_FILE: started, CANCEL_FILE: cancelled });
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { tools: { type: "http", url: server.url } },
    });
    await using cli = startCli(["call", "tools", "slow", "ms=60000"], { sandbox });
    await reads(started);
    cli.child.kill("SIGINT");
    expect(await cli.ended).toMatchObject({ code: 130, stdout: "" });
    expect(await reads(cancelled)).toBe("cancelled");
  });

  test("prints the cancellation as JSON with --json", async () => {
    await using sandbox = await createSandbox();
    const { started } = await writeSlowServer(sandbox);
    await using cli = startCli(["call", "tools", "slow", "ms=60000", "--json"], { sandbox });
    await reads(started);
    cli.child.kill("SIGINT");
    const { code, json, stderr } = await cli.ended;
    expect({ code, stderr, document: json() }).toEqual({
      code: 130,
      stderr: "",
      document: { error: { code: "CANCELLED", message: expect.any(String) } },
    });
  });
});

test.each([
  ["call", "hanging", "echo"],
  ["tools", "hanging"],
  ["test", "hanging"],
  ["status"],
  ["list", "--connect"],
])("%s is interrupted immediately while a server is starting", async (...args) => {
  await using sandbox = await createSandbox();
  const file = join(sandbox.home, "pids.json");
  const hanging = stdioServer("raw-server.mjs", ["--behave", "hang,grandchild"], { PID_FILE: file });
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { hanging } });
  await using cli = startCli(args, { sandbox });
  await reads(file);
  cli.child.kill("SIGINT");
  expect(await cli.ended).toMatchObject({ code: 130, stdout: "", stderr: "" });
});

test("a server that ignores all signals is killed after an interrupted call, with its children", async () => {
  await using sandbox = await createSandbox();
  const file = join(sandbox.home, "pids.json");
  const stubborn = stdioServer("raw-server.mjs", ["--behave", "hang,ignore-sigterm,grandchild"], {
    PID_FILE: file,
  });
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { stubborn } });
  await using cli = startCli(["call", "stubborn", "echo", "text=hi"], { sandbox });
  const pids: { pid: number; grandchild: number } = JSON.parse(await reads(file));
  cli.child.kill("SIGTERM");
  expect(await cli.ended).toMatchObject({ code: 130 });
  for (const pid of [pids.pid, pids.grandchild]) {
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), { timeout: 15_000 });
  }
});

test.skipIf(!existsSync("/proc/self/status"))("waiting for standard input can be interrupted", async () => {
  await using sandbox = await createSandbox();
  await using cli = startCli(["call", "demo", "uuid", "--input", "-"], { sandbox });
  await vi.waitFor(async () => expect(await catchesInterrupts(cli.child.pid)).toBe(true), {
    timeout: 15_000,
  });
  cli.child.kill("SIGINT");
  expect(await cli.ended).toMatchObject({ code: 130, stdout: "", stderr: "" });
});

/** Waits until the program handles signals. It registers SIGHUP last. */
async function catchesInterrupts(pid: number | undefined): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const caught = BigInt(`0x${/^SigCgt:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? "0"}`);
  return (caught & 1n) !== 0n;
}
