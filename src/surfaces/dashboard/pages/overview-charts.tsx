import type { ComponentChildren, VNode } from "preact";
import type { MetricsDocument } from "../../../page-api.ts";
import { Bars } from "../charts/bars.tsx";
import { Chart } from "../charts/chart.tsx";
import { LatencyRanges } from "../charts/latency.tsx";
import { segmentsOf, Timeline } from "../charts/timeline.tsx";
import { lookOfState } from "../parts/badge.tsx";
import { Time } from "../parts/time.tsx";
import { linkTo } from "../routes.ts";
import { compact, count, duration, milliseconds, percent, plural } from "../text/format.ts";
import { minuteOf, shortTime } from "../text/times.ts";

interface ChartProps {
  readonly metrics: MetricsDocument;
  readonly actions?: ComponentChildren;
}

const MOST_ROWS = 12;
const MOST_SEGMENTS = 300;
const DAY_STEP_MS = 600_000;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const spanOf = ({ stepMs }: MetricsDocument): string => (stepMs >= DAY_STEP_MS ? "day" : "hour");
const indexesOf = ({ steps }: MetricsDocument): readonly number[] =>
  Array.from({ length: steps }, (_, index) => index);

export function CallsChart({ metrics, actions }: ChartProps): VNode {
  const { from, stepMs, calls, errors } = metrics;
  const [all, failed] = [sum(calls), sum(errors)];
  const title = stepMs >= DAY_STEP_MS ? `Calls per ${duration(stepMs)}` : "Calls per minute";
  return (
    <Chart
      id="calls"
      title={title}
      actions={actions}
      isEmpty={all === 0}
      summary={`${plural(all, "call")} in the last ${spanOf(metrics)}, ${failed === 0 ? "no errors" : `${plural(failed, "error")} (${percent(failed, all)})`}.${incomplete(metrics)}`}
      legend={[
        { name: "Succeeded", series: "calls" },
        { name: "Errors", series: "bad" },
      ]}
      columns={[
        { title: "From", isHead: true, show: (index) => <Time at={from + index * stepMs} /> },
        { title: "Calls", isNumber: true, show: (index) => count(calls[index] ?? 0) },
        { title: "Errors", isNumber: true, show: (index) => count(errors[index] ?? 0) },
      ]}
      rows={indexesOf(metrics)}
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
              values: calls.map((value, index) => Math.max(0, value - (errors[index] ?? 0))),
            },
            { name: "Errors", series: "bad", values: errors },
          ]}
        />
      )}
    </Chart>
  );
}

export function LatencyChart({ metrics }: ChartProps): VNode {
  const called = metrics.servers
    .filter(({ total }) => total.calls > 0)
    .sort((left, right) => right.total.calls - left.total.calls);
  const [slowest] = [...called].sort((left, right) => (right.total.p95 ?? 0) - (left.total.p95 ?? 0));
  const summary =
    slowest === undefined
      ? `No calls in the last ${spanOf(metrics)}.`
      : `The slowest is ${slowest.server}: 95 % of its calls take at most ${milliseconds(slowest.total.p95 ?? 0)}.`;
  return (
    <Chart
      id="latency"
      title="Latency and errors by server"
      isEmpty={slowest === undefined}
      summary={summary}
      legend={[
        { name: "Half of the calls", series: "p50" },
        { name: "95 %", series: "p95" },
        { name: "99 %", series: "p99" },
      ]}
      columns={[
        { title: "Server", isHead: true, show: ({ server }) => <ServerLink name={server} /> },
        { title: "Calls", isNumber: true, show: ({ total }) => count(total.calls) },
        { title: "p50", isNumber: true, show: ({ total }) => latency(total.p50) },
        { title: "p95", isNumber: true, show: ({ total }) => latency(total.p95) },
        { title: "p99", isNumber: true, show: ({ total }) => latency(total.p99) },
        { title: "Errors", isNumber: true, show: ({ total }) => count(total.errors) },
        { title: "Error share", isNumber: true, show: ({ total }) => percent(total.errors, total.calls) },
      ]}
      rows={called}
      keyOf={({ server }) => server}
    >
      {() => (
        <>
          <LatencyRanges servers={called.slice(0, MOST_ROWS)} />
          <More hidden={called.length - MOST_ROWS} />
        </>
      )}
    </Chart>
  );
}

