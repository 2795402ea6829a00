import { type ServerEntry, shownVariableName } from "../../model/index.ts";
import type { Environment, Ports } from "../../platform/index.ts";
import { approvalStatus, type EnvFileNames, type GivenApproval, withEnvFile } from "../../policy/index.ts";
import { type EnvFile, readEnvFile } from "../../values/index.ts";

interface Reader {
  readonly environment: Environment;
  readonly ports: Ports;
}

/** The `envFile` of an entry as it is now; `undefined` if it names none. */
export async function readEntryEnvFile(
  { environment, ports: { files } }: Reader,
  entry: ServerEntry,
): Promise<EnvFile | undefined> {
  const { launch } = entry;
  return launch?.transport === "stdio" ? readEnvFile(entry, launch, { environment, files }) : undefined;
}

export function namesIn({ variables, failure }: EnvFile): EnvFileNames {
  return { found: failure === undefined, names: [...variables.keys()].map(shownVariableName).sort() };
}

/** The approvals with what the `envFile`s of approved servers set now. The file of a server that is not approved is not read. */
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
