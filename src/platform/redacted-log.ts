import { notifyListener, type Redactor } from "../model/index.ts";
import type { Log } from "./ports.ts";

/** What a server or a library said may repeat what it was given. A log that fails loses its lines and nothing else. */
export function redactedLog(given: Log, redactor: Redactor): Log {
  return {
    log(level, event, fields) {
      const cleaned =
        fields &&
        Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, redactor.cleanValue(value)]));
      notifyListener(
        () => given.log(level, event, cleaned),
        undefined,
        () => undefined,
      );
    },
  };
}
