/** Who takes part in the in-process measurements, and how one of them is measured in a process of its own. */
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { runNode } from "./child-programs.mjs";
import { describePeer, libraryPeers } from "./peers.mjs";
import { emptyHome } from "./scratch.mjs";

const program = fileURLToPath(new URL("client-process.mjs", import.meta.url));

/** The yardstick first, then Plugboard, then the peers. `unavailable` holds the reason for each peer not installed. */
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

/** Does one task with one contestant in a fresh process with an empty home; gives the numbers it printed. */
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
 * What to put in front of a program to keep it and its servers on one core. A call is a ping-pong between two processes:
 * whether the scheduler happens to wake them on one core or two changes its latency more than any client does.
 */
export async function pinToOneCore() {
  for (const core of [availableParallelism() - 1, 0]) {
    const prefix = ["taskset", "-c", `${core}`];
    try {
      await runNode(["-e", "0"], { prefix, env: process.env });
      return prefix;
    } catch {
      continue; // no taskset here, or that core is not ours
    }
  }
  return [];
}
