/**
 * A stdio server that follows a script of faults: `{ era?, tools?, start?, on?: { <method>: steps }, end? }` as JSON in the
 * first argument; `fault.ts` defines the steps. Requests that the script does not mention get a correct response. Writes its
 * process IDs (`pids`), its requests (`seen`) and the time of the fault (`at`) to the folder FAULT_FOLDER.
 */
import { spawn } from "node:child_process";
import { appendFileSync, closeSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { fill, pieces, wellBehaved } from "./well-behaved.mjs";

/** No process of this file may outlive a test run. */
const LONGEST_LIFE_MS = 60_000;
const folder = process.env.FAULT_FOLDER;
const script = JSON.parse(process.argv[2] ?? "{}");
setTimeout(() => process.exit(9), LONGEST_LIFE_MS);

async function receive(message) {
  if (message.method !== undefined) note("seen", message.method);
  const steps = script.on?.[message.method];
  if (steps === undefined) answer(message);
  else await perform(steps, message);
}

function answer(message) {
  const proper = wellBehaved(script, message);
  if (proper !== undefined) process.stdout.write(`${JSON.stringify(proper)}\n`);
}

async function perform(steps, message) {
  for (const step of steps) {
    const [[verb, value]] = Object.entries(step);
    mark();
    await STEPS[verb](value, message, step);
  }
  if (steps.length > 0) mark();
}

const STEPS = {
  /** Writes to standard output unchanged. */
  say: (text, message, { times }) => write(process.stdout, fill(text, script, message), times),
  complain: (text, message, { times }) => write(process.stderr, text, times),
  /** Writes one byte at a time. */
  async dribble(text, message) {
    for (const byte of Buffer.from(fill(text, script, message))) {
      process.stdout.write(Buffer.of(byte));
      await nextTurn();
    }
  },
  answer: (_, message) => answer(message),
  exit: (code) => process.exit(code),
  async kill(signal) {
    process.kill(process.pid, signal);
    await delay(LONGEST_LIFE_MS);
  },
  close(stream) {
    if (stream === "stdout") return closeSync(1);
    process.stdin.destroy();
    closeSync(0);
  },
  wait: (ms) => delay(ms),
  ignore: (signal) => void process.on(signal, () => {}),
  /** Starts a child that keeps running: in the same process group or in another session. */
  child(where) {
    const program = `setTimeout(() => {}, ${LONGEST_LIFE_MS})`;
    const stdio = ["ignore", "inherit", "inherit"];
    const child = spawn(process.execPath, ["-e", program], { stdio, detached: where === "session" });
    child.unref();
    note("children", child.pid);
  },
  /** The first request runs the first steps, the second the next ones, also across restarts. After that the server behaves. */
  async turns(all, message) {
    const taken = readdirSync(folder).filter((name) => name.startsWith("turn-")).length;
    const steps = all[taken] ?? [{ answer: true }];
    writeFileSync(join(folder, `turn-${taken}`), "");
    await perform(steps, message);
  },
};

note("pids", process.pid);
process.stdout.on("error", () => {}); // the client may exit first
await perform(script.start ?? [], {});
if (!script.deaf) {
  // One at a time, so that responses are not interleaved.
  let answered = Promise.resolve();
  createInterface({ input: process.stdin }).on("line", (line) => {
    answered = answered.then(() => receive(JSON.parse(line)));
  });
  process.stdin.on("end", () => void (script.end === undefined ? process.exit(0) : perform(script.end, {})));
}

async function write(stream, text, times) {
  for (const piece of pieces(text, times)) {
    mark();
    if (!stream.write(piece)) await new Promise((resolve) => stream.once("drain", resolve));
  }
  await new Promise((resolve) => stream.write("", resolve)); // an exit would lose what is not written yet
}

function note(file, what) {
  if (folder !== undefined) appendFileSync(join(folder, file), `${what}\n`);
}

function mark() {
  if (folder !== undefined) writeFileSync(join(folder, "at"), String(Date.now()));
}
