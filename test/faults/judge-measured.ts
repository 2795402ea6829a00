import type { Fault } from "./fault.ts";
import type { Measured, MeasuredClient } from "./measured-run.ts";

const MOST_MS = 250;
const MOST_MB = 128;

/** The goals one fault can miss, each with what was measured. */
export interface Verdict {
  /** Right outcome, process alive, others unaffected, nothing left. */
  readonly survived: boolean;
  /** A failure that could be known was reported in time; `undefined` where there was none to report. */
  readonly prompt: boolean | undefined;
  readonly smooth: boolean;
  readonly lean: boolean;
}

/** The codes are Plugboard's own; of another client any error will do. */
export function judge(client: MeasuredClient, fault: Fault<unknown>, measured: Measured): Verdict {
  const { died, outcome, healthy, left } = measured;
  const { code, cause, text, has, tools } = fault.must;
  const isRight =
    (client === "plugboard"
      ? outcome.code === code && (cause === undefined || outcome.cause === cause)
      : (outcome.code === undefined) === (code === undefined)) &&
    (text === undefined || outcome.text === text) &&
    // Another client hands on the whole text.
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
