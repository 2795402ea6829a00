import { type ServerEntry, safeVariableName } from "../../model/index.ts";
import type { Environment, Ports } from "../../platform/index.ts";
import { approvalStatus, type EnvFileNames, type GivenApproval, withEnvFile } from "../../policy/index.ts";
import { type EnvFile, readEnvFile } from "../../values/index.ts";

interface Reader {
  readonly environment: Environment;
  readonly ports: Ports;
}

/** Reads an entry's `envFile`. Returns `undefined` if it has none. */
export async function readEntryEnvFile(
  { environment, ports: { files } }: Reader,
  entry: ServerEntry,
): Promise<EnvFile | undefined> {
  const { launch } = entry;
  return launch?.transport === "stdio" ? readEnvFile(entry, launch, { environment, files }) : undefined;
}

export function namesIn({ variables, failure }: EnvFile): EnvFileNames {
  return { found: failure === undefined, names: [...variables.keys()].map(safeVariableName).sort() };
}

/** Adds the current `envFile` variables to the approvals. Does not read the files of servers that are not approved. */
export async function withEnvFiles(
  reader: Reader,
  entries: readonly ServerEntry[],
  given: readonly GivenApproval[],
): Promise<{ readonly approvals: readonly GivenApproval[]; readonly looked: readonly string[] }> {
  let approvals = given;
  const looked: string[] = [];
  for (const entry of entries) {
    if (approvalStatus(entry, given).kind !== "approved") continue;
    const read = await readEntryEnvFile(reader, entry);
    if (read === undefined) continue;
    approvals = withEnvFile(approvals, entry, namesIn(read));
    looked.push(read.path);
  }
  return { approvals, looked };
}
