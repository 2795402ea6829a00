/**
 * `npm run bench`: how fast Plugboard is, as ratios to yardsticks measured in the same run. A slow number never fails it;
 * it exits with 1 only when Plugboard or a yardstick does not run.
 */
import { existsSync, writeFileSync } from "node:fs";
import { measureCalls } from "./calls.mjs";
import { measureCatalog } from "./catalog.mjs";
import { endRunningProgram } from "./child-programs.mjs";
import { measureColdStart } from "./cold-start.mjs";
import { commandPeers } from "./command-programs.mjs";
import { measureCommands } from "./commands.mjs";
import { measureConnecting } from "./connect.mjs";
import { measureDiscovery } from "./discovery.mjs";
import { writeIntoDocument } from "./document.mjs";
import { measureInteractive } from "./interactive.mjs";
import { describeMachine } from "./machine.mjs";
import { describeUsage, readOptions, UsageError } from "./options.mjs";
import { installPeers, libraryPeers } from "./peers.mjs";
import { renderMachine, renderPart } from "./print.mjs";
import { removeScratch } from "./scratch.mjs";
import { measureSearch } from "./search.mjs";

const parts = {
  "cold-start": { measure: measureColdStart, rounds: 25 },
  commands: { measure: measureCommands, rounds: 7, peers: commandPeers },
  discovery: { measure: measureDiscovery, rounds: 15 },
  calls: { measure: measureCalls, rounds: 3, peers: libraryPeers },
  connect: { measure: measureConnecting, rounds: 7, peers: libraryPeers },
  catalog: { measure: measureCatalog, rounds: 7 },
  search: { measure: measureSearch, rounds: 7 },
  interactive: { measure: measureInteractive, rounds: 7 },
};

process.once("SIGINT", () => stop(130));
process.once("SIGTERM", () => stop(143));
try {
  process.exitCode = await run(readOptions(process.argv.slice(2), Object.keys(parts)));
} catch (error) {
  announce(error.message);
  process.exitCode = error instanceof UsageError ? 2 : 1;
} finally {
  removeScratch();
}

async function run(options) {
  if (options.help) return print(describeUsage(Object.keys(parts)));
  if (!existsSync(new URL("../dist/index.js", import.meta.url))) {
    throw new Error("Plugboard is not built: npm run build");
  }
  const machine = describeMachine();
  const peers = new Set(options.only.flatMap((name) => parts[name].peers ?? []));
  const unavailable = await installPeers(peers, announce);

  print(`${renderMachine(machine)}\n`);
  const measured = [];
  for (const name of options.only) {
    const { measure, rounds } = parts[name];
    const part = await measure({
      rounds: options.samples ?? (options.quick ? 3 : rounds),
      isQuick: options.quick,
      unavailable,
      announce: (text) => announce(`${name}: ${text}`),
    });
    measured.push(part);
    print(`${renderPart(part)}\n`);
  }

  if (options.json !== undefined) {
    writeFileSync(options.json, JSON.stringify({ machine, parts: measured }, undefined, 2));
  }
  if (options.write) writeIntoDocument([renderMachine(machine), ...measured.map(renderPart)].join("\n"));
  return measured.every(({ failures }) => failures.every(({ isPeer }) => isPeer)) ? 0 : 1;
}

function print(text) {
  process.stdout.write(text);
  return 0;
}

/** Progress goes to stderr, so that stdout holds the tables and nothing else. */
function announce(text) {
  process.stderr.write(`${text}\n`);
}

function stop(exitCode) {
  endRunningProgram();
  removeScratch();
  process.exit(exitCode);
}
