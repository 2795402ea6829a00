import { ToolAbortError } from "../../../index.ts";
import type { LineHandler } from "../line-handler.ts";

/** Does what lines say, one after the other, in the order they were typed. */
export interface LineRunner {
  submit(line: string): void;
  /** From now on lines are run; those typed before were waiting for it. */
  start(handlers: readonly LineHandler[]): void;
  /** Calls off the line that runs and those that wait; answers whether there were any. */
  cancel(): boolean;
}

export interface RunnerListeners {
  /** A line has its turn. */
  onBegin(line: string): void;
  onError(error: unknown): void;
  /** Nobody knew what to do with it. */
  onUnknown(line: string): void;
  /** The lines that wait are others now. */
  onChange(waiting: readonly string[]): void;
}

export function createLineRunner({ onBegin, onError, onUnknown, onChange }: RunnerListeners): LineRunner {
  let waiting: string[] = [];
  let handlers: readonly LineHandler[] | undefined;
  let running: AbortController | undefined;

  const runOne = async (line: string, { signal }: AbortController): Promise<void> => {
    onBegin(line);
    const handler = handlers?.find((each) => each.accepts(line));
    if (handler === undefined) return onUnknown(line);
    try {
      await handler.run(line, signal);
    } catch (error) {
      if (!signal.aborted && !(error instanceof ToolAbortError)) onError(error);
    }
  };
  const runAll = async (): Promise<void> => {
    for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) {
      running = new AbortController();
      onChange(waiting);
      await runOne(line, running);
      running = undefined;
    }
  };
  const begin = (): void => {
    if (handlers !== undefined && running === undefined && waiting.length > 0) void runAll();
  };
  return {
    submit(line) {
      waiting.push(/^\s+\//.test(line) ? line.trimStart() : line);
      if (running === undefined && handlers !== undefined) begin();
      else onChange(waiting);
    },
    start(given) {
      handlers = given;
      begin();
    },
    cancel() {
      const hadSome = running !== undefined || waiting.length > 0;
      waiting = [];
      running?.abort();
      if (hadSome) onChange(waiting);
      return hadSome;
    },
  };
}
