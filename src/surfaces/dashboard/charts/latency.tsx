import type { VNode } from "preact";
import type { ServerMetrics } from "../../../page-api.ts";
import { count, milliseconds, percent } from "../text/format.ts";
import { at, logPosition, logRange } from "./scale.ts";
import { useWidth } from "./use-width.ts";

interface LatencyProps {
  readonly servers: readonly ServerMetrics[];
}

const HEIGHT = 22;
const MARGIN = 6;

/** One line per server on a common logarithmic scale: from the median to the 99th percentile, with the share of errors. */
export function LatencyRanges({ servers }: LatencyProps): VNode {
  const range = logRange(servers.flatMap(({ total }) => [total.p50 ?? 0, total.p99 ?? 0]));
  return (
    <ol class="ranges">
      {servers.map((server) => (
        <li key={server.server}>
          <span class="cut">{server.server}</span>
          <span class="range-text">
            {server.total.p50 === null
              ? "no calls"
              : `${milliseconds(server.total.p50)} – ${milliseconds(server.total.p99 ?? 0)}`}
          </span>
          <span class={server.total.errors > 0 ? "range-errors some" : "range-errors"}>
            {server.total.errors === 0
              ? "no errors"
              : `${count(server.total.errors)} (${percent(server.total.errors, server.total.calls)})`}
          </span>
          <Range total={server.total} range={range} />
        </li>
      ))}
      <li class="range-scale" aria-hidden="true">
        <Scale range={range} />
      </li>
    </ol>
  );
}

interface RangeProps {
  readonly total: ServerMetrics["total"];
  readonly range: { readonly low: number; readonly high: number };
}

function Range({ total, range }: RangeProps): VNode {
  const [box, width] = useWidth();
  const x = (value: number): number => at(MARGIN + logPosition(value, range) * (width - 2 * MARGIN));
  const { p50, p95, p99 } = total;
  const middle = HEIGHT / 2;
  return (
    <div ref={box} class="range">
      <svg
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        aria-hidden="true"
        focusable="false"
      >
        <line class="grid" x1={MARGIN} x2={Math.max(MARGIN, width - MARGIN)} y1={middle} y2={middle} />
        {p50 === null || p95 === null || p99 === null ? null : (
          <>
            <line class="p99" x1={x(p50)} x2={x(p99)} y1={middle} y2={middle} />
            <line class="p95" x1={x(p50)} x2={x(p95)} y1={middle} y2={middle} />
            <circle class="p50" cx={x(p50)} cy={middle} r="5" />
          </>
        )}
      </svg>
    </div>
  );
}

function Scale({ range }: { readonly range: RangeProps["range"] }): VNode {
  const [box, width] = useWidth();
  const powers: number[] = [];
  for (let value = range.low; value <= range.high * 1.001; value *= 10) powers.push(value);
  const last = powers.length - 1;
  return (
    <div ref={box} class="range">
      <svg width={width} height={16} viewBox={`0 0 ${width} 16`} focusable="false">
        {powers.map((value, index) => (
          <text
            key={value}
            class={index === 0 ? "axis" : index === last ? "axis end" : "axis middle"}
            x={
              index === 0
                ? 0
                : index === last
                  ? width
                  : at(MARGIN + logPosition(value, range) * (width - 2 * MARGIN))
            }
            y="12"
          >
            {value >= 1_000 ? `${value / 1_000} s` : `${value} ms`}
          </text>
        ))}
      </svg>
    </div>
  );
}
