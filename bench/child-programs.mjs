/** Runs the measured programs as children, one at a time, and sees to it that none of them leaves a process behind. */
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("..", import.meta.url));
const timeoutMs = 120_000;
const ownGroup = process.platform !== "win32"; // a group of its own lets us find and end what a program left behind
let running;

/** Runs Node with these arguments, after the words of `prefix`. */
export function runNode(args, { prefix = [], ...options }) {
  return runProgram([...prefix, process.execPath, ...args], options);
}

/** Runs a program. Gives the time to its exit and its output; throws when it fails or hangs. */
export async function runProgram([command, ...rest], { cwd, env }) {
  const start = performance.now();
  const child = spawn(command, rest, { cwd, env, detached: ownGroup, stdio: ["ignore", "pipe", "pipe"] });
  running = child;
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"]) {
    child[stream].setEncoding("utf8").on("data", (chunk) => {
      output[stream] += chunk;
    });
  }
  const alarm = setTimeout(() => endGroup(child), timeoutMs);
  try {
    const { code, signal, ms } = await untilClosed(child, start);
    if (signal !== null) throw new Error(`ended by ${signal} after ${Math.round(ms)} ms`);
    if (code !== 0) throw new Error(`exit ${code}: ${complaintIn(output.stderr)}`);
    return { ms, stdout: output.stdout };
  } finally {
    clearTimeout(alarm);
    await endLeftovers(child);
    running = undefined;
  }
}

/** Ends the program that is being measured, for a benchmark that is interrupted. */
export function endRunningProgram() {
  if (running !== undefined) endGroup(running);
}

function untilClosed(child, start) {
  return new Promise((resolve, reject) => {
    let ms;
    child.once("error", reject);
    child.once("exit", () => {
      ms = performance.now() - start;
    });
    child.once("close", (code, signal) => resolve({ code, signal, ms }));
  });
}

/** Servers end a moment after the client that held their input; only one that stays longer is ended by force. */
async function endLeftovers(child) {
  for (let waitedMs = 0; waitedMs < 1000 && isGroupAlive(child); waitedMs += 5) await delay(5);
  if (isGroupAlive(child)) endGroup(child);
}

function isGroupAlive(child) {
  if (!ownGroup || child.pid === undefined) return false;
  try {
    return process.kill(-child.pid, 0);
  } catch {
    return false; // no such group any more
  }
}

function endGroup(child) {
  try {
    if (ownGroup) process.kill(-child.pid, "SIGKILL");
    else child.kill();
  } catch {
    return; // it ended in the meantime
  }
}

/** The line that says what is wrong, without the folders of this machine: it may end up in a document. */
function complaintIn(stderr) {
  const lines = stderr.trim().split("\n");
  const line = lines.find((text) => /^\w*Error\b/.test(text)) ?? lines[0] ?? "";
  return line.replaceAll(repository, "").replaceAll(tmpdir(), "");
}
