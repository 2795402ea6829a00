import type { Terminal } from "../shared/terminal.ts";

/** What is kept for a question. */
const MOST_KEPT = 65_536;

/** Returns a terminal that prints results and errors only. Before a question it prints what was held back, because the user decides by it. */
export function createQuietTerminal(terminal: Terminal): Terminal {
  let held = "";
  const flush = (): void => {
    if (held !== "") terminal.err(held);
    held = "";
  };
  return {
    ...terminal,
    err(text) {
      const isError = text.startsWith("✗") || (text.startsWith("\u001b") && text.slice(0, 20).includes("✗"));
      if (isError) terminal.err(text);
      else held = `${held}${text}`.slice(-MOST_KEPT);
    },
    showProgress: () => {},
    confirm(question) {
      flush();
      return terminal.confirm(question);
    },
    readLine(question, signal) {
      flush();
      return terminal.readLine(question, signal);
    },
    readHidden(question, signal) {
      flush();
      return terminal.readHidden(question, signal);
    },
  };
}
