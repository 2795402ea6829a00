/** Completions for one position of a line. */
export interface Completions {
  /** The index at which the replaced text starts. It ends at the cursor. */
  readonly from: number;
  readonly items: readonly { readonly text: string; readonly note?: string }[];
}

/** Handles one kind of input line: `/mcp …`, a server's prompt, or a message to the model. */
export interface LineHandler {
  /** The entries for `/help`: usage and summary. */
  readonly help?: readonly (readonly [usage: string, summary: string])[];
  /** Returns whether this handler runs the line. The first handler that accepts a line gets it. */
  accepts(line: string): boolean;
  /** Runs the line and prints the result on the screen. The signal aborts on Esc or Ctrl-C. */
  run(line: string, signal: AbortSignal): Promise<void>;
  /** Returns completions at the cursor. The line may be incomplete. */
  complete?(line: string, cursor: number, signal: AbortSignal): Promise<Completions | undefined>;
}
