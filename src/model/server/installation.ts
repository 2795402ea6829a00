/** A package runner that installs a server's package before the server is started. */
export interface Installation {
  /** The runner, such as `npx`. */
  readonly runner: string;
  /** What it installs, such as `@acme/server@1.2.3`. */
  readonly package: string;
  readonly elapsedMs: number;
  /** The last line that the runner printed. */
  readonly output?: string;
}

/** `npx is installing acme@1.2.3 (12 s): npm http fetch GET 200 …` */
export function describeInstallation({ runner, package: name, elapsedMs, output }: Installation): string {
  const seconds = Math.floor(elapsedMs / 1000);
  return `${runner} is installing ${name} (${seconds} s)${output === undefined ? "" : `: ${output}`}`;
}
