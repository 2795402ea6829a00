/** The start or end of an installation, as recognized in a runner's output. */
export interface InstallOutputEvent {
  readonly runner: string;
  readonly isOver: boolean;
  /** The package, if the line names it. */
  readonly package?: string;
}

const BEGIN: readonly (readonly [runner: string, line: RegExp])[] = [
  [
    "docker",
    /^Unable to find image '([^']+)' locally|^\S+: Pulling from (\S+)|^Trying to pull (\S+?)\.\.\.$/,
  ],
  ["npm", /^npm warn exec The following packages? (?:was|were) not found and will be installed: (\S+)/i],
  ["uv", /^(?:Downloading|Building|Updating) (\S+)/],
  ["pnpm", /\| Progress: resolved \d+, reused \d+, downloaded \d+, added \d+$/],
  ["yarn", /^➤ YN0000: ┌ (?:Resolution|Fetch|Link) step/],
  ["bun", /^Resolving dependencies/],
  ["pipx", /^(?:creating virtual environment|installing (\S+?)(?: from spec .*)?)\.\.\.$/],
];
const END: readonly (readonly [runner: string, line: RegExp])[] = [
  ["docker", /^Status: (?:Downloaded newer image|Image is up to date) for /],
  ["uv", /^Installed \d+ packages? in /],
  ["yarn", /^➤ YN0000: · (?:Done|Failed)/],
  ["bun", /^Saved lockfile/],
];

/** A server may print lines of any length, but the lines of runners are short. */
const LONGEST_MATCH = 500;
const SHORTEST_MATCH = 10;
const PNPM_PROGRESS = "| Progress: ";

/** Recognizes that a runner starts or finishes an installation. */
export function parseInstallOutput(line: string): InstallOutputEvent | undefined {
  const text = line.slice(0, LONGEST_MATCH).trim();
  if (text.length < SHORTEST_MATCH) return undefined;
  if (text.endsWith(", done") && text.includes(PNPM_PROGRESS)) return { runner: "pnpm", isOver: true };
  for (const [runner, pattern] of END) if (pattern.test(text)) return { runner, isOver: true };
  for (const [runner, pattern] of BEGIN) {
    const found = pattern.exec(text);
    const name = found?.slice(1).find((group) => group !== undefined);
    if (found !== null) return { runner, isOver: false, ...(name !== undefined && { package: name }) };
  }
  return undefined;
}
