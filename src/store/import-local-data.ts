import type { Environment, Ports } from "../platform/index.ts";
import { createFileApprovals, createFileCredentials, createFilePins, type OwnPaths } from "../state/index.ts";
import type { Store } from "./store.ts";

/** The data in files of a user without a team. */
export interface LocalData {
  readonly ports: Ports;
  readonly environment: Environment;
  readonly places: OwnPaths;
}

/** How many entries were copied, and how many the team already had. */
export interface ImportedData {
  readonly signIns: number;
  readonly secrets: number;
  readonly approvals: number;
  readonly pins: number;
  readonly kept: number;
}

const SECRETS = "secret";
/** Registered OAuth clients belong to the gateway, not to a person. */
const CLIENTS = "oauth.clients";
const HOST_USER = "";

/**
 * Copies the sign-ins, secrets, approvals and reviewed tools of a user without a team to a person of the team. Entries that the team
 * already has stay as they are, so it can be repeated. The files are not changed.
 */
export async function importLocalData(
  { stores }: Pick<Store, "stores">,
  { ports, environment, places }: LocalData,
  person: string,
): Promise<ImportedData> {
  const local = createFileCredentials(ports, places, environment);
  const counts = { signIns: 0, secrets: 0, approvals: 0, pins: 0, kept: 0 };
  for (const { namespace, key, value } of await local.entries(HOST_USER)) {
    const principal = namespace === CLIENTS ? HOST_USER : person;
    if (!(await stores.credentials.set({ principal, namespace, key }, value, undefined))) counts.kept += 1;
    else if (namespace === SECRETS) counts.secrets += 1;
    else counts.signIns += 1;
  }
  const known = new Set(
    (await stores.approvals.list(person)).map(({ file, server }) => `${file}\0${server}`),
  );
  const approvals = await createFileApprovals(ports, places).list(HOST_USER);
  const added = approvals.filter(({ file, server }) => !known.has(`${file}\0${server}`));
  await stores.approvals.add(person, added);
  counts.approvals = added.length;
  counts.kept += approvals.length - added.length;
  const pins = createFilePins(ports, places);
  for (const fingerprint of await pins.fingerprints(HOST_USER)) {
    const text = await pins.get({ principal: HOST_USER, fingerprint });
    if (text === undefined) continue;
    const launch = { principal: person, fingerprint };
    if ((await stores.pins.get(launch)) !== undefined) counts.kept += 1;
    else {
      await stores.pins.set(
        launch,
        typeof text === "string" ? text : new TextDecoder().decode(text),
        "first",
      );
      counts.pins += 1;
    }
  }
  return counts;
}
