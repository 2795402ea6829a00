/** Starts a gateway and its servers, and ends them with everything that they started. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { endProcessesOf } from "../left-running.mjs";
import { manyTools } from "../many-tools.mjs";
import { emptyHome } from "../scratch.mjs";
import { connectClient } from "./clients.mjs";
import { freePort } from "./contestants.mjs";

const READY_MS = 30_000;
const POLL_MS = 5;
const fileAt = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Starts the echo server. Returns the servers by name. */
export async function startTiny(home, node) {
  const [line] = await startUntilLine([node, fileAt("servers/tiny-http.mjs")], home);
  return { tiny: line };
}

/** Starts ten servers with twenty tools each. Returns the servers by name. */
export async function startTen(home, node) {
  const files = Array.from({ length: 10 }, (_, index) => {
    const file = join(home.folder, `tools-${index}.json`);
    writeFileSync(file, JSON.stringify(manyTools(20, index * 20)));
    return file;
  });
  const [line] = await startUntilLine([node, fileAt("servers/listing-http.mjs"), ...files], home);
  return Object.fromEntries(JSON.parse(line).map((url, index) => [`s${index}`, url]));
}

/** Runs `use` with a gateway in front of servers. Its processes end afterwards, whatever happens. */
export async function withGateway(gateway, { node, start }, use) {
  const home = emptyHome();
  try {
    const servers = await start(home, node);
    const port = await freePort();
    const { words, url } = gateway.commandOf({ servers, home, port, node });
    const began = performance.now();
    const [line, child] = await startUntilLine([node, ...words], home, gateway.readLine !== undefined);
    const place = gateway.readLine === undefined ? { url, headers: {} } : gateway.readLine(line, home);
    const client = await connectWhenReady({ ...place, era: gateway.era }, child);
    const readyMs = performance.now() - began;
    try {
      return await use({ client, readyMs, pid: child.pid, memoryMb: () => memoryOf(child.pid) });
    } finally {
      client.close();
    }
  } finally {
    endProcessesOf(home.folder);
    home.remove();
  }
}

async function connectWhenReady(place, child) {
  const until = performance.now() + READY_MS;
  for (;;) {
    try {
      return await connectClient(place);
    } catch (error) {
      if (performance.now() > until || child.exitCode !== null) throw error;
      await delay(POLL_MS);
    }
  }
}

/** Starts a program in a home. Resolves with its first line, unless it prints none. */
async function startUntilLine([command, ...words], home, hasLine = true) {
  const project = join(home.folder, "project");
  mkdirSync(join(project, ".git"), { recursive: true }); // it stops the search for a project in parent folders
  const child = spawn(command, words, {
    env: home.env,
    cwd: project,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    complaint = (complaint + text).slice(-2_000);
  });
  if (!hasLine) {
    child.stdout.resume();
    return [undefined, child];
  }
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, "exit").then(() => {
    throw new Error(complaint.trim().split("\n", 1)[0] || "it ended");
  });
  const [line] = await Promise.race([once(lines, "line"), ended]);
  ended.catch(() => {}); // it ends when the sample is taken
  return [line, child];
}

/** Returns the resident memory of a process, in megabytes. */
function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1_024;
}
