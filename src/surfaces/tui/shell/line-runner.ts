import { ToolAbortError } from "../../../index.ts";
import type { LineHandler } from "../line-handler.ts";
import type { LineQueue } from "../screen/line-input.ts";

/** Runs lines one after another, in the order they were typed. */
export interface LineRunner {
  submit(line: string): void;
  /** Starts running lines, including those that were typed before. */
  start(handlers: readonly LineHandler[]): void;
  /** Cancels the running line and the waiting ones. Returns whether there were any. */
  cancel(): boolean;
  /** Removes the queued lines and returns them, so that the user can edit them. */
  takeBack(): readonly string[];
  /** Lets the input edit the queued lines. */
  readonly queue: LineQueue;
}

export interface RunnerListeners {
  /** Called when a line starts to run. */
  onBegin(line: string): void;
  onError(error: unknown): void;
  /** Called if no handler accepts the line. */
  onUnknown(line: string): void;
  /** Called when the list of queued lines changes. */
  onChange(waiting: readonly string[]): void;
}

export function createLineRunner({ onBegin, onError, onUnknown, onChange }: RunnerListeners): LineRunner {
  let waiting: string[] = [];
  /** The position of the line that the user is editing. That line is not in `waiting`. */
  let edited: number | undefined;
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
      if (edited !== undefined) edited = Math.max(0, edited - 1);
      onChange([...waiting]);
      await runOne(line, running);
      running = undefined;
    }
  };
  const begin = (): void => {
    if (handlers !== undefined && running === undefined && waiting.length > 0) void runAll();
  };
  return {
    submit(line) {
      waiting.splice(edited ?? waiting.length, 0, /^\s+\//.test(line) ? line.trimStart() : line);
      edited = undefined;
      if (running === undefined && handlers !== undefined) begin();
      else onChange([...waiting]);
    },
    start(given) {
      handlers = given;
      begin();
    },
    cancel() {
      const wasBusy = running !== undefined || waiting.length > 0;
      waiting = [];
      edited = undefined;
      running?.abort();
      if (wasBusy) onChange(waiting);
      return wasBusy;
    },
    takeBack() {
      const lines = waiting;
      waiting = [];
      edited = undefined;
      if (lines.length > 0) onChange(waiting);
      return lines;
    },
    queue: {
      take(step, text) {
        const lines = edited === undefined ? waiting : waiting.toSpliced(edited, 0, text);
        const place = (edited ?? lines.length) + step;
        const line = lines[place];
        if (line === undefined) return undefined;
        waiting = lines.toSpliced(place, 1);
        edited = place;
        onChange([...waiting]);
        return line;
      },
      stopEditing() {
        edited = undefined;
      },
    },
  };
}
