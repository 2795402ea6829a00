import { isRelativePath, programName } from "../../model/index.ts";

/** Returns variables that prevent programs from reading settings in the working folder. */
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
    /** The variables that the program already has. */
    readonly given: Readonly<Record<string, string>>;
    readonly join: (...parts: string[]) => string;
  },
): Record<string, string> {
  const names = line.map((word) => programName(word));
  const isR = names.some((name) => name === "R" || name === "Rscript");
  const added = {
    // tsx resolves packages with the `paths` of the folder's tsconfig.json.
    ...(startsTsx(line) && { TSX_TSCONFIG_PATH: tsconfig }),
    // R runs the folder's .Rprofile instead of the user's own.
    ...(isR &&
      home !== undefined && {
        R_PROFILE_USER: join(home, ".Rprofile"),
        R_ENVIRON_USER: join(home, ".Renviron"),
      }),
    // cmd.exe and other programs search the working folder before PATH.
    ...(platform === "win32" && { NoDefaultCurrentDirectoryInExePath: "1" }),
  };
  return Object.fromEntries(Object.entries(added).filter(([name]) => !Object.hasOwn(given, name)));
}

/** Returns whether tsx runs a script outside of the working folder. A script inside is meant to use the folder's settings. */
function startsTsx(line: readonly string[]): boolean {
  return (
    line.some((word) => /(?:^|[\\/])tsx(?:@[\w.^~-]+)?(?:\.(?:cmd|exe))?(?:$|[\\/])/.test(word)) &&
    !line.some((word) => word.startsWith("--tsconfig")) &&
    !line.some((word) => /\.[cm]?[jt]sx?$/.test(word) && isRelativePath(word))
  );
}
