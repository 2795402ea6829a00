import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { codeOf, isJsonObject, type JsonObject } from "../model/index.ts";
import type { Ports } from "../platform/index.ts";
import type { OwnPaths } from "./own-paths.ts";

const LONGEST = 256 * 1024;
/** How many files are looked at when old ones are removed. */
const MOST_LISTED = 10_000;
const KEY_BYTES = 32;

/** A session of a gateway's HTTP client, so that another process can continue it. */
export interface SavedSession {
  /** The address that the session belongs to. */
  readonly place: string;
  readonly state: JsonObject;
}

/** The HTTP sessions of a gateway's clients. A file's name is a hash of the id, because an id is as good as a password. */
export interface SessionFiles {
  /** Returns the key of session ids, which all gateways of the user share. */
  key(): Promise<Uint8Array>;
  save(id: string, session: SavedSession): Promise<void>;
  find(id: string): Promise<SavedSession | undefined>;
  remove(id: string): Promise<void>;
  /** Removes sessions that were not saved since `before`, and the oldest of more than `most`. */
  removeOld(before: number, most: number): Promise<void>;
}

export function createSessionFiles(
  { files }: Pick<Ports, "files">,
  { state }: Pick<OwnPaths, "state">,
): SessionFiles {
  const run = join(state, "run");
  const folder = join(run, "sessions");
  const keyFile = join(run, "session.key");
  const fileOf = (id: string): string =>
    join(folder, `${createHash("sha256").update(id).digest("hex")}.json`);
  const readKey = async (): Promise<Uint8Array | undefined> => {
    const bytes = await files.read(keyFile, 1_024);
    return bytes?.length === KEY_BYTES ? bytes : undefined;
  };
  return {
    async key() {
      const known = await readKey();
      if (known !== undefined) return known;
      await files.makeFolder(run, 0o700);
      const fresh = randomBytes(KEY_BYTES);
      try {
        await files.create(keyFile, fresh, 0o600);
      } catch (error) {
        if (codeOf(error) !== "EEXIST") throw error;
      }
      return (await readKey()) ?? fresh; // another process may have created it
    },
    async save(id, session) {
      await files.makeFolder(folder, 0o700);
      await files.replace(fileOf(id), JSON.stringify(session), 0o600);
    },
    async find(id) {
      try {
        const bytes = await files.read(fileOf(id), LONGEST);
        const value: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes));
        if (!isJsonObject(value)) return undefined;
        const { place, state: saved } = value;
        return typeof place === "string" && isJsonObject(saved) ? { place, state: saved } : undefined;
      } catch {
        return undefined; // another program wrote it
      }
    },
    remove: (id) => files.remove(fileOf(id)),
    async removeOld(before, most) {
      const names = (await files.list(folder, MOST_LISTED)).filter((name) =>
        /^[0-9a-f]{64}\.json$/.test(name),
      );
      const aged = await Promise.all(
        names.map(async (name) => ({ name, at: (await files.writtenAt(join(folder, name))) ?? 0 })),
      );
      const newestFirst = aged.toSorted((one, other) => other.at - one.at);
      const old = newestFirst.filter(({ at }, index) => at < before || index >= most);
      await Promise.all(old.map(({ name }) => files.remove(join(folder, name))));
    },
  };
}
