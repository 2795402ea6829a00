import type { VNode } from "preact";
import type { PageServerState, ServerMetrics } from "../../../page-api.ts";
import { lookOfState } from "../parts/badge.tsx";
import { minuteOf } from "../text/times.ts";
import { at, labelSteps } from "./scale.ts";
import { useWidth } from "./use-width.ts";

export interface Segment {
  readonly from: number;
  readonly until: number;
  readonly state: PageServerState;
}

interface TimelineProps {
  readonly servers: readonly ServerMetrics[];
  readonly from: number;
  readonly until: number;
}

const HEIGHT = 18;
/** States also differ in height and pattern, not only in colour. */
const HEIGHTS = { good: 14, info: 10, warn: 14, bad: 14, idle: 4 } as const;
const LABEL_WIDTH = 72;
const LABELS = 12;

/** One row per server: its states over time. */
export function Timeline({ servers, from, until }: TimelineProps): VNode {
  return (
    <ol class="ranges timeline">
      {servers.map((server) => (
        <li key={server.server}>
          <span class="cut">{server.server}</span>
          <Row segments={segmentsOf(server, from, until)} from={from} until={until} />
        </li>
      ))}
      <li class="range-scale" aria-hidden="true">
        <span />
        <Scale from={from} until={until} />
      </li>
    </ol>
  );
}

/** The states within the time, each until the next one. */
export function segmentsOf({ states }: ServerMetrics, from: number, until: number): readonly Segment[] {
  return states
    .map(({ at: start, state }, index) => ({
      from: Math.max(start, from),
      until: Math.min(states[index + 1]?.at ?? until, until),
      state,
    }))
    .filter((segment) => segment.until > segment.from);
}

function Row({
  segments,
  from,
  until,
}: {
  readonly segments: readonly Segment[];
  readonly from: number;
  readonly until: number;
}): VNode {
  const [box, width] = useWidth();
  const x = (time: number): number => ((time - from) / (until - from)) * width;
  return (
    <div ref={box} class="range">
      <svg
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        aria-hidden="true"
        focusable="false"
      >
        <line class="grid" x1="0" x2={width} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        {segments.map((segment) => {
          const { tone, text } = lookOfState(segment.state);
          const height = HEIGHTS[tone];
          const box = {
            x: at(x(segment.from)),
            y: (HEIGHT - height) / 2,
            width: Math.max(1, at(x(segment.until) - x(segment.from) - 1)),
            height,
          };
          return (
            <g key={segment.from} class={`segment ${tone}`}>
              <title>{`${text}, ${minuteOf(segment.from)} – ${minuteOf(segment.until)}`}</title>
              <rect {...box} rx="2" />
              {tone === "bad" || tone === "warn" ? <path class="hatch" d={hatch(box)} /> : null}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const MOST_STROKES = 200;

/** Diagonal strokes inside a box. */
function hatch({ x, y, width, height }: Box): string {
  let path = "";
  for (let stroke = 0; stroke < MOST_STROKES; stroke += 1) {
    const left = x + stroke * 6 + 1;
    if (left + height / 2 > x + width) break;
    path += `M${at(left)} ${y + height - 3}l${height / 2} ${-(height - 6)}`;
  }
  return path;
}

function Scale({ from, until }: { readonly from: number; readonly until: number }): VNode {
  const [box, width] = useWidth();
  return (
    <div ref={box} class="range">
      <svg width={width} height={16} viewBox={`0 0 ${width} 16`} focusable="false">
        {labelSteps(LABELS, width, LABEL_WIDTH).map((index) => (
          <text key={index} class="axis" x={at((index / LABELS) * width)} y="12">
            {minuteOf(from + (index / LABELS) * (until - from))}
          </text>
        ))}
      </svg>
    </div>
  );
}
