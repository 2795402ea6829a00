import type { Files } from "../../src/platform/index.ts";
import { type Fate, failure } from "./fate.ts";

type Method = keyof Files;
type Failing = Exclude<Method, "list" | "stamp" | "present" | "owner" | "folders">;

/**
 * How each method can fail. `list`, `stamp` and `present` never fail: a path that cannot be read counts as missing, or
 * as unknown.
 */
const CODES: Readonly<Record<Failing, readonly [string, ...string[]]>> = {
  read: ["EIO", "EACCES", "EMFILE"],
  kind: ["EACCES", "EIO"],
  realPath: ["ELOOP", "EACCES"],
  makeFolder: ["ENOSPC", "EACCES", "EROFS"],
  create: ["ENOSPC", "EACCES", "EIO"],
  replace: ["ENOSPC", "EACCES", "EIO"],
  append: ["ENOSPC", "EIO"],
  rename: ["EIO", "EACCES", "ENOSPC"],
  remove: ["EBUSY", "EIO", "EACCES"],
  removeFolder: ["EBUSY", "EIO", "EACCES"],
  writtenAt: ["EACCES", "EIO"],
  mode: ["EACCES", "EIO"],
};
const CHANGES: ReadonlySet<Method> = new Set([
  "makeFolder",
  "create",
  "replace",
  "append",
  "rename",
  "remove",
  "removeFolder",
]);

/** The disk. If a write fails, about half of the time a part is written. */
export function failingFiles(real: Files, fate: Fate): Files {
  const isDue = (method: Method, path: string): boolean =>
    fate.isDue(`files.${method} ${path}`, CHANGES.has(method) ? "files" : undefined);
  const refusal = (method: Failing, path: string): Error =>
    failure(fate.pick(CODES[method]), `files.${method} ${path}`);
  const orRefused = <T>(method: Failing, path: string, action: () => Promise<T>): Promise<T> =>
    isDue(method, path) ? Promise.reject(refusal(method, path)) : action();
  const half = (content: string | Uint8Array): string | Uint8Array =>
    content.slice(0, Math.floor(content.length / 2));

  return {
    read: (path) => orRefused("read", path, () => real.read(path)),
    kind: (path) => orRefused("kind", path, () => real.kind(path)),
    realPath: (path) => orRefused("realPath", path, () => real.realPath(path)),
    makeFolder: (path, mode) => orRefused("makeFolder", path, () => real.makeFolder(path, mode)),
    replace: (path, content, mode) => orRefused("replace", path, () => real.replace(path, content, mode)),
    rename: (from, to) => orRefused("rename", to, () => real.rename(from, to)),
    remove: (path) => orRefused("remove", path, () => real.remove(path)),
    removeFolder: (path) => orRefused("removeFolder", path, async () => real.removeFolder?.(path)),
    ...(real.owner && { owner: real.owner }),
    mode: (path) => orRefused("mode", path, () => real.mode(path)),
    writtenAt: (path) => orRefused("writtenAt", path, () => real.writtenAt(path)),
    list: async (folder) => (isDue("list", folder) ? [] : real.list(folder)),
    present: async (paths) => (isDue("present", paths.join(" ")) ? new Set(paths) : real.present(paths)),
    stamp: async (path) => (isDue("stamp", path) ? undefined : real.stamp(path)),
    async create(path, content, mode) {
      if (!isDue("create", path)) return real.create(path, content, mode);
      // A partial file is left if its removal also fails, or after a power failure.
      if (fate.pick([false, true])) await real.create(path, half(content), mode);
      throw refusal("create", path);
    },
    async append(path, text, mode) {
      if (!isDue("append", path)) return real.append(path, text, mode);
      if (fate.pick([true, false])) await real.append(path, String(half(text)), mode);
      throw refusal("append", path);
    },
  };
}
