import type { Files } from "../platform/index.ts";

/** Creates an in-memory file system. `contents` maps the path of each file to its text. */
export function createMemoryFiles(contents: Map<string, string> = new Map()): Files {
  const failure = (code: string, path: string): Error =>
    Object.assign(new Error(`${code}: ${path}`), { code });
  const isFolder = (path: string): boolean =>
    [...contents.keys()].some((file) => file.startsWith(`${path}/`));
  return {
    async read(path, limit = Number.POSITIVE_INFINITY) {
      const text = contents.get(path);
      if (text === undefined && isFolder(path)) throw failure("EISDIR", path);
      const bytes = text === undefined ? undefined : new TextEncoder().encode(text);
      if (bytes !== undefined && bytes.length > limit) throw failure("EFBIG", path);
      return bytes;
    },
    present: async (paths) => new Set(paths.filter((path) => contents.has(path) || isFolder(path))),
    async kind(path) {
      if (contents.has(path)) return "file";
      return isFolder(path) ? "folder" : undefined;
    },
    realPath: async (path) => path,
    async list(folder) {
      const inside = [...contents.keys()].filter((file) => file.startsWith(`${folder}/`));
      return [...new Set(inside.map((file) => file.slice(folder.length + 1).split("/")[0] ?? ""))];
    },
    makeFolder: async () => {},
    async create(path, content) {
      if (contents.has(path)) throw failure("EEXIST", path);
      contents.set(path, typeof content === "string" ? content : new TextDecoder().decode(content));
    },
    async replace(path, content) {
      contents.set(path, typeof content === "string" ? content : new TextDecoder().decode(content));
    },
    async append(path, text) {
      contents.set(path, (contents.get(path) ?? "") + text);
    },
    async rename(from, to) {
      const text = contents.get(from);
      if (text === undefined) throw failure("ENOENT", from);
      contents.delete(from);
      contents.set(to, text);
    },
    async remove(path) {
      contents.delete(path);
    },
    stamp: async (path) => contents.get(path),
    writtenAt: async (path) => (contents.has(path) ? 0 : undefined),
    mode: async (path) => (contents.has(path) ? 0o600 : undefined),
  };
}
