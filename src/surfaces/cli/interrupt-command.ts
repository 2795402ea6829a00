import { ToolAbortError } from "../../index.ts";

/** Interrupts the command. While a line is typed, the terminal does not send SIGINT on Ctrl-C. */
export function interruptCommand(): ToolAbortError {
  process.emit("SIGINT");
  return new ToolAbortError("Cancelled.");
}
