import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ActivityOutcome, ServersDocument } from "../../../page-api.ts";
import type { ActivityQuery } from "../gateway/use-activity.ts";
import { useDocument } from "../gateway/use-document.ts";
import { replaceRoute } from "../navigation.ts";
import { lookOfOutcome } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { SearchField } from "../parts/search-field.tsx";
import { Select } from "../parts/select.tsx";
import { useSettled } from "../parts/use-settled.ts";
import { linkTo } from "../routes.ts";
import { startOfDay } from "../text/times.ts";

/** The filters, as they are in the address. */
const NAMES = ["item", "server", "outcome", "span", "method", "session"] as const;

const PROBLEMS: readonly ActivityOutcome[] = ["tool_error", "refused", "failed", "cancelled", "timed_out"];

const SPANS: Readonly<
  Record<string, { readonly text: string; readonly times: (now: number) => readonly [number, number?] }>
> = {
  hour: { text: "Last hour", times: (now) => [now - 3_600_000] },
  today: { text: "Today", times: (now) => [startOfDay(now)] },
  yesterday: { text: "Yesterday", times: (now) => [startOfDay(startOfDay(now) - 1), startOfDay(now) - 1] },
  week: { text: "Last 7 days", times: (now) => [now - 7 * 86_400_000] },
};

const METHODS = [
  "tools/call",
  "tools/list",
  "resources/read",
  "resources/list",
  "prompts/get",
  "prompts/list",
  "completion/complete",
];

export function hasFilter(query: URLSearchParams): boolean {
  return NAMES.some((name) => (query.get(name) ?? "") !== "");
}

/** Returns the query for the gateway. */
export function toQuery(query: URLSearchParams, now: number = Date.now()): ActivityQuery {
  const value = (name: (typeof NAMES)[number]): string | undefined => query.get(name) ?? undefined;
  const outcome = value("outcome");
  const [since, until] = SPANS[value("span") ?? ""]?.times(now) ?? [];
  return {
    server: value("server"),
    item: value("item"),
    method: value("method"),
    session: value("session"),
    outcome: outcome === "problems" ? PROBLEMS.join(",") : outcome,
    since,
    until,
  };
}

export function ActivityFilters({ query }: { readonly query: URLSearchParams }): VNode {
  const servers = useDocument<ServersDocument>("servers", "servers");
  const set = (changes: Readonly<Record<string, string>>): void =>
    replaceRoute(linkTo("activity", [], { ...Object.fromEntries(query), ...changes }));
  const item = query.get("item") ?? "";
  const [text, setText] = useState(item);
  const settled = useSettled(text);
  useEffect(() => {
    if (settled === text && settled !== item) set({ item: settled });
  }, [settled]);
  useEffect(() => setText(item), [item]);
  const server = query.get("server") ?? "";
  const names = new Set([
    ...(server === "" ? [] : [server]),
    ...(servers.data?.servers ?? []).map(({ name }) => name),
  ]);
  const method = query.get("method") ?? "";
  const session = query.get("session") ?? "";
  return (
    <div class="tools" role="search" aria-label="Filters">
      <SearchField label="Tool, prompt or resource" value={text} onChange={setText} />
      <Select
        label="Outcome"
        value={query.get("outcome") ?? ""}
        choices={[
          { value: "", text: "All" },
          { value: "problems", text: "All but OK" },
          ...["ok" as const, ...PROBLEMS].map((outcome) => ({
            value: outcome,
            text: lookOfOutcome(outcome).text,
          })),
        ]}
        onChange={(outcome) => set({ outcome })}
      />
      <Select
        label="Time"
        value={query.get("span") ?? ""}
        choices={[
          { value: "", text: "Any" },
          ...Object.entries(SPANS).map(([value, span]) => ({ value, text: span.text })),
        ]}
        onChange={(span) => set({ span })}
      />
      <Select
        label="Server"
        value={server}
        choices={[{ value: "", text: "All" }, ...[...names].map((name) => ({ value: name, text: name }))]}
        onChange={(value) => set({ server: value })}
      />
      <Select
        label="Method"
        value={method}
        choices={[
          { value: "", text: "All" },
          ...[...new Set([...METHODS, method])]
            .filter((name) => name !== "")
            .map((name) => ({ value: name, text: name })),
        ]}
        onChange={(value) => set({ method: value })}
      />
      {session === "" ? null : (
        <Button small icon="cross" onClick={() => set({ session: "" })}>
          One client only
          <span class="unseen">: remove this filter</span>
        </Button>
      )}
      {hasFilter(query) ? (
        <Button kind="quiet" onClick={() => replaceRoute(linkTo("activity"))}>
          Clear filters
        </Button>
      ) : null}
    </div>
  );
}
