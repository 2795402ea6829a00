import { isRelativePath, programName } from "../../model/index.ts";

/** Variables that keep a program from reading settings of the working folder, for programs that know such a variable. */
export function settingsVariables(
  line: readonly string[],
  {
    platform,
    home,
    tsconfig,
    given,
    join,
  }: {
    readonly platform: string;
    readonly home: string | undefined;
    /** An empty tsconfig.json. */
    readonly tsconfig: string;
    /** What the program gets already. */
    readonly given: Readonly<Record<string, string>>;
    readonly join: (...parts: string[]) => string;
  },
): Record<string, string> {
  const names = line.map((word) => programName(word));
  const isR = names.some((name) => name === "R" || name === "Rscript");
  const added = {
    // tsx takes packages from where the `paths` of the folder's tsconfig.json lead.
    ...(startsTsx(line) && { TSX_TSCONFIG_PATH: tsconfig }),
    // R runs the folder's .Rprofile instead of the user's own.
    ...(isR &&
      home !== undefined && {
        R_PROFILE_USER: join(home, ".Rprofile"),
        R_ENVIRON_USER: join(home, ".Renviron"),
      }),
    // cmd.exe and others look for a bare name in the folder they are in before they look on PATH.
    ...(platform === "win32" && { NoDefaultCurrentDirectoryInExePath: "1" }),
  };
  return Object.fromEntries(Object.entries(added).filter(([name]) => !Object.hasOwn(given, name)));
}

/** A script of the working folder's own is meant to use that folder's settings. */
function startsTsx(line: readonly string[]): boolean {
  return (
    line.some((word) => /(?:^|[\\/])tsx(?:@[\w.^~-]+)?(?:\.(?:cmd|exe))?(?:$|[\\/])/.test(word)) &&
    !line.some((word) => word.startsWith("--tsconfig")) &&
    !line.some((word) => /\.[cm]?[jt]sx?$/.test(word) && isRelativePath(word))
  );
}
