import { join } from "node:path";
import type { Files } from "../../platform/index.ts";

/** The page and the files that it loads. */
export interface PageFile {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** Files of other types are not served. */
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  ico: "image/x-icon",
  json: "application/json",
  txt: "text/plain; charset=utf-8",
};
/** A file with a hash in its name never changes, so browsers need not ask again. */
const HASHED = /-[\w-]{8,}\.\w+$/;
const FOREVER = "public, max-age=31536000, immutable";
const MOST_FILES = 200;
const LARGEST_FILE = 4 * 1024 * 1024;

/** Returns the file with a name; `undefined` if there is none. The page itself is `index.html`. */
export type FindPageFile = (name: string) => Promise<PageFile | undefined>;

/** Serves the files of one folder. A request can only name a file that the folder lists, so no path leaves it. */
export function createPageFiles(files: Files, folder: string): FindPageFile {
  const read = async (): Promise<ReadonlyMap<string, PageFile>> => {
    const names = await files.list(folder, MOST_FILES);
    const found = await Promise.all(
      names.map(async (name) => {
        const type = TYPES[/\.(\w+)$/.exec(name)?.[1] ?? ""];
        const body = type && (await files.read(join(folder, name), LARGEST_FILE).catch(() => undefined));
        if (type === undefined || body === undefined || body === "") return [];
        const headers = {
          "content-type": type,
          ...(HASHED.test(name) && { "cache-control": FOREVER }),
        };
        return [[name, { body, headers }] as const];
      }),
    );
    return new Map(found.flat());
  };
  let reading: Promise<ReadonlyMap<string, PageFile>> | undefined;
  return async (name) => {
    reading ??= read();
    const known = await reading;
    if (known.size === 0) reading = undefined; // an installation of the program may be in progress
    return known.get(name);
  };
}
