/**
 * Finds the user's home folder: `HOME` (`USERPROFILE` on Windows) if it is absolute, else the folder in the account
 * database. Returns `undefined` if neither is absolute. A relative path would make the working folder the home folder.
 * The build copies this file into the launcher, so it imports nothing.
 */
export function findHome(
  platform: string,
  variables: Readonly<Record<string, string | undefined>>,
  accountHome: () => string | undefined,
): string | undefined {
  const given = variables[platform === "win32" ? "USERPROFILE" : "HOME"];
  if (isAbsolutePath(platform, given)) return given;
  const account = accountHome();
  return isAbsolutePath(platform, account) ? account : undefined;
}

/** Returns whether a path is absolute. On Windows, it must also include the drive. */
export function isAbsolutePath(platform: string, path: string | undefined): path is string {
  const start = platform === "win32" ? /^(?:[A-Za-z]:[\\/]|[\\/]{2}[^\\/])/ : /^\//;
  return path !== undefined && start.test(path);
}
