import type { VNode } from "preact";
import { ago, completeTime, isTime, shortTime, utcTime } from "../text/times.ts";

interface TimeProps {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `ago`: 5 min ago. */
  readonly style?: "short" | "ago" | "complete";
}

/** A time in the person's time zone. Hovering shows it in UTC. */
export function Time({ at, style = "short" }: TimeProps): VNode {
  if (!isTime(at)) return <span>unknown</span>;
  const text = style === "ago" ? ago(at) : style === "complete" ? completeTime(at) : shortTime(at);
  return (
    <time dateTime={new Date(at).toISOString()} title={utcTime(at)}>
      {text}
    </time>
  );
}

/** A time in the text form of a document. */
export function TextTime({
  at,
  style = "short",
}: {
  readonly at: string;
  readonly style?: TimeProps["style"];
}): VNode {
  const parsed = Date.parse(at);
  return Number.isNaN(parsed) ? <span>{at}</span> : <Time at={parsed} style={style ?? "short"} />;
}
