import { estimateMetaTokens } from "../../../bridge/index.ts";
import type { GatewayContext } from "../../gateway-context.ts";

import { Histogram } from "../../record/histogram.ts";
import type { Step } from "../../record/metrics.ts";
import { tokensOf } from "../../record/token-costs.ts";
import type { MetricsDocument, ServerMetrics, TokenMetrics } from "../api/activity-documents.ts";
import type { PageContext } from "../page-context.ts";
import { invalidRequest } from "../page-failure.ts";
import type { Route } from "../route.ts";
import { shownServers } from "../shown-servers.ts";
import { readKnownTools, toAgentTool } from "./tool-rows.ts";

/** The most earlier requests that are read again. */
const MOST_EARLIER = 50_000;
const DAY_MS = 24 * 60 * 60_000;
const MOST_SERVERS = 200;

/** The requests before this process started, which are read from the audit files when a page first needs them. */
export class EarlierRequests {
  readonly #gateway: GatewayContext;
  #reading: Promise<number | undefined> | undefined;

  constructor(gateway: GatewayContext) {
    this.#gateway = gateway;
  }

  /** Adds them to the metrics. Resolves with the time before which they are incomplete, if they are. */
  add(): Promise<number | undefined> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  async #read(): Promise<number | undefined> {
    const { records, workspace } = this.#gateway;
    const { startedAt, metrics } = records;
    const entries = await workspace.stores.audit.read({
      kind: "request",
      since: startedAt - DAY_MS,
      until: startedAt - 1,
      limit: MOST_EARLIER,
    });
    for (const entry of entries) metrics.add(entry);
    return entries.length < MOST_EARLIER ? undefined : entries[0]?.at;
  }
}

/** The route of the charts. */
export function metricsRoutes(context: PageContext, earlier: EarlierRequests): Route[] {
  return [
    {
      method: "GET",
      path: "metrics",
      right: "read",
      answer: ({ query }) => describeMetrics(context, earlier, query.get("window") ?? "hour"),
    },
  ];
}

async function describeMetrics(
  context: PageContext,
  earlier: EarlierRequests,
  name: string,
): Promise<MetricsDocument> {
  if (name !== "hour" && name !== "day") throw invalidRequest('"window" must be "hour" or "day".');
  const { records, workspace } = context.gateway;
  const revision = context.revision("metrics");
  const incompleteBefore = await earlier.add();
  const series = records.metrics[name];
  const now = workspace.ports.clock.now();
  const steps = series.steps(now);
  const servers = new Set([
    ...shownServers(workspace).map(({ name }) => name),
    ...steps.flatMap((step) => [...step.servers.keys()]),
  ]);
  return {
    revision,
    from: series.from(now),
    stepMs: series.stepMs,
    steps: series.count,
    processStartedAt: records.startedAt,
    ...(incompleteBefore !== undefined && { incompleteBefore }),
    calls: steps.map(({ calls }) => calls),
    errors: steps.map(({ errors }) => errors),
    servers: [...servers]
      .sort()
      .slice(0, MOST_SERVERS)
      .map((server) => describeServer(context, server, steps)),
    tokens: await describeTokens(context, steps),
  };
}

function describeServer({ gateway }: PageContext, server: string, steps: readonly Step[]): ServerMetrics {
  const total = new Histogram();
  const mine = steps.map((step) => step.servers.get(server));
  for (const step of mine) if (step !== undefined) total.merge(step.durations);
  const percentiles = (share: number): (number | null)[] =>
    mine.map((step) => step?.durations.percentile(share) ?? null);
  const sum = (key: "calls" | "errors"): number => mine.reduce((all, step) => all + (step?.[key] ?? 0), 0);
  return {
    server,
    calls: mine.map((step) => step?.calls ?? 0),
    errors: mine.map((step) => step?.errors ?? 0),
    p50: percentiles(0.5),
    p95: percentiles(0.95),
    p99: percentiles(0.99),
    total: { calls: sum("calls"), errors: sum("errors"), ...percentilesOf(total) },
    states: gateway.records.states.past(server),
  };
}

function percentilesOf(durations: Histogram): Pick<ServerMetrics["total"], "p50" | "p95" | "p99"> {
  return {
    p50: durations.percentile(0.5),
    p95: durations.percentile(0.95),
    p99: durations.percentile(0.99),
  };
}

/** Estimates of the known definitions that may be used. */
async function describeTokens({ lists }: PageContext, steps: readonly Step[]): Promise<TokenMetrics> {
  const { tools } = await readKnownTools(lists);
  const usable = tools.filter(({ decision }) => decision.answer !== "deny");
  const servers = new Map<string, { server: string; tools: number; tokens: number }>();
  for (const tool of usable) {
    const { name: server } = tool.lists.server;
    const known = servers.get(server) ?? { server, tools: 0, tokens: 0 };
    servers.set(server, known);
    known.tools += 1;
    known.tokens += tokensOf(tool.definition);
  }
  const costs = [...servers.values()];
  return {
    direct: costs.reduce((sum, { tokens }) => sum + tokens, 0),
    meta: costs.length === 0 ? 0 : estimateMetaTokens(usable.map(toAgentTool)),
    servers: costs,
    spent: steps.map(({ spent }) => spent),
    saved: steps.map(({ saved }) => saved),
  };
}
