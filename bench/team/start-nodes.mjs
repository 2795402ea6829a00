/** Starts gateways of a team, and reads how much of the machine they use. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { freePort } from "../gateway/contestants.mjs";
import { emptyHome } from "../scratch.mjs";

const PROGRAM = fileURLToPath(new URL("../../dist/surfaces/cli/main.cjs", import.meta.url));
const SERVER = fileURLToPath(new URL("../servers/tiny-http.mjs", import.meta.url));
/** Linux counts time in these units. */
const TICKS_PER_SECOND = 100;
const KEY = Buffer.alloc(32, 7).toString("base64");

/** Starts the tiny server. Returns its URL. */
export async function startTinyServer() {
  const child = spawn(process.execPath, [SERVER], { stdio: ["pipe", "pipe", "inherit"] });
  const [url] = await once(createInterface({ input: child.stdout }), "line");
  return { url, stop: () => void child.kill("SIGKILL") };
}

/** Starts a gateway. `config` gets its port. Returns its process and address, when it accepts clients. */
export async function startNode(config) {
  const home = emptyHome();
  const port = await freePort();
  const project = join(home.folder, "project");
  mkdirSync(project);
  const file = join(project, "gateway.jsonc");
  const origin = `http://127.0.0.1:${port}`;
  writeFileSync(
    file,
    JSON.stringify({ publicUrl: origin, listen: `127.0.0.1:${port}`, access: {}, ...config(origin) }),
  );
  const child = spawn(process.execPath, [PROGRAM, "serve", "--config", file], {
    env: { ...home.env, TEAM_KEY: KEY },
    cwd: project,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let output = "";
  const isReady = new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
        if (output.includes("Listening on")) resolve();
      });
    child.once("exit", () => reject(new Error(output.trim() || "it ended")));
  });
  await isReady;
  return {
    pid: child.pid,
    file,
    env: { ...home.env, TEAM_KEY: KEY },
    url: `${origin}/mcp`,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      home.remove();
    },
  };
}

/** Runs a command with the config of a node. Returns what it prints. */
export async function runOnNode({ file, env }, words) {
  const child = spawn(process.execPath, [PROGRAM, ...words, "--config", file], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  await once(child, "close");
  return output.trim();
}

/** Returns the CPU time of a process so far, in microseconds. */
export function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1e6;
}

/** Returns the resident memory of a process, in bytes. */
export function memoryOf(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1_024;
}
