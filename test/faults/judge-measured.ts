import type { Fault } from "./fault.ts";
import type { Measured, MeasuredClient } from "./measured-run.ts";

const MOST_MS = 250;
const MOST_MB = 128;

/** The goals for one fault, each with its measurement. */
export interface Verdict {
  /** The outcome is right, the process is alive, others are unaffected, and nothing is left running. */
  readonly survived: boolean;
  /** A detectable failure was reported in time. `undefined` if there was none. */
  readonly prompt: boolean | undefined;
  readonly smooth: boolean;
  readonly lean: boolean;
}

/** The codes are Plugboard's own. For another client, any error counts. */
export function judge(client: MeasuredClient, fault: Fault<unknown>, measured: Measured): Verdict {
  const { died, outcome, healthy, left } = measured;
  const { code, cause, text, has, tools } = fault.must;
  const isRight =
    (client === "plugboard"
      ? outcome.code === code && (cause === undefined || outcome.cause === cause)
      : (outcome.code === undefined) === (code === undefined)) &&
    (text === undefined || outcome.text === text) &&
    // Another client returns the complete text.
    (has === undefined || client !== "plugboard" || outcome.text?.includes(has) === true) &&
    (tools === undefined || JSON.stringify(outcome.tools) === JSON.stringify(tools));
  const alive = died === undefined;
  return {
    survived: alive && isRight && healthy === "fine" && left === 0,
    prompt: code === undefined || fault.unknowable ? undefined : alive && measured.reportedMs <= MOST_MS,
    smooth: alive && measured.stallMs <= MOST_MS,
    lean: alive && measured.growthMb <= MOST_MB,
  };
}
