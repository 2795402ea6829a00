import { notifyListener, type Redactor, safeText } from "../model/index.ts";
import type { Log } from "./log.ts";

/**
 * Wraps a log so that secrets in the fields are masked, because error texts can repeat them, and texts are safe to print.
 * Errors of the log are ignored.
 */
export function redactedLog(given: Log, redactor: Redactor): Log {
  const clean = (value: unknown): unknown => {
    const redacted = redactor.redactValue(value);
    return typeof redacted === "string" ? safeText(redacted) : redacted;
  };
  return {
    log(level, event, fields) {
      const cleaned =
        fields && Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, clean(value)]));
      notifyListener(
        () => given.log(level, event, cleaned),
        undefined,
        () => undefined,
      );
    },
  };
}
