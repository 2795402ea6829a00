/** Runs the measured programs as children, one at a time, and stops processes that they leave behind. */
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("..", import.meta.url));
const timeoutMs = 120_000;
const ownGroup = process.platform !== "win32"; // a separate process group, to find and stop leftover processes
let running;

/** Runs Node with these arguments, after the command in `prefix`. */
export function runNode(args, { prefix = [], ...options }) {
  return runProgram([...prefix, process.execPath, ...args], options);
}

/** Runs a program. Returns the time to its exit and its output. Throws if it fails or hangs. */
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
    if (signal !== null) throw new Error(`killed by ${signal} after ${Math.round(ms)} ms`);
    if (code !== 0) throw new Error(`exit ${code}: ${complaintIn(output.stderr)}`);
    return { ms, stdout: output.stdout };
  } finally {
    clearTimeout(alarm);
    await endLeftovers(child);
    running = undefined;
  }
}

/** Stops the program that is being measured, if the benchmark is interrupted. */
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

/** Servers exit a moment after their client. Only those that take longer are killed. */
async function endLeftovers(child) {
  for (let waitedMs = 0; waitedMs < 1000 && isGroupAlive(child); waitedMs += 5) await delay(5);
  if (isGroupAlive(child)) endGroup(child);
}

function isGroupAlive(child) {
  if (!ownGroup || child.pid === undefined) return false;
  try {
    return process.kill(-child.pid, 0);
  } catch {
    return false; // the group no longer exists
  }
}

function endGroup(child) {
  try {
    if (ownGroup) process.kill(-child.pid, "SIGKILL");
    else child.kill();
  } catch {
    return; // it has exited
  }
}

/** Returns the line with the error, without local paths, because it may be written to a document. */
function complaintIn(stderr) {
  const lines = stderr.trim().split("\n");
  const line = lines.find((text) => /^\w*Error\b/.test(text)) ?? lines[0] ?? "";
  return line.replaceAll(repository, "").replaceAll(tmpdir(), "");
}
