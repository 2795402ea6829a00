import { updateFile } from "../../documents/index.ts";
import { codeOf, HostError, messageOf } from "../../model/index.ts";
import { delay, type Ports } from "../../platform/index.ts";
import type { Workspace } from "../workspace.ts";
import type { ExportPlan } from "./export-servers.lazy.ts";

/** The outcome of an export. */
export interface ExportResult {
  /** The id of the other tool, such as `cursor`. */
  readonly tool: string;
  /** The tool's config file. */
  readonly file: string;
  /** `false` if the file was up to date and nothing was written. */
  readonly written: boolean;
  /** The path of the backup. Absent if the file did not exist or nothing was written. */
  readonly backup?: string;
}

/** Applies an export plan after a backup. Rejects if the file has changed since the plan was made. */
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
    // A failure to remove the backup must not replace the original error.
    if (backup !== undefined) await ports.files.remove(backup).catch(() => {});
    throw error instanceof HostError ? error : unwritable(file, error);
  }
  await workspace.reload();
  return { tool, file, written: true, ...(backup !== undefined && { backup }) };
}

/** Creates a backup next to the file, with the same permissions. */
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

/** Waits while the tool writes. Cline uses a folder with this name as its lock. */
async function waitForOwner({ files, clock }: Ports, file: string): Promise<void> {
  const lock = `${await files.realPath(file)}.lock`;
  for (let waited = 0; (await files.kind(lock)) === "folder"; waited += POLL_MS) {
    if (waited >= WAIT_MS) {
      throw new HostError("STATE_LOCKED", `Another program is holding the lock ${lock}.`, {
        hint: "Wait until it has finished. If no program is writing the file, delete the lock folder.",
      });
    }
    await delay(clock, POLL_MS);
  }
}

function changed(file: string): HostError {
  return new HostError(
    "CONFIG_UNWRITABLE",
    `${file} has changed since the diff was shown, so nothing was written.`,
    { hint: "Review the diff again." },
  );
}

function unwritable(file: string, cause: unknown): HostError {
  return new HostError("CONFIG_UNWRITABLE", `${file} cannot be written: ${messageOf(cause)}`, {
    hint: "Check the owner and mode of the file and its folder, and the free disk space.",
    cause,
  });
}
