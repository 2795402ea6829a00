import type { VNode } from "preact";
import { milliseconds } from "../text/format.ts";
import { minuteOf } from "../text/times.ts";
import { at, labelSteps, logPosition, logRange } from "./scale.ts";

export interface LineSeries {
  readonly series: string;
  readonly values: readonly (number | null)[];
}

interface LinesProps {
  readonly width: number;
  readonly from: number;
  readonly stepMs: number;
  readonly series: readonly LineSeries[];
}

const HEIGHT = 168;
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 6, 8, 20];
const LABEL_WIDTH = 64;

/** Durations over time on a logarithmic scale. Steps without a value are gaps. */
export function Lines({ width, from, stepMs, series }: LinesProps): VNode {
  const steps = series[0]?.values.length ?? 0;
  const range = logRange(series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const inner = width - LEFT - RIGHT;
  const x = (index: number): number => at(LEFT + ((index + 0.5) / Math.max(1, steps)) * inner);
  const y = (value: number): number =>
    at(HEIGHT - BOTTOM - logPosition(value, range) * (HEIGHT - TOP - BOTTOM));
  const powers: number[] = [];
  for (let value = range.low; value <= range.high * 1.001; value *= 10) powers.push(value);
  return (
    <svg
      class="lines"
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      aria-hidden="true"
      focusable="false"
    >
      {powers.map((value) => (
        <g key={value}>
          <line class="grid" x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} />
          <text class="axis end" x={LEFT - 6} y={y(value) + 4}>
            {milliseconds(value)}
          </text>
        </g>
      ))}
      {series.map(({ series: kind, values }) => (
        <g key={kind} class={`line ${kind}`}>
          <path d={pathOf(values, x, y)} />
          {values.map((value, index) =>
            value !== null && isIsolated(values, index) ? (
              <circle key={index} cx={x(index)} cy={y(value)} r="2" />
            ) : null,
          )}
        </g>
      ))}
      {labelSteps(steps, inner, LABEL_WIDTH).map((index) => (
        <text class="axis" key={index} x={at(LEFT + (index / Math.max(1, steps)) * inner)} y={HEIGHT - 4}>
          {minuteOf(from + index * stepMs)}
        </text>
      ))}
    </svg>
  );
}

function pathOf(
  values: readonly (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  return values
    .map((value, index) => {
      if (value === null) return "";
      const command = index > 0 && values[index - 1] !== null ? "L" : "M";
      return `${command}${x(index)} ${y(value)}`;
    })
    .join("");
}

/** A line needs two points; a value between two gaps becomes a dot. */
function isIsolated(values: readonly (number | null)[], index: number): boolean {
  return (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null;
}
