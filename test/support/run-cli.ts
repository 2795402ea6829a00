import { type CliOptions, type CliResult, startCli } from "./start-cli.ts";

export { type CliOptions, type CliResult, startCli } from "./start-cli.ts";

/** Less than a test may take, so that the output so far is reported instead of the test's own time-out. */
const LONGEST_RUN_MS = 25_000;

export interface RunCliOptions extends CliOptions {
  /** Kills the run. */
  readonly signal?: AbortSignal;
}

/** Runs the built program to its end. */
export async function runCli(args: readonly string[], options: RunCliOptions): Promise<CliResult> {
  await using cli = startCli(args, { input: "", ...options });
  const limit = AbortSignal.timeout(LONGEST_RUN_MS);
  const stop = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]);
  const stopped = new Promise<never>((_, reject) => {
    const abort = (): void => {
      const why = limit.aborted ? `did not end within ${LONGEST_RUN_MS} ms` : "was stopped";
      reject(new Error(`plugboard ${args.join(" ")} ${why}\n${cli.output()}`));
    };
    if (stop.aborted) abort();
    else stop.addEventListener("abort", abort, { once: true });
  });
  return await Promise.race([cli.ended, stopped]);
}
