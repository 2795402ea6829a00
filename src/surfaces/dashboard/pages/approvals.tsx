import type { VNode } from "preact";
import type { ApprovalsDocument, ChangedToolsRow, LaunchRow, WaitingCall } from "../../../page-api.ts";
import { useDocument } from "../gateway/use-document.ts";
import { Badge } from "../parts/badge.tsx";
import { CodeBlock } from "../parts/copy.tsx";
import { Empty } from "../parts/notice.tsx";
import { Card, DocumentView, Page, ReadOnly } from "../parts/page.tsx";
import { Place } from "../parts/place.tsx";
import { Row } from "../parts/rows.tsx";
import { Time } from "../parts/time.tsx";
import { linkTo } from "../routes.ts";
import { plural } from "../text/format.ts";
import { AllowedCalls, GivenApprovals } from "./given-approvals.tsx";

export function ApprovalsPage(): VNode {
  const document = useDocument<ApprovalsDocument>("approvals", "approvals");
  return (
    <Page
      title="Approvals"
      intro={<p>Everything that needs your approval, and everything that you approved.</p>}
    >
      <ReadOnly right="approvals.decide" what="approve or revoke" />
      <DocumentView document={document} what="the approvals">
        {(data) => (
          <>
            {data.launches.length + data.changedTools.length + data.calls.length === 0 ? (
              <Empty icon="approvals" title="Nothing waits for approval">
                <p>New servers of a project, changed launches and changed tools appear here.</p>
              </Empty>
            ) : null}
            <Launches launches={data.launches} />
            <ChangedTools rows={data.changedTools} />
            <WaitingCalls calls={data.calls} />
            <GivenApprovals rows={data.given} />
            <AllowedCalls rows={data.allowedCalls} />
          </>
        )}
      </DocumentView>
    </Page>
  );
}

function Launches({ launches }: { readonly launches: readonly LaunchRow[] }): VNode | null {
  if (launches.length === 0) return null;
  return (
    <Card
      id="launches"
      title="Launches"
      note="These servers start only after you have approved exactly what they run."
    >
      <ul class="rows">
        {launches.map((launch) => (
          <Row
            key={launch.server}
            lead={
              launch.status === "new" ? (
                <Badge tone="info" icon="info" text="New" />
              ) : (
                <Badge tone="warn" icon="refresh" text="Changed" />
              )
            }
            action={
              <Review
                link={linkTo("approvals", ["launch", launch.server])}
                what={`the launch of ${launch.server}`}
              />
            }
          >
            <p class="strong">{launch.server}</p>
            <p class="small">
              <Place place={launch.place} /> <span class="soft">{launch.tool}</span>
            </p>
          </Row>
        ))}
      </ul>
    </Card>
  );
}

function ChangedTools({ rows }: { readonly rows: readonly ChangedToolsRow[] }): VNode | null {
  if (rows.length === 0) return null;
  return (
    <Card
      id="changed-tools"
      title="Changed tools"
      note="These servers changed their tools since you reviewed them."
    >
      <ul class="rows">
        {rows.map((row) => (
          <Row
            key={row.server}
            lead={
              row.findings.length > 0 ? (
                <Badge tone="bad" icon="warning" text="Suspicious" />
              ) : (
                <Badge tone="warn" icon="tools" text={row.isFirst ? "First review" : "Changed"} />
              )
            }
            action={
              <Review link={linkTo("approvals", ["tools", row.server])} what={`the tools of ${row.server}`} />
            }
          >
            <p class="strong">{row.server}</p>
            <p class="soft">{changesText(row)}</p>
            <p class="soft">{heldText(row)}</p>
          </Row>
        ))}
      </ul>
    </Card>
  );
}

function Review({ link, what }: { readonly link: string; readonly what: string }): VNode {
  return (
    <a class="button primary" href={link}>
      <span>
        Review<span class="unseen"> {what}</span>
      </span>
    </a>
  );
}

/** Whether the tools can be called before they are accepted. */
export function heldText({ isHeld }: ChangedToolsRow): string {
  return isHeld
    ? "Changed and new tools cannot be called until you accept them."
    : "Until then, the tools can be called as before.";
}

/** `2 changed, 1 new`. */
export function changesText({ tools, findings }: ChangedToolsRow): string {
  const kinds = (["changed", "new", "gone"] as const).map(
    (kind) => [kind, tools.filter((tool) => tool.kind === kind).length] as const,
  );
  return [
    ...kinds.filter(([, number]) => number > 0).map(([kind, number]) => `${plural(number, "tool")} ${kind}`),
    ...(findings.length === 0 ? [] : [plural(findings.length, "warning")]),
  ].join(", ");
}

function WaitingCalls({ calls }: { readonly calls: readonly WaitingCall[] }): VNode | null {
  if (calls.length === 0) return null;
  return (
    <Card id="waiting-calls" title="Waiting calls">
      <ul class="rows">
        {calls.map((call) => (
          <Row key={call.id} isTop lead={<Badge tone="warn" icon="clock" text="Waits" />}>
            <p class="strong">
              {call.server}: {call.tool}
            </p>
            <p class="soft">
              {call.client === undefined ? "" : `Called by ${call.client}. `}Until{" "}
              <Time at={call.expiresAt} />. The policy: {call.rule}
            </p>
            <CodeBlock text={JSON.stringify(call.arguments, undefined, 2)} what="the arguments" isReadOnly />
          </Row>
        ))}
      </ul>
    </Card>
  );
}
