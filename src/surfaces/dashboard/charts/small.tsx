import type { VNode } from "preact";
import { at } from "./scale.ts";

/** The shape of a series, without numbers. The text beside it has them. */
export function Sparkline({ values }: { readonly values: readonly number[] }): VNode {
  const [width, height] = [96, 28];
  const highest = Math.max(1, ...values);
  const x = (index: number): number => at((index / Math.max(1, values.length - 1)) * width);
  const y = (value: number): number => at(height - 2 - (value / highest) * (height - 4));
  const line = values.map((value, index) => `${index === 0 ? "M" : "L"}${x(index)} ${y(value)}`).join("");
  return (
    <svg
      class="spark"
      preserveAspectRatio="none"
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      focusable="false"
    >
      <path class="fill" d={`${line}L${width} ${height}L0 ${height}Z`} />
      <path class="stroke" d={line} />
    </svg>
  );
}

export interface Share {
  readonly series: string;
  readonly value: number;
}

/** Parts of a whole, as one bar. */
export function ShareBar({ shares }: { readonly shares: readonly Share[] }): VNode {
  const total = shares.reduce((sum, { value }) => sum + value, 0);
  let before = 0;
  return (
    <svg
      class="share"
      width="100%"
      height="8"
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <rect class="empty-share" x="0" y="0" width="100" height="8" />
      {shares.map(({ series, value }) => {
        if (value === 0) return null;
        const x = (100 * before) / total;
        before += value;
        return (
          <rect
            key={series}
            class={`series ${series}`}
            x={x}
            y="0"
            width={(100 * value) / total}
            height="8"
          />
        );
      })}
    </svg>
  );
}
