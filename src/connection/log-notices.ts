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

/** More than this is dropped: a server must not drown everything else. */
const MOST_LINES = 200;
const LINES_MS = 1_000;
const LONGEST_LINE = 4_000;
/** Data beyond these is not written out: that would block the process, or overflow the stack. */
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
  /** How much servers are asked for; left to them when not given. */
  readonly wanted: ServerLogLevel | undefined;
  onLine(line: ServerLogLine): void;
}

/** Hears what a server says in `notifications/message`; what it writes beside the protocol is kept in `state/server-logs.ts`. */
export class LogNotices {
  readonly wanted: ServerLogLevel | undefined;
  readonly #options: LogNoticesOptions;
  readonly #mayPass: () => boolean;

  constructor(options: LogNoticesOptions) {
    this.wanted = options.wanted;
    this.#options = options;
    this.#mayPass = createRateLimit(options.clock, MOST_LINES, LINES_MS);
  }

  /** A level that is unknown counts as information; what is said may be any JSON. */
  hear({ level, logger, data }: JsonObject): void {
    if (data === undefined || !this.#mayPass()) return;
    const { redactor, onLine } = this.#options;
    // What is cut off before masking would not be shown anyway.
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
