import type { LoggedRun } from "../../state/index.ts";
import { findServer } from "../lifecycle/find-server.ts";
import type { Workspace } from "../workspace.ts";

/** Returns the output of a server's recent runs, oldest run first, limited to the last `lines` lines. */
export async function readServerLogs(
  workspace: Workspace,
  name: string,
  lines: number = Number.POSITIVE_INFINITY,
): Promise<readonly LoggedRun[]> {
  const { provenance } = findServer(workspace, name);
  const runs = await workspace.stores.serverLogs.read({ server: name, file: provenance.file });
  let left = lines;
  const kept: LoggedRun[] = [];
  for (const run of runs.toReversed()) {
    if (left <= 0) break;
    const last = run.lines.slice(-left);
    left -= last.length;
    kept.unshift({ ...run, lines: last });
  }
  return kept;
}
