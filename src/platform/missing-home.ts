import type { Files } from "./ports.ts";

/** Returns a placeholder for the home folder of a process that has none. Nothing can exist below a device. */
export function missingHomePath(platform: string): string {
  return platform === "win32" ? "\\\\.\\NUL" : "/dev/null";
}

/** Wraps files so that nothing exists below `nowhere`, and writing there fails with an explanation. */
export function withoutHome(files: Files, platform: string): Files {
  const isInMissingHome = (path: string): boolean => path.startsWith(missingHomePath(platform));
  const guard =
    <Rest extends readonly unknown[], T>(
      action: (path: string, ...rest: Rest) => Promise<T>,
      instead: (path: string) => T,
    ): ((path: string, ...rest: Rest) => Promise<T>) =>
    async (path, ...rest) =>
      isInMissingHome(path) ? instead(path) : action.call(files, path, ...rest);
  const refuse = (): never => {
    const message = "there is no home folder; set HOME or PLUGBOARD_HOME to an absolute path";
    throw Object.assign(new Error(message), { code: "ENOENT" });
  };
  const nothing = (): undefined => undefined;
  return {
    read: guard(files.read, nothing),
    present: (paths) => files.present(paths.filter((path) => !isInMissingHome(path))),
    kind: guard(files.kind, nothing),
    realPath: guard(files.realPath, (path) => path),
    list: guard(files.list, () => []),
    makeFolder: guard(files.makeFolder, refuse),
    create: guard(files.create, refuse),
    replace: guard(files.replace, refuse),
    append: guard(files.append, refuse),
    rename: guard(files.rename, refuse),
    remove: guard(files.remove, nothing),
    ...(files.removeFolder && { removeFolder: guard(files.removeFolder, nothing) }),
    stamp: guard(files.stamp, nothing),
    writtenAt: guard(files.writtenAt, nothing),
    mode: guard(files.mode, nothing),
    ...(files.owner && { owner: guard(files.owner, nothing) }),
    ...(files.folders && { folders: files.folders }),
  };
}
