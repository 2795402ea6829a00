import type { SourceFile, Where } from "./provider.ts";

/**
 * Decides which files count as the user's or an administrator's. On Windows, any user can create folders in
 * ProgramData, and file owners cannot be checked, so files there require approval.
 */
export function assignTiers(files: readonly SourceFile[], where: Where): readonly SourceFile[] {
  if (where.platform !== "win32") return settleUserFiles(files, where);
  const { ProgramData: named = "" } = where.variables;
  const isShared = (path: string): boolean =>
    /^[a-z]:[\\/]+programdata[\\/]/i.test(path) ||
    (named !== "" && within(named.toLowerCase(), where)(path.toLowerCase()));
  const settled = files.map((file) =>
    file.paths.some(isShared) ? { ...file, tier: "project" as const } : file,
  );
  return settleUserFiles(settled, where);
}

/**
 * Decides which of a tool's files count as the user's own. A project file never does just because of the working
 * folder, unless the home folder is the account's own.
 */
function settleUserFiles(files: readonly SourceFile[], where: Where): readonly SourceFile[] {
  const { homeKind, relativePaths, projectFolders } = where;
  const isInProject = within(projectFolders.at(-1) ?? where.cwd, where);
  const isUsual = relativePaths.size === 0 && (homeKind === "apart" || homeKind === "account");
  if (
    isUsual &&
    (homeKind === "account" || !files.some((file) => isUsers(file) && file.paths.some(isInProject)))
  )
    return files;
  const projectPaths = new Set(files.flatMap(({ tier, paths }) => (tier === "project" ? paths : [])));
  return files.flatMap((file) => {
    if (file.tier === "project") return [file];
    const paths = isUsers(file) ? file.paths.filter((path) => isRead(path, projectPaths, where)) : file.paths;
    const tierOf = (path: string): SourceFile["tier"] => {
      const isRelative = [...relativePaths].some((start) => path === start || within(start, where)(path));
      return isRelative || (homeKind === "repository" && isUsers(file) && isInProject(path))
        ? "project"
        : file.tier;
    };
    const [tier, ...others] = new Set(paths.map(tierOf));
    if (tier === undefined) return [];
    if (others.length === 0) return [{ ...file, tier, paths }];
    return paths.map((path) => ({ ...file, tier: tierOf(path), paths: [path] }));
  });
}

function isUsers({ tier }: SourceFile): boolean {
  return tier === "user";
}

/**
 * Without a home folder, only `PLUGBOARD_HOME` provides a user file. A file that is also a project file is read as
 * one.
 */
function isRead(path: string, projectPaths: ReadonlySet<string>, where: Where): boolean {
  const { homeKind, home, userConfig } = where;
  if (homeKind === "none") return path === userConfig && !within(home, where)(path);
  return homeKind === "account" || !projectPaths.has(path);
}

function within(folder: string, { join }: Where): (path: string) => boolean {
  const start = join(folder, "x").slice(0, -1);
  return (path) => path.startsWith(start);
}
