/** What could be typed from one place of a line on. */
export interface Completions {
  /** The index in the line where what is replaced begins; it ends at the cursor. */
  readonly from: number;
  readonly items: readonly { readonly text: string; readonly note?: string }[];
}

/** One kind of line a person can type: `/mcp …`, a server's prompt, or something said to the model. */
export interface LineHandler {
  /** What `/help` says of it: what to type, and what that does. */
  readonly help?: readonly (readonly [usage: string, summary: string])[];
  /** Whether the line is of this kind; the first handler that says so gets it. */
  accepts(line: string): boolean;
  /** Does what the line says. Everything there is to tell goes to the screen; the signal fires at Esc or Ctrl-C. */
  run(line: string, signal: AbortSignal): Promise<void>;
  /** What could follow at the cursor; the line may be of no kind yet. */
  complete?(line: string, cursor: number, signal: AbortSignal): Promise<Completions | undefined>;
}
