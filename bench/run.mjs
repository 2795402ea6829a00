/**
 * `npm run bench`: measures Plugboard's performance as ratios to baselines in the same run. A slow result does not make it fail;
 * it exits with 1 only if Plugboard or a baseline does not run.
 */
import { existsSync, writeFileSync } from "node:fs";
import { measureCalls } from "./calls.mjs";
import { measureCatalog } from "./catalog.mjs";
import { endRunningProgram } from "./child-programs.mjs";
import { checkCluster, measureClusterCosts } from "./cluster.mjs";
import { measureColdStart } from "./cold-start.mjs";
import { commandPeers } from "./command-programs.mjs";
import { measureCommands } from "./commands.mjs";
import { measureConnecting } from "./connect.mjs";
import { measureDiscovery } from "./discovery.mjs";
import { writeIntoDocument, writePicture } from "./document.mjs";
import { gatewayPeers, measureGateways } from "./gateway.mjs";
import { measureInteractive } from "./interactive.mjs";
import { describeMachine } from "./machine.mjs";
import { describeUsage, readOptions, UsageError } from "./options.mjs";
import { installPeers, libraryPeers } from "./peers.mjs";
import { renderMachine, renderPart } from "./print.mjs";
import { measureScale } from "./scale.mjs";
import { removeScratch } from "./scratch.mjs";
import { measureSearch } from "./search.mjs";
import { measureTeam } from "./team.mjs";
import { measureWarmCalls, warmCallPeers } from "./warm-call.mjs";

const parts = {
  "cold-start": { measure: measureColdStart, rounds: 25 },
  commands: { measure: measureCommands, rounds: 7, peers: commandPeers },
  discovery: { measure: measureDiscovery, rounds: 15 },
  calls: { measure: measureCalls, rounds: 3, peers: libraryPeers },
  connect: { measure: measureConnecting, rounds: 7, peers: libraryPeers },
  catalog: { measure: measureCatalog, rounds: 7 },
  search: { measure: measureSearch, rounds: 7 },
  interactive: { measure: measureInteractive, rounds: 7 },
  gateway: { measure: measureGateways, rounds: 5, peers: gatewayPeers, page: "gateway-speed" }, // runs only with `--only gateway`
  "warm-call": { measure: measureWarmCalls, rounds: 11, peers: warmCallPeers, page: "gateway-speed" },
  team: { measure: measureTeam, rounds: 9, page: "gateway-speed", section: "team" },
  "cluster-costs": { measure: measureClusterCosts, rounds: 2, page: "cluster-scale" }, // predicts what `cluster-check` measures
  "cluster-check": { measure: checkCluster, rounds: 2, page: "cluster-scale", section: "cluster-check" },
  scale: { measure: measureScale, rounds: 5, page: "scale" }, // has its own page, and runs only with `--only scale`
};
const onRequest = Object.keys(parts).filter((name) => parts[name].page !== undefined);

process.once("SIGINT", () => stop(130));
process.once("SIGTERM", () => stop(143));
try {
  process.exitCode = await run(readOptions(process.argv.slice(2), Object.keys(parts), onRequest));
} catch (error) {
  announce(error.message);
  process.exitCode = error instanceof UsageError ? 2 : 1;
} finally {
  removeScratch();
}

async function run(options) {
  if (options.help) return print(describeUsage(Object.keys(parts), onRequest));
  if (!existsSync(new URL("../dist/index.js", import.meta.url))) {
    throw new Error("Plugboard is not built. Run: npm run build");
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
  if (options.write) write(machine, measured);
  return measured.every(({ failures }) => failures.every(({ isPeer }) => isPeer)) ? 0 : 1;
}

/** Writes each section of each page, with its parts. */
function write(machine, measured) {
  const placeOf = ({ name }) => `${parts[name].page ?? "performance"} ${parts[name].section ?? "bench"}`;
  for (const place of new Set(measured.map(placeOf))) {
    const mine = measured.filter((part) => placeOf(part) === place);
    const [page, section] = place.split(" ");
    writeIntoDocument(page, [renderMachine(machine), ...mine.map(renderPart)].join("\n"), section);
    for (const { picture, save } of mine) {
      if (picture !== undefined) writePicture(picture);
      save?.();
    }
  }
}

function print(text) {
  process.stdout.write(text);
  return 0;
}

/** Progress goes to stderr, so that stdout contains only the tables. */
function announce(text) {
  process.stderr.write(`${text}\n`);
}

function stop(exitCode) {
  endRunningProgram();
  removeScratch();
  process.exit(exitCode);
}
