import type { LevelLogger, Log, LogLevel } from "./log.ts";

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/**
 * Converts a program's logger to a log. Loggers with `log(level, message, details)`, such as winston, are logs
 * already. Returns `undefined` if it is not a logger.
 */
export function toLog(logger: Log | LevelLogger): Log | undefined {
  if ("log" in logger) return typeof logger.log === "function" ? logger : undefined;
  if (!LEVELS.every((level) => typeof logger[level] === "function")) return undefined;
  return { log: (level, event, fields = {}) => logger[level](fields, event) };
}
