import type { TargetedPointerEvent, VNode } from "preact";
import { useState } from "preact/hooks";
import { compact } from "../text/format.ts";
import { dayOf, minuteOf } from "../text/times.ts";
import { at, labelSteps, ticks } from "./scale.ts";

export interface BarSeries {
  readonly name: string;
  /** The class that colours it. */
  readonly series: string;
  readonly values: readonly number[];
}

interface BarsProps {
  readonly width: number;
  readonly from: number;
  readonly stepMs: number;
  /** From the bottom of each bar to its top. */
  readonly series: readonly BarSeries[];
}

const HEIGHT = 168;
const [RIGHT, TOP, BOTTOM] = [4, 26, 20];
/** The width of a digit on the axis. */
const DIGIT = 7;
const LABEL_WIDTH = 64;
const LONG_STEP_MS = 600_000;

/** One bar per step, with the values of all series on top of each other. Pointing at a bar shows its numbers. */
export function Bars({ width, from, stepMs, series }: BarsProps): VNode {
  const [pointed, setPointed] = useState<number>();
  const steps = series[0]?.values.length ?? 0;
  const lines = ticks(Math.max(1, ...sums(series, steps)));
  const highest = lines.at(-1) ?? 1;
  const left = 10 + DIGIT * Math.max(2, compact(highest).length);
  const inner = width - left - RIGHT;
  const step = inner / Math.max(1, steps);
  const bar = Math.max(1, step - Math.min(3, step * 0.3));
  const heightOf = (value: number): number => (value / highest) * (HEIGHT - TOP - BOTTOM);
  const baseline = HEIGHT - BOTTOM;
  const point = (event: TargetedPointerEvent<SVGSVGElement>): void => {
    const index = Math.floor(
      (event.clientX - event.currentTarget.getBoundingClientRect().left - left) / step,
    );
    setPointed(index >= 0 && index < steps ? index : undefined);
  };
  return (
    <svg
      class="bars"
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      aria-hidden="true"
      focusable="false"
      onPointerMove={point}
      onPointerLeave={() => setPointed(undefined)}
    >
      {lines.map((value) => (
        <g key={value}>
          <line
            class="grid"
            x1={left}
            x2={width - RIGHT}
            y1={at(baseline - heightOf(value))}
            y2={at(baseline - heightOf(value))}
          />
          <text class="axis end" x={left - 6} y={at(baseline - heightOf(value) + 4)}>
            {compact(value)}
          </text>
        </g>
      ))}
      {pointed === undefined ? null : (
        <rect
          class="pointed"
          x={at(left + pointed * step)}
          y={TOP}
          width={at(step)}
          height={HEIGHT - TOP - BOTTOM}
        />
      )}
      {Array.from({ length: steps }, (_, index) => (
        <Bar
          key={index}
          x={left + index * step + (step - bar) / 2}
          width={bar}
          index={index}
          series={series}
          heightOf={heightOf}
        />
      ))}
      {labelSteps(steps, inner, LABEL_WIDTH).map((index) => (
        <text class="axis" key={index} x={at(left + index * step)} y={HEIGHT - 4}>
          {minuteOf(from + index * stepMs)}
        </text>
      ))}
      <text class="readout" x={left} y={14}>
        {pointed === undefined ? "" : describe(pointed, from, stepMs, series)}
      </text>
    </svg>
  );
}

interface BarProps {
  readonly x: number;
  readonly width: number;
  readonly index: number;
  readonly series: readonly BarSeries[];
  readonly heightOf: (value: number) => number;
}

function Bar({ x, width, index, series, heightOf }: BarProps): VNode {
  let below = 0;
  return (
    <>
      {series.map(({ name, series: kind, values }) => {
        const value = values[index] ?? 0;
        if (value === 0) return null;
        below += value;
        return (
          <rect
            key={name}
            class={`series ${kind}`}
            x={at(x)}
            y={at(HEIGHT - BOTTOM - heightOf(below))}
            width={at(width)}
            height={at(Math.max(1, heightOf(value)))}
          />
        );
      })}
    </>
  );
}

function sums(series: readonly BarSeries[], steps: number): readonly number[] {
  return Array.from({ length: steps }, (_, index) =>
    series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  );
}

function describe(index: number, from: number, stepMs: number, series: readonly BarSeries[]): string {
  const start = from + index * stepMs;
  const time = stepMs >= LONG_STEP_MS ? `${dayOf(start)}, ${minuteOf(start)}` : minuteOf(start);
  return [
    time,
    ...series.map(({ name, values }) => `${compact(values[index] ?? 0)} ${name.toLowerCase()}`),
  ].join(" · ");
}
