import { type ServerState, truncate } from "../../../model/index.ts";
import type { Attention, Overview, PageProblem } from "../api/page.ts";
import type { PageContext } from "../page-context.ts";
import type { Route } from "../route.ts";
import { shownServers } from "../shown-servers.ts";
import { launchesToApprove } from "./approvals.ts";
import { serversWithChangedTools } from "./changed-tools.ts";
import { describeProblem } from "./describe-problem.ts";
import type { EarlierRequests } from "./metrics.ts";

const MOST_ATTENTION = 50;
const MOST_PROBLEMS = 200;
const LONGEST_REASON = 1_000;
/** The most urgent kind comes first. */
const URGENCY: readonly Attention["kind"][] = ["approval", "changedTools", "signIn", "value", "failed"];

/** The route of the overview, which is also part of every snapshot. */
export function overviewRoutes(context: PageContext, earlier: EarlierRequests): Route[] {
  return [
    {
      method: "GET",
      path: "overview",
      right: "read",
      answer: () => describeOverview(context, earlier),
    },
  ];
}

export async function describeOverview(context: PageContext, earlier: EarlierRequests): Promise<Overview> {
  const { records, workspace } = context.gateway;
  await earlier.add();
  const minutes = records.metrics.hour.steps(workspace.ports.clock.now());
  const problems = problemsOf(context);
  return {
    servers: countServers(context),
    clients: records.clients.all().length,
    running: records.clients.running(),
    callsPerMinute: minutes.at(-2)?.calls ?? 0, // the last minute is not over
    errorsLastHour: minutes.reduce((sum, { errors }) => sum + errors, 0),
    attention: (await attentionIn(context)).slice(0, MOST_ATTENTION),
    problems: problems.slice(0, MOST_PROBLEMS),
    problemCount: problems.length,
  };
}

function statesOf({ gateway }: PageContext): [server: string, ServerState][] {
  const { workspace, records } = gateway;
  return shownServers(workspace).map((server) => [server.name, records.states.of(server)]);
}

function countServers(context: PageContext): Overview["servers"] {
  const states = statesOf(context).map(([, state]) => state);
  const count = (isWanted: (state: ServerState) => boolean): number => states.filter(isWanted).length;
  return {
    total: states.length,
    connected: count(({ state }) => state === "connected"),
    failed: count((one) => one.state === "invalid" || attentionFor(one) === "failed"),
    needsPerson: count(
      (one) => one.state === "untrusted" || ["signIn", "value"].includes(attentionFor(one) ?? ""),
    ),
    disabled: count(({ state }) => state === "disabled"),
  };
}

/** Returns what a connection's state requires of a person. */
function attentionFor({ state, errorCode }: ServerState): Attention["kind"] | undefined {
  if (state === "needs_auth" || state === "needs_client_registration") return "signIn";
  if (state !== "failed") return undefined;
  return errorCode === "VALUE_UNRESOLVED" ? "value" : "failed";
}

async function attentionIn(context: PageContext): Promise<Attention[]> {
  const approvals = launchesToApprove(context).map(
    ({ server, status }): Attention => ({
      kind: "approval",
      server,
      text:
        status === "new"
          ? "Defined by this project; not approved yet."
          : "Its launch changed since you approved it.",
    }),
  );
  const changed = (await serversWithChangedTools(context)).map(
    ({ report: { server, differences, unreadable } }): Attention => ({
      kind: "changedTools",
      server,
      text: unreadable ?? describeCount(differences.length),
    }),
  );
  const others = statesOf(context).flatMap(([server, state]): Attention[] => {
    const kind = attentionFor(state);
    return kind === undefined ? [] : [{ kind, server, text: truncate(state.because ?? "", LONGEST_REASON) }];
  });
  const rank = ({ kind }: Attention): number => URGENCY.indexOf(kind);
  return [...approvals, ...changed, ...others].sort((one, other) => rank(one) - rank(other));
}

function describeCount(count: number): string {
  return count === 1
    ? "A tool changed since it was reviewed."
    : `${count} tools changed since they were reviewed.`;
}

/** Returns the problems of files, entries and tools, errors first. Entries' problems can also be among those of the host. */
function problemsOf({ host }: PageContext): PageProblem[] {
  const all = [...host.snapshot().problems, ...host.servers().flatMap(({ problems }) => problems)];
  const distinct = new Map(all.map((problem) => [JSON.stringify(problem), problem]));
  const rank = ({ severity }: PageProblem): number => (severity === "error" ? 0 : 1);
  return Array.from(distinct.values(), describeProblem).sort((one, other) => rank(one) - rank(other));
}
