/** The clients of the in-process measurements, each measured in its own process. */
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { runNode } from "./child-programs.mjs";
import { describePeer, libraryPeers } from "./peers.mjs";
import { emptyHome } from "./scratch.mjs";

const program = fileURLToPath(new URL("client-process.mjs", import.meta.url));

/** Returns the hand-written client, Plugboard, then the peers. `unavailable` has the reason for each peer that is not installed. */
export function inProcessContestants(unavailable) {
  return [
    { id: "hand-written", label: "hand-written" },
    { id: "plugboard", label: "**Plugboard**" },
    ...libraryPeers.map((id) => ({
      id,
      label: describePeer(id),
      isPeer: true,
      unavailable: unavailable.get(id),
    })),
  ];
}

/** Performs one task with one client in a new process with an empty home. Returns the numbers it printed. */
export async function measureInOwnProcess(contestant, task, options, prefix = []) {
  if (contestant.unavailable !== undefined) throw new Error(contestant.unavailable);
  const home = emptyHome();
  try {
    const args = [program, contestant.id, task, JSON.stringify(options)];
    const { stdout } = await runNode(args, { cwd: home.folder, env: home.env, prefix });
    return JSON.parse(stdout);
  } finally {
    home.remove();
  }
}

/**
 * Returns a command prefix that keeps a program and its servers on one core. A call alternates between two processes:
 * whether the scheduler wakes them on one core or two affects the latency more than the client does.
 */
export async function pinToOneCore() {
  for (const core of [availableParallelism() - 1, 0]) {
    const prefix = ["taskset", "-c", `${core}`];
    try {
      await runNode(["-e", "0"], { prefix, env: process.env });
      return prefix;
    } catch {
      continue; // taskset does not exist, or this core is not available
    }
  }
  return [];
}
