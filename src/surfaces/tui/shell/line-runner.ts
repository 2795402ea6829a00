import { ToolAbortError } from "../../../index.ts";
import type { LineHandler } from "../line-handler.ts";

/** Runs lines one after another, in the order they were typed. */
export interface LineRunner {
  submit(line: string): void;
  /** Starts running lines, including those that were typed before. */
  start(handlers: readonly LineHandler[]): void;
  /** Cancels the running line and the waiting ones. Returns whether there were any. */
  cancel(): boolean;
}

export interface RunnerListeners {
  /** Called when a line starts to run. */
  onBegin(line: string): void;
  onError(error: unknown): void;
  /** Called if no handler accepts the line. */
  onUnknown(line: string): void;
  /** Called when the list of waiting lines changes. */
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
