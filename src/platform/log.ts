/** The severity of a log message. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** Receives log messages. */
export interface Log {
  /** Logs an event, such as `listener.failed`, with its details. */
  log(level: LogLevel, event: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** A logger with one method per level that takes the details first, such as pino's. */
export interface LevelLogger {
  /** Logs details for troubleshooting. */
  debug(fields: Readonly<Record<string, unknown>>, event: string): void;
  /** Logs normal operation. */
  info(fields: Readonly<Record<string, unknown>>, event: string): void;
  /** Logs a problem that Plugboard can handle. */
  warn(fields: Readonly<Record<string, unknown>>, event: string): void;
  /** Logs a failure. */
  error(fields: Readonly<Record<string, unknown>>, event: string): void;
}
