import { join } from "node:path";
import { updateFile } from "../documents/index.ts";
import type { Ports } from "../platform/index.ts";
import type { OwnPaths } from "./own-paths.ts";

/** The file that counts which tools were called. */
export interface UsageFile {
  /** Returns `undefined` if there is no file. */
  read(): Promise<string | undefined>;
  /** Replaces the text with what `change` returns. */
  update(change: (text: string | undefined) => string): Promise<void>;
  /** Returns whether there was a file. */
  remove(): Promise<boolean>;
}

/** `places`: the folders of one principal, so that the counts of two people never mix. */
export function createUsageFile(ports: Ports, places: OwnPaths): UsageFile {
  const file = join(places.state, "usage.json");
  const read = async (): Promise<string | undefined> => {
    const bytes = await ports.files.read(file);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  };
  return {
    read,
    update: (change) => updateFile(ports, file, change),
    async remove() {
      const existed = (await read()) !== undefined;
      if (existed) await ports.files.remove(file);
      return existed;
    },
  };
}
