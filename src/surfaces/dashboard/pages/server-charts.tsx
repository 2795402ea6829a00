import type { VNode } from "preact";
import type { MetricsDocument } from "../../../page-api.ts";
import { Bars } from "../charts/bars.tsx";
import { Chart } from "../charts/chart.tsx";
import { Lines } from "../charts/lines.tsx";
import { Time } from "../parts/time.tsx";
import { count, milliseconds, percent, plural } from "../text/format.ts";
import { StatesChart } from "./overview-charts.tsx";

interface ServerChartsProps {
  readonly metrics: MetricsDocument | undefined;
  readonly server: string;
}

/** The charts of one server: its calls, latency and states in the last hour. */
export function ServerCharts({ metrics, server }: ServerChartsProps): VNode | null {
  const series = metrics?.servers.find((entry) => entry.server === server);
  if (metrics === undefined || series === undefined) return null;
  const { from, stepMs, steps } = metrics;
  const { total } = series;
  const indexes = Array.from({ length: steps }, (_, index) => index);
  return (
    <div class="charts">
      {total.calls === 0 ? null : (
        <>
          <Chart
            id="server-calls"
            title="Calls per minute"
            summary={`${plural(total.calls, "call")} in the last hour, ${plural(total.errors, "error")} (${percent(total.errors, total.calls)}).`}
            legend={[
              { name: "Succeeded", series: "calls" },
              { name: "Errors", series: "bad" },
            ]}
            columns={[
              { title: "From", isHead: true, show: (index) => <Time at={from + index * stepMs} /> },
              { title: "Calls", isNumber: true, show: (index) => count(series.calls[index] ?? 0) },
              { title: "Errors", isNumber: true, show: (index) => count(series.errors[index] ?? 0) },
            ]}
            rows={indexes}
            keyOf={String}
          >
            {(width) => (
              <Bars
                width={width}
                from={from}
                stepMs={stepMs}
                series={[
                  {
                    name: "Succeeded",
                    series: "calls",
                    values: series.calls.map((value, index) =>
                      Math.max(0, value - (series.errors[index] ?? 0)),
                    ),
                  },
                  { name: "Errors", series: "bad", values: series.errors },
                ]}
              />
            )}
          </Chart>
          <Chart
            id="server-latency"
            title="Latency"
            summary={`Half of the calls take at most ${latency(total.p50)}, 95 % at most ${latency(total.p95)}, 99 % at most ${latency(total.p99)}.`}
            legend={[
              { name: "p50", series: "p50" },
              { name: "p95", series: "p95" },
              { name: "p99", series: "p99" },
            ]}
            columns={[
              { title: "From", isHead: true, show: (index) => <Time at={from + index * stepMs} /> },
              { title: "p50", isNumber: true, show: (index) => latency(series.p50[index] ?? null) },
              { title: "p95", isNumber: true, show: (index) => latency(series.p95[index] ?? null) },
              { title: "p99", isNumber: true, show: (index) => latency(series.p99[index] ?? null) },
            ]}
            rows={indexes}
            keyOf={String}
          >
            {(width) => (
              <Lines
                width={width}
                from={from}
                stepMs={stepMs}
                series={[
                  { series: "p99", values: series.p99 },
                  { series: "p95", values: series.p95 },
                  { series: "p50", values: series.p50 },
                ]}
              />
            )}
          </Chart>
        </>
      )}
      {series.states.length === 0 ? null : <StatesChart metrics={{ ...metrics, servers: [series] }} />}
    </div>
  );
}

function latency(value: number | null): string {
  return value === null ? "–" : milliseconds(value);
}
