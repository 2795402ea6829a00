import {
  type JsonObject,
  type JsonValue,
  type Redactor,
  type ServerLogLevel,
  safeLine,
  safeText,
  truncate,
} from "../model/index.ts";
import { type Clock, jsonWeight, type LogLevel, type WeightLimits } from "../platform/index.ts";
import { createRateLimit } from "./wire/rate-limit.ts";

/** Lines over this limit are dropped, so that one server cannot flood the log. */
const MOST_LINES = 200;
const LINES_MS = 1_000;
const LONGEST_LINE = 4_000;
/** Larger data is not serialized, because that could block the process or overflow the stack. */
const DATA_LIMITS: WeightLimits = { depth: 128, weight: 64 * 1024 };

/** One line of a server's own log, safe to print. */
export interface ServerLogLine {
  readonly level: LogLevel;
  readonly logger?: string;
  readonly message: string;
}

const LEVELS: Readonly<Record<ServerLogLevel, LogLevel>> = {
  debug: "debug",
  info: "info",
  notice: "info",
  warning: "warn",
  error: "error",
  critical: "error",
  alert: "error",
  emergency: "error",
};

export interface LogNoticesOptions {
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** The log level to request. If it is not set, the server decides. */
  readonly wanted: ServerLogLevel | undefined;
  onLine(line: ServerLogLine): void;
}

/** Handles a server's `notifications/message`. Its other output is kept by `state/server-logs.ts`. */
export class ServerLogHandler {
  readonly wanted: ServerLogLevel | undefined;
  readonly #options: LogNoticesOptions;
  readonly #mayPass: () => boolean;

  constructor(options: LogNoticesOptions) {
    this.wanted = options.wanted;
    this.#options = options;
    this.#mayPass = createRateLimit(options.clock, MOST_LINES, LINES_MS);
  }

  /** Reports one log message, whose data may be any JSON. An unknown level counts as `info`. */
  hear({ level, logger, data }: JsonObject): void {
    if (data === undefined || !this.#mayPass()) return;
    const { redactor, onLine } = this.#options;
    // Truncated before masking as well. The part that is cut off is not shown in either case.
    const clean = (text: string): string =>
      truncate(safeText(redactor.redact(text.slice(0, 2 * LONGEST_LINE))), LONGEST_LINE);
    onLine({
      level: isLevel(level) ? LEVELS[level] : "info",
      ...(typeof logger === "string" && {
        logger: truncate(safeLine(redactor.redact(logger.slice(0, LONGEST_LINE))), 200),
      }),
      message: clean(typeof data === "string" ? data : jsonOf(data)),
    });
  }
}

function isLevel(value: JsonValue | undefined): value is ServerLogLevel {
  return typeof value === "string" && Object.hasOwn(LEVELS, value);
}

function jsonOf(data: JsonValue): string {
  const isLight = typeof jsonWeight(data, DATA_LIMITS) === "number";
  return isLight ? JSON.stringify(data) : "[data that is too large to show]";
}
