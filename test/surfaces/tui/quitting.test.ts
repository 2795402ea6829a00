import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { findStragglers } from "../../support/find-stragglers.ts";
import { hasPty, KEYS, type PtyProgram, startOnPty } from "../../support/pty.ts";
import { createSandbox, type Sandbox } from "../../support/sandbox.ts";
import { stdioServer } from "../../support/test-servers.ts";

const program = fileURLToPath(new URL("../../../dist/surfaces/cli/main.cjs", import.meta.url));
const READY = "Type a message, or /help for help";
/** A server that ignores signals and never responds. */
const HANGING = { command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] };
/** Prints the exit code and the terminal settings after the program. */
const AFTERWARDS = `"$@"; code=$?; printf '\\nleft with %s: ' $code; stty -a | tr ' ;' '\\n\\n' | grep -x -- '-\\?\\(icanon\\|echo\\|isig\\)' | sort | tr '\\n' ' '; echo done; read answer`;
const AS_BEFORE = "echo icanon isig done";

async function busySandbox(): Promise<Sandbox> {
  const sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { tools: stdioServer("tools-server.mjs"), hanging: HANGING },
  });
  await sandbox.writeHome(
    "crash.cjs",
    'process.on("SIGUSR2", () => { throw new Error("out of the blue"); });',
  );
  return sandbox;
}

/** Starts the program in a shell that reports the terminal settings afterwards. */
function startInShell(sandbox: Sandbox, columns = 80): PtyProgram {
  return startOnPty([], {
    sandbox,
    columns,
    env: { NODE_OPTIONS: `--require=${sandbox.home}/crash.cjs` },
    command: ["/bin/sh", "-c", AFTERWARDS, "sh", process.execPath, program],
  });
}

/** Returns the process of the program, not of its shell. */
function pidOf(shell: PtyProgram): number {
  const [child] = readFileSync(`/proc/${shell.pid}/task/${shell.pid}/children`, "utf8").split(" ");
  return Number(child);
}

async function isBusy(shell: PtyProgram): Promise<void> {
  await shell.waitFor(READY);
  await shell.waitFor("● 1 connected · ◌ 1 connecting");
}

async function leftNothing(shell: PtyProgram, sandbox: Sandbox, code: number): Promise<void> {
  await shell.waitForText(`left with ${code}: ${AS_BEFORE}`);
  shell.type(KEYS.enter);
  await shell.ended;
  expect(shell.model.modes.has(25), "the cursor is shown").toBe(true);
  expect(shell.model.modes.has(2004), "pastes are not marked").toBe(false);
  expect(shell.everything()).not.toContain(READY);
  expect(shell.model.unknown).toEqual([]);
  await vi.waitFor(() => expect(findStragglers(sandbox.home)).toEqual([]), { timeout: 10_000 });
}

describe.skipIf(!hasPty || process.platform !== "linux")("leaving interactive mode", () => {
  test.each([
    ["Ctrl-D", 0, [KEYS.ctrl("d")]],
    ["/quit", 0, ["/quit\r"]],
    ["Ctrl-C twice", 130, [KEYS.ctrl("c"), KEYS.ctrl("c")]],
  ])("%s exits with %i, restores the terminal, and leaves no process", async (_, code, keys) => {
    await using sandbox = await busySandbox();
    await using shell = startInShell(sandbox);
    await isBusy(shell);
    shell.type(...keys);
    await leftNothing(shell, sandbox, code);
  });

  test.each([
    ["Ctrl-C twice", (shell: PtyProgram) => shell.type(KEYS.ctrl("c"), KEYS.ctrl("c"))],
    ["SIGTERM", (shell: PtyProgram) => shell.kill("SIGTERM")],
    ["closing the terminal", (shell: PtyProgram) => shell.hangUp()],
  ])("%s ends a shell command that ignores signals", async (_, leave) => {
    await using sandbox = await createSandbox();
    await using shell = startOnPty([], { sandbox });
    await shell.waitFor(READY);
    shell.enter("!trap '' TERM HUP INT; touch started; while :; do sleep 0.1; done");
    await vi.waitFor(() => expect(existsSync(join(sandbox.project, "started"))).toBe(true), 10_000);
    leave(shell);
    await shell.ended;
    await vi.waitFor(() => expect(findStragglers(sandbox.home)).toEqual([]), { timeout: 10_000 });
  });

  test.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)(
    "%s also restores the terminal and leaves no process",
    async (signal) => {
      await using sandbox = await busySandbox();
      await using shell = startInShell(sandbox);
      await isBusy(shell);
      process.kill(pidOf(shell), signal);
      await leftNothing(shell, sandbox, 130);
    },
  );

  test("a crash prints the error below the finished text", async () => {
    await using sandbox = await busySandbox();
    await using shell = startInShell(sandbox, 200);
    await isBusy(shell);
    shell.type("half a line");
    await shell.waitFor("half a line");
    process.kill(pidOf(shell), "SIGUSR2");
    await shell.waitForText("Error: out of the blue");
    await leftNothing(shell, sandbox, 1);
    expect(shell.everything()).not.toContain("half a line");
  });

  test("closing the terminal ends the program", async () => {
    await using sandbox = await busySandbox();
    await using shell = startOnPty([], { sandbox });
    await isBusy(shell);
    shell.hangUp();
    await vi.waitFor(() => expect(findStragglers(sandbox.home)).toEqual([]), { timeout: 15_000 });
  });

  test("Ctrl-C clears the line and shows a hint to quit; any other key cancels it", async () => {
    await using sandbox = await busySandbox();
    await using shell = startInShell(sandbox);
    await isBusy(shell);
    shell.type("half a line");
    await shell.waitFor("half a line");
    shell.type(KEYS.ctrl("c"));
    await shell.waitFor(
      (screen) => screen.join().includes("Press Ctrl-C again to quit") && screen.join().includes(READY),
    );
    shell.type("x");
    await shell.waitFor((screen) => !screen.join().includes("Press Ctrl-C again to quit"));
    shell.type(KEYS.ctrl("c"));
    await shell.waitFor("Press Ctrl-C again to quit");
    shell.type(KEYS.ctrl("c"));
    await leftNothing(shell, sandbox, 130);
  });

  test("Ctrl-Z suspends the program, and fg resumes it", async () => {
    await using sandbox = await busySandbox();
    const inputrc = await sandbox.writeHome(".inputrc", "set enable-bracketed-paste off\n");
    await using shell = startOnPty([], {
      sandbox,
      env: { PS1: "shell> ", INPUTRC: inputrc },
      command: ["bash", "--norc", "--noprofile", "-i"],
    });
    await shell.waitFor("shell>");
    shell.enter(`'${process.execPath}' '${program}'`);
    await isBusy(shell);
    shell.type("kept", KEYS.ctrl("z"));
    await shell.waitFor("Stopped");
    shell.enter("stty -a | grep -o -- '-\\?icanon'");
    await shell.waitFor((screen) => screen.includes("icanon"));
    expect(shell.model.modes.has(2004)).toBe(false);
    shell.enter("fg");
    await shell.waitFor("› kept");
    expect(shell.model.modes.has(2004)).toBe(true);
    shell.type(" on");
    await shell.waitFor("› kept on");
    shell.type(KEYS.ctrl("u"), KEYS.ctrl("d"));
    await shell.waitFor((screen) => screen.at(-1) === "shell>");
    shell.enter("exit");
    await shell.ended;
    await vi.waitFor(() => expect(findStragglers(sandbox.home)).toEqual([]), { timeout: 10_000 });
  });
});
