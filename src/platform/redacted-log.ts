import { notifyListener, type Redactor } from "../model/index.ts";
import type { Log } from "./ports.ts";

/**
 * Wraps a log so that secrets in the fields are masked, because error texts can repeat them. Errors of the log are
 * ignored.
 */
export function redactedLog(given: Log, redactor: Redactor): Log {
  return {
    log(level, event, fields) {
      const cleaned =
        fields &&
        Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, redactor.redactValue(value)]));
      notifyListener(
        () => given.log(level, event, cleaned),
        undefined,
        () => undefined,
      );
    },
  };
}
