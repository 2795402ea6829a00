import type { AuditEntry, AuditOutcome } from "../../../state/index.ts";
import type { ActivityDocument, ActivityRow } from "../api/activity-documents.ts";
import { numberIn, type PageContext } from "../page-context.ts";
import { invalidRequest } from "../page-failure.ts";
import type { Route } from "../route.ts";

const OUTCOMES: readonly AuditOutcome[] = ["ok", "tool_error", "refused", "failed", "cancelled", "timed_out"];
const MOST_ROWS = 1_000;
const LONGEST_FILTER = 1_000;

/** The route of the audit trail. */
export function activityRoutes(context: PageContext): Route[] {
  return [
    {
      method: "GET",
      path: "activity",
      right: "read",
      answer: ({ query }) => readActivity(context, query),
    },
  ];
}

async function readActivity(context: PageContext, query: URLSearchParams): Promise<ActivityDocument> {
  const { audit } = context.gateway.workspace.stores;
  const limit = numberIn(query, "limit", { least: 1, most: MOST_ROWS }) ?? 200;
  const revision = context.revision("activity");
  await audit.saved(); // the last requests may not be written yet
  const entries = await audit.read({
    kind: "request",
    since: numberIn(query, "since"),
    until: numberIn(query, "until"),
    server: filterIn(query, "server"),
    itemPart: filterIn(query, "item"),
    outcome: outcomesIn(filterIn(query, "outcome")),
    method: filterIn(query, "method"),
    session: filterIn(query, "session"),
    before: filterIn(query, "before"),
    after: filterIn(query, "after"),
    limit: limit + 1,
  });
  const rows = entries.slice(-limit).reverse().map(describeEntry);
  const next = entries.length > limit ? rows.at(-1)?.id : undefined;
  return { revision, rows, ...(next !== undefined && { next }) };
}

function filterIn(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name) ?? "";
  if (text.length > LONGEST_FILTER) throw invalidRequest(`"${name}" is too long.`);
  return text === "" ? undefined : text;
}

function outcomesIn(text: string | undefined): readonly AuditOutcome[] | undefined {
  return text?.split(",").map((word) => {
    const outcome = OUTCOMES.find((one) => one === word);
    if (outcome === undefined) throw invalidRequest(`"outcome" must be one of ${OUTCOMES.join(", ")}.`);
    return outcome;
  });
}

/** Copies only the known members. Another version of this program may have written others. */
function describeEntry(entry: AuditEntry): ActivityRow {
  const { id, at, client, session, endpoint, method, server, item, clientEra, serverEra, outcome } = entry;
  const { code, durationMs, bytesOut, argumentsHash } = entry;
  return {
    id,
    at,
    client: {
      ...(client.name !== undefined && { name: client.name }),
      ...(client.version !== undefined && { version: client.version }),
    },
    session,
    endpoint,
    method,
    ...(server !== undefined && { server }),
    ...(item !== undefined && { item }),
    clientEra,
    ...(serverEra !== undefined && { serverEra }),
    outcome,
    ...(code !== undefined && { code }),
    durationMs,
    bytesOut,
    ...(argumentsHash !== undefined && { argumentsHash }),
  };
}
