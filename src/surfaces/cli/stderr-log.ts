import type { Log } from "../../index.ts";
import { safeLine } from "../../terminal.ts";
import type { Terminal } from "../shared/terminal.ts";

/** Creates the log for `--verbose`: one line per event on standard error. */
export function createStderrLog({ err }: Terminal): Log {
  return {
    log(level, event, fields = {}) {
      const details = Object.entries(fields).map(([key, value]) => `${key}=${safeLine(String(value))}`);
      err(`${[level, event, ...details].join(" ")}\n`);
    },
  };
}
