/* oxlint-disable no-control-regex -- control characters are what this is about */
import type { Terminal } from "../shared/terminal.ts";

/** Commands whose output can be long and is printed at once. */
const PAGED: ReadonlySet<string> = new Set(
  "audit bundles call doctor explain help list logs outdated pins prompt prompts read resources search tools".split(
    " ",
  ),
);
/** The start of a control sequence with an image. */
const IMAGE = new RegExp("\u001b[_\\]]");
const COLOR = new RegExp("\u001b\\[[\\d;]*m", "g");
/** Longer output is printed at once. */
const MOST_CHARACTERS = 4_000_000;

export interface PagedTerminal {
  readonly terminal: Terminal;
  /** Prints what was collected, through the pager if it does not fit the screen. */
  finish(): Promise<void>;
}

/**
 * Collects the output of a command for the pager in `PLUGBOARD_PAGER` or `PAGER`. Returns `undefined` if there is none, the output is not
 * a terminal, or the command prints while it runs.
 */
export function createPagedTerminal(
  terminal: Terminal,
  name: string | undefined,
  words: readonly string[],
): PagedTerminal | undefined {
  const { PLUGBOARD_PAGER: own, PAGER: general = "" } = process.env;
  const pager = own ?? general;
  const isHelp = words.includes("--help") || words.includes("-h");
  const isLive = words.some((word) => /^(?:--follow|-f|--watch)$/.test(word));
  const isPaged = isHelp || (name !== undefined && PAGED.has(name) && !isLive);
  if (pager === "" || pager === "cat" || !isPaged || !terminal.outIsTty || !terminal.canAnswer())
    return undefined;
  let held: string | undefined = "";
  /** What was written to standard error after the held output. */
  let below = "";
  const release = (): void => {
    if (held !== undefined && held !== "") terminal.out(held);
    if (below !== "") terminal.err(below);
    held = undefined;
    below = "";
  };
  const afterRelease =
    <Given extends unknown[], T>(ask: (...given: Given) => T) =>
    (...given: Given): T => {
      release();
      return ask(...given);
    };
  return {
    terminal: {
      ...terminal,
      out(text) {
        // Pagers cannot show bytes and images.
        const isPlain = typeof text === "string" && !IMAGE.test(text);
        if (!isPlain || held === undefined || held.length + text.length > MOST_CHARACTERS) {
          release();
          terminal.out(text);
        } else held += text;
      },
      err(text) {
        if (held === undefined || held === "") terminal.err(text);
        else below += text;
      },
      confirm: afterRelease(terminal.confirm),
      readLine: afterRelease(terminal.readLine),
      readHidden: afterRelease(terminal.readHidden),
    },
    async finish() {
      const text = held ?? "";
      if (!isLonger(text, terminal.columns, process.stdout.rows)) return release();
      held = "";
      const { runPager } = await import("./run-pager.lazy.ts");
      if (!(await runPager(pager, text))) terminal.out(text);
      release();
    },
  };
}

function isLonger(text: string, columns: number, rows: number | undefined): boolean {
  if (rows === undefined || rows < 1 || columns < 1) return false;
  const lines = text.split("\n");
  const count = lines.reduce((sum, line) => {
    const width = line.replaceAll(COLOR, "").length;
    return sum + Math.max(1, Math.ceil(width / columns));
  }, 0);
  return count > rows;
}
