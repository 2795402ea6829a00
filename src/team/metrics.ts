import type { AuditEntry } from "../state/index.ts";

/** The upper limits of the histogram's buckets, in seconds, as OpenTelemetry's conventions name them. */
const BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
/** More combinations of labels are counted as "other", so that made-up methods cannot use up the memory. */
const MOST_SERIES = 2_000;

interface Histogram {
  readonly labels: string;
  readonly counts: number[];
  sum: number;
  count: number;
}

/** A value that is read when the metrics are requested. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly type: "gauge" | "counter";
  read(): number | readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
}

/** Counts requests, and writes everything in Prometheus' text format. */
export class Metrics {
  readonly #histograms = new Map<string, Histogram>();
  /** The earlier histograms, by the counted item. */
  readonly #known = new Map<string, Histogram>();
  readonly #gauges: readonly Gauge[];
  readonly #hasTools: boolean;

  constructor(gauges: readonly Gauge[], { hasTools }: { readonly hasTools: boolean }) {
    this.#gauges = gauges;
    this.#hasTools = hasTools;
  }

  /** Counts a request. */
  observe({ method, outcome, durationMs, server, item }: AuditEntry): void {
    const tool = this.#hasTools ? `${server}\0${item}` : "";
    const what = `${method}\0${outcome}\0${tool}`;
    let series = this.#known.get(what);
    if (series === undefined) {
      series = this.#seriesOf(
        labelText({
          mcp_method_name: method,
          ...(outcome !== "ok" && { error_type: outcome }),
          ...(this.#hasTools && server !== undefined && { server }),
          ...(this.#hasTools && method === "tools/call" && item !== undefined && { gen_ai_tool_name: item }),
        }),
      );
      if (this.#known.size >= MOST_SERIES) this.#known.clear();
      this.#known.set(what, series);
    }
    const seconds = durationMs / 1_000;
    const bucket = BUCKETS.findIndex((limit) => seconds <= limit);
    const at = bucket === -1 ? BUCKETS.length : bucket;
    series.counts[at] = (series.counts[at] ?? 0) + 1;
    series.sum += seconds;
    series.count += 1;
  }

  toText(): string {
    const name = "mcp_server_operation_duration_seconds";
    const lines = [`# HELP ${name} The time from a request to its response.`, `# TYPE ${name} histogram`];
    for (const { labels, counts, sum, count } of this.#histograms.values()) {
      const comma = labels === "" ? "" : `${labels},`;
      let total = 0;
      for (const [index, limit] of BUCKETS.entries()) {
        total += counts[index] ?? 0;
        lines.push(`${name}_bucket{${comma}le="${limit}"} ${total}`);
      }
      lines.push(`${name}_bucket{${comma}le="+Inf"} ${count}`);
      lines.push(`${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`);
    }
    for (const gauge of this.#gauges) {
      lines.push(`# HELP ${gauge.name} ${gauge.help}`, `# TYPE ${gauge.name} ${gauge.type}`);
      const read = gauge.read();
      if (typeof read === "number") lines.push(`${gauge.name} ${read}`);
      else for (const { labels, value } of read) lines.push(`${gauge.name}{${labelText(labels)}} ${value}`);
    }
    return `${lines.join("\n")}\n`;
  }

  #seriesOf(labels: string): Histogram {
    const isNew = !this.#histograms.has(labels);
    const key =
      isNew && this.#histograms.size >= MOST_SERIES ? labelText({ mcp_method_name: "other" }) : labels;
    const known = this.#histograms.get(key) ?? {
      labels: key,
      counts: BUCKETS.map(() => 0),
      sum: 0,
      count: 0,
    };
    this.#histograms.set(key, known);
    return known;
  }
}

function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",");
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
