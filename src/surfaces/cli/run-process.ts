import { run } from "./run.ts";
import { createTerminal, drainTerminal } from "./terminal.ts";

/** Runs the command line for this process: its arguments, its streams, its signals, its exit code. */
export async function runProcess(): Promise<void> {
  const interrupt = new AbortController();
  let interrupts = 0;
  const onInterrupt = (): void => {
    interrupts += 1;
    if (interrupts > 1) process.exit(130);
    interrupt.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onInterrupt);
  const code = await run(process.argv.slice(2), { terminal: createTerminal(), signal: interrupt.signal });
  await drainTerminal();
  process.exit(code);
}
