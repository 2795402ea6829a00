import { updateFile } from "../../documents/index.ts";
import { codeOf, HostError, messageOf } from "../../model/index.ts";
import { delay, type Ports } from "../../platform/index.ts";
import type { Workspace } from "../workspace.ts";
import type { ExportPlan } from "./export-servers.lazy.ts";

export interface ExportResult {
  readonly tool: string;
  readonly file: string;
  /** `false` when the file says it all already. */
  readonly written: boolean;
  /** The file as it was before; left out when there was none. */
  readonly backup?: string;
}

/** Writes what a plan says, after a backup. A file that is not what the plan saw is left alone. */
export async function applyExport(workspace: Workspace, plan: ExportPlan): Promise<ExportResult> {
  const { tool, file } = plan;
  const before = plan.exact.before?.reveal();
  const after = plan.exact.after.reveal();
  if (plan.changes.every(({ action }) => action === "same")) return { tool, file, written: false };
  const { ports } = workspace;
  let backup: string | undefined;
  try {
    await waitForOwner(ports, file);
    if (before !== undefined) backup = await backUp(ports, file, before);
    await updateFile(ports, file, (current) => {
      if (current !== before) throw changed(file);
      return after;
    });
  } catch (error) {
    // Why it was not written says more than that a copy of it is left.
    if (backup !== undefined) await ports.files.remove(backup).catch(() => {});
    throw error instanceof HostError ? error : unwritable(file, error);
  }
  await workspace.reload();
  return { tool, file, written: true, ...(backup !== undefined && { backup }) };
}

/** A copy beside the file, as readable as the file itself. */
async function backUp({ files, clock }: Ports, file: string, text: string): Promise<string> {
  const mode = (await files.mode(file)) ?? 0o600;
  const date = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, "-");
  for (let count = 1; ; count += 1) {
    const backup = `${file}.plugboard-backup-${date}${count === 1 ? "" : `-${count}`}`;
    try {
      await files.create(backup, text, mode);
      return backup;
    } catch (error) {
      if (codeOf(error) !== "EEXIST" || count === 100) throw unwritable(backup, error);
    }
  }
}

const WAIT_MS = 3_000;
const POLL_MS = 50;

/** Cline takes a folder of that name as its lock while it writes. */
async function waitForOwner({ files, clock }: Ports, file: string): Promise<void> {
  const lock = `${await files.realPath(file)}.lock`;
  for (let waited = 0; (await files.kind(lock)) === "folder"; waited += POLL_MS) {
    if (waited >= WAIT_MS) {
      throw new HostError("STATE_LOCKED", `Another program keeps ${lock} locked.`, {
        hint: "Wait for it to end, or delete that folder if none is writing the file.",
      });
    }
    await delay(clock, POLL_MS);
  }
}

function changed(file: string): HostError {
  return new HostError(
    "CONFIG_UNWRITABLE",
    `${file} changed since the difference was shown, so nothing was written.`,
    { hint: "Look at the difference again." },
  );
}

function unwritable(file: string, cause: unknown): HostError {
  return new HostError("CONFIG_UNWRITABLE", `${file} cannot be written: ${messageOf(cause)}`, {
    hint: "Check the owner and mode of the file and its folder, and the space on the disk.",
    cause,
  });
}
