import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { ActivityRow } from "../../../page-api.ts";
import { OFFLINE } from "../gateway/request.ts";
import { type Activity, useActivity } from "../gateway/use-activity.ts";
import { Button } from "../parts/button.tsx";
import { Empty, Failure } from "../parts/notice.tsx";
import { Loading, Page } from "../parts/page.tsx";
import { linkTo } from "../routes.ts";
import { count, plural } from "../text/format.ts";
import { ActivityDetails } from "./activity-details.tsx";
import { ActivityFilters, hasFilter, toQuery } from "./activity-filters.tsx";
import { ActivityTable } from "./activity-table.tsx";

export function ActivityPage({ query }: { readonly query: URLSearchParams }): VNode {
  const [isLive, setLive] = useState(true);
  const [opened, setOpened] = useState<ActivityRow>();
  const text = query.toString();
  const activity = useActivity(
    useMemo(() => toQuery(query), [text]),
    isLive,
  );
  return (
    <Page
      title="Activity"
      intro={<p>Every request of a client, the newest first. Arguments and results are not recorded.</p>}
      actions={
        <Button icon={isLive ? "pause" : "play"} onClick={() => setLive(!isLive)}>
          {isLive ? "Pause" : "Resume"}
          <span class="unseen"> live updates</span>
        </Button>
      }
    >
      <ActivityFilters query={query} />
      <Content activity={activity} query={query} isLive={isLive} onOpen={setOpened} />
      {opened === undefined ? null : <ActivityDetails row={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  );
}

interface ContentProps {
  readonly activity: Activity;
  readonly query: URLSearchParams;
  readonly isLive: boolean;
  readonly onOpen: (row: ActivityRow) => void;
}

function Content({ activity, query, isLive, onOpen }: ContentProps): VNode {
  const { rows, hasOlder, reload } = activity;
  const failure = activity.failure?.code === OFFLINE ? undefined : activity.failure;
  if (rows === undefined)
    return failure === undefined ? (
      <Loading what="the activity" />
    ) : (
      <Failure failure={failure} what="Could not load the activity." onRetry={reload} />
    );
  return (
    <>
      <Failure
        failure={failure}
        what="Could not load more activity."
        onRetry={hasOlder ? activity.loadOlder : reload}
      />
      <p class="soft">
        {plural(rows.length, "request")}
        {hasOlder ? " loaded. Scroll down for older ones" : ""}
        {isLive ? "" : ". Live updates are paused"}
      </p>
      <p class="unseen" role="status">
        {rows.length === 0
          ? "No request matches"
          : hasFilter(query)
            ? `${count(rows.length)} requests match`
            : ""}
      </p>
      {rows.length === 0 ? (
        <NoActivity query={query} />
      ) : (
        <ActivityTable activity={activity} rows={rows} onOpen={onOpen} />
      )}
    </>
  );
}

function NoActivity({ query }: { readonly query: URLSearchParams }): VNode {
  if (hasFilter(query))
    return (
      <Empty icon="search" title="No request matches the filters">
        <p>
          <a href={linkTo("activity")}>Remove all filters</a>
        </p>
      </Empty>
    );
  return (
    <Empty icon="activity" title="No activity yet">
      <p>
        Client requests appear here. <a href={linkTo("setup")}>Set up a client</a>
      </p>
    </Empty>
  );
}
