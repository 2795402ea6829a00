import { createHash } from "node:crypto";
import { join } from "node:path";
import { codeOf, HostError, type JsonValue, messageOf } from "../../model/index.ts";
import type { Cancellation } from "../../platform/index.ts";
import type { Workspace } from "../workspace.ts";
import { requestJson } from "./request-json.ts";

/** The registry's pages are smaller than this. */
const MOST_BYTES = 4 * 1024 * 1024;
/** The maximum number of stored responses. If there are more, all are removed. */
const MOST_STORED = 500;

/** A JSON response from the registry. */
export interface RegistryAnswer {
  readonly value: JsonValue;
  /** When it was stored, if it comes from the cache because the registry cannot be reached. */
  readonly storedAt?: string;
}

/** Requests a path of the registry. Stores the response, and uses the stored one if the registry cannot be reached. */
export async function getFromRegistry(
  workspace: Workspace,
  path: string,
  signal: Cancellation | undefined,
): Promise<RegistryAnswer> {
  const url = registryUrl(workspace, path);
  const file = join(
    workspace.places.cache,
    "registry",
    `${createHash("sha256").update(url.href).digest("hex")}.json`,
  );
  try {
    const missing = "The registry does not have this server.";
    const value = await requestJson(workspace.ports, url, { mostBytes: MOST_BYTES, missing, signal });
    await store(workspace, file, value);
    return { value };
  } catch (error) {
    if (error instanceof HostError || signal?.aborted === true) throw error;
    const stored = await readStored(workspace, file);
    if (stored !== undefined) return stored;
    throw new HostError(
      "CONNECT_FAILED",
      `The registry at ${url.origin} cannot be reached: ${messageOf(error)}`,
      {
        hint: 'Check the network and the proxy. To use another registry, set "registry" in ~/.plugboard/settings.json.',
        cause: error,
      },
    );
  }
}

/** Only https, and http on this machine, because the response determines what the user is offered to run. */
function registryUrl({ inventory }: Workspace, path: string): URL {
  const base = inventory().settings.registry;
  return new URL(`${base.replace(/\/+$/, "")}${path}`);
}

/** Errors are ignored, because a cache that cannot be written only costs time. */
async function store({ ports, places }: Workspace, file: string, value: JsonValue): Promise<void> {
  const { files, clock } = ports;
  const folder = join(places.cache, "registry");
  try {
    const names = await files.list(folder).catch(() => []);
    if (names.length >= MOST_STORED)
      await Promise.all(names.map((name) => files.remove(join(folder, name)).catch(() => {})));
    await files.makeFolder(folder, 0o700);
    await files.replace(file, JSON.stringify({ at: clock.now(), value }), 0o600);
  } catch (error) {
    ports.log.log("debug", "registry.cache", { error: codeOf(error) ?? messageOf(error) });
  }
}

async function readStored({ ports }: Workspace, file: string): Promise<RegistryAnswer | undefined> {
  try {
    const bytes = await ports.files.read(file, 2 * MOST_BYTES);
    if (bytes === undefined) return undefined;
    const stored = JSON.parse(new TextDecoder().decode(bytes)) as { at: number; value: JsonValue };
    return { value: stored.value, storedAt: new Date(stored.at).toISOString() };
  } catch {
    return undefined;
  }
}
