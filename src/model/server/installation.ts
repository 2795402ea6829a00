/** The installation of a server's package by a package runner, before the server starts. */
export interface Installation {
  /** The package runner, such as `npx`. */
  readonly runner: string;
  /** The package, such as `@acme/server@1.2.3`. */
  readonly package: string;
  /** The time since the installation started. */
  readonly elapsedMs: number;
  /** The last line that the runner printed. */
  readonly output?: string;
}

/** Returns a line such as `npx is installing acme@1.2.3 (12 s): npm http fetch GET 200 …`. */
export function describeInstallation({ runner, package: name, elapsedMs, output }: Installation): string {
  const seconds = Math.floor(elapsedMs / 1000);
  return `${runner} is installing ${name} (${seconds} s)${output === undefined ? "" : `: ${output}`}`;
}
