import { createTerminal, drainTerminal } from "./cli/process-terminal.ts";
import { run } from "./cli/run.ts";
import type { InteractiveMode } from "./shared/command.ts";

/** Loads interactive mode when a command needs it. */
const interactive: InteractiveMode = {
  run: async (context) => (await import("./tui/interactive.lazy.ts")).runInteractive(context),
  printTurn: async (context) => (await import("./tui/chat/print/print-turn.lazy.ts")).printTurn(context),
  createTerminalQuestions: async (style, host) =>
    (await import("./tui/questions/ask-on-terminal.lazy.ts")).createTerminalQuestions(style, host),
  askArguments: async (...given) =>
    (await import("./tui/questions/ask-on-terminal.lazy.ts")).askArguments(...given),
};

/** Runs the command line with this process's arguments, streams and signals, and sets its exit code. */
export async function runProcess(): Promise<void> {
  const interrupt = new AbortController();
  let interrupts = 0;
  const onInterrupt = (): void => {
    interrupts += 1;
    if (interrupts > 1) process.exit(130);
    interrupt.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onInterrupt);
  const code = await run(process.argv.slice(2), {
    terminal: createTerminal(),
    interactive,
    signal: interrupt.signal,
  });
  await drainTerminal();
  process.exit(code);
}