export function StatesChart({ metrics }: ChartProps): VNode {
  const { from, servers, stepMs, steps } = metrics;
  const until = from + steps * stepMs;
  const shown = servers.filter(({ states }) => states.length > 0);
  const segments = shown.flatMap((server) =>
    segmentsOf(server, from, until).map((segment) => ({ ...segment, server: server.server })),
  );
  const failing = shown.filter(
    ({ states }) => lookOfState(states.at(-1)?.state ?? "idle").tone === "bad",
  ).length;
  return (
    <Chart
      id="states"
      title="Server states"
      summary={`${plural(shown.length, "server")} since ${shortTime(metrics.processStartedAt)}, when the gateway started. ${failing === 0 ? "None is failing now." : `${failing} failing now.`}`}
      legend={[
        { name: "Connected", series: "good" },
        { name: "Starting", series: "info" },
        { name: "Waiting for you", series: "warn" },
        { name: "Failed", series: "bad" },
        { name: "Idle", series: "idle" },
      ]}
      columns={[
        { title: "Server", isHead: true, show: ({ server }) => <ServerLink name={server} /> },
        { title: "State", show: ({ state }) => lookOfState(state).text },
        { title: "From", show: (segment) => <Time at={segment.from} /> },
        { title: "Duration", isNumber: true, show: (segment) => duration(segment.until - segment.from) },
      ]}
      rows={segments.slice(-MOST_SEGMENTS)}
      keyOf={({ server, from: start }) => `${server} ${start}`}
    >
      {() => (
        <>
          <Timeline servers={shown.slice(0, MOST_ROWS)} from={from} until={until} />
          <More hidden={shown.length - MOST_ROWS} />
        </>
      )}
    </Chart>
  );
}

export function TokensChart({ metrics }: ChartProps): VNode {
  const { tokens, from, stepMs } = metrics;
  const [spent, saved] = [sum(tokens.spent), sum(tokens.saved)];
  const sent =
    spent + saved === 0
      ? `No definitions were sent to models in the last ${spanOf(metrics)}.`
      : `${compact(spent)} sent to models and ${compact(saved)} saved by meta mode in the last ${spanOf(metrics)}.`;
  const cost = `All definitions at once cost ${compact(tokens.direct)}, meta mode ${compact(tokens.meta)}. These are estimates.`;
  const summary = tokens.direct === 0 ? sent : `${sent} ${cost}`;
  return (
    <Chart
      id="tokens"
      title="Tokens for tool definitions"
      summary={summary}
      isEmpty={spent + saved === 0}
      legend={[
        { name: "Sent", series: "calls" },
        { name: "Saved", series: "saved" },
      ]}
      columns={[
        { title: "Step", isHead: true, show: (row) => row.name },
        { title: "Sent", isNumber: true, show: (row) => count(row.spent) },
        { title: "Saved", isNumber: true, show: (row) => (row.saved === undefined ? "" : count(row.saved)) },
      ]}
      rows={[
        ...indexesOf(metrics).map((index) => ({
          key: String(index),
          name: minuteOf(from + index * stepMs),
          spent: tokens.spent[index] ?? 0,
          saved: tokens.saved[index] ?? 0,
        })),
        ...tokens.servers.map((row) => ({
          key: `server ${row.server}`,
          name: `${row.server}: one list of ${plural(row.tools, "tool")}`,
          spent: row.tokens,
          saved: undefined,
        })),
      ]}
      keyOf={({ key }) => key}
    >
      {(width) => (
        <Bars
          width={width}
          from={from}
          stepMs={stepMs}
          series={[
            { name: "Sent", series: "calls", values: tokens.spent },
            { name: "Saved", series: "saved", values: tokens.saved },
          ]}
        />
      )}
    </Chart>
  );
}

function ServerLink({ name }: { readonly name: string }): VNode {
  return <a href={linkTo("servers", [name])}>{name}</a>;
}

function More({ hidden }: { readonly hidden: number }): VNode | null {
  return hidden > 0 ? <p class="soft">The table has {plural(hidden, "more server")}.</p> : null;
}

function latency(value: number | null): string {
  return value === null ? "–" : milliseconds(value);
}

function incomplete({ incompleteBefore }: MetricsDocument): string {
  return incompleteBefore === undefined ? "" : ` Before ${shortTime(incompleteBefore)}, some are missing.`;
}
