import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Attention, MetricsDocument, Overview, PageProblem } from "../../../page-api.ts";
import { ShareBar, Sparkline } from "../charts/small.tsx";
import { useGateway, useLive } from "../gateway/context.ts";
import { withQuery } from "../gateway/request.ts";
import { useDocument } from "../gateway/use-document.ts";
import { Badge, type Tone } from "../parts/badge.tsx";
import { Choice } from "../parts/choice.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { Empty } from "../parts/notice.tsx";
import { Card, DocumentView, Page } from "../parts/page.tsx";
import { Problems } from "../parts/problems.tsx";
import { Row } from "../parts/rows.tsx";
import { linkTo } from "../routes.ts";
import { compact, count, plural } from "../text/format.ts";
import { shortReason } from "../text/reasons.ts";
import { CallsChart, LatencyChart, StatesChart, TokensChart } from "./overview-charts.tsx";

export function OverviewPage(): VNode {
  const { snapshot } = useLive();
  const { session } = useGateway();
  const loaded = useDocument<Overview>("overview");
  const [window, setWindow] = useState<"hour" | "day">("hour");
  const metrics = useDocument<MetricsDocument>(withQuery("metrics", { window }), "metrics");
  const document =
    snapshot === undefined ? loaded : { ...loaded, data: snapshot.overview, failure: undefined };
  return (
    <Page title="Overview" intro={<p>The servers of {session.folder}</p>}>
      <DocumentView document={document} what="the overview">
        {(overview) => (
          <>
            <Waiting attention={overview.attention} />
            <Tiles overview={overview} metrics={metrics.data} />
            {overview.servers.total === 0 ? <NoServers /> : null}
          </>
        )}
      </DocumentView>
      {document.data?.servers.total === 0 ? null : (
        <DocumentView document={metrics} what="the charts">
          {(data) => (
            <div class="charts">
              <CallsChart
                metrics={data}
                actions={
                  <Choice
                    legend="Time span of the charts"
                    value={window}
                    choices={[
                      { value: "hour", text: "Hour" },
                      { value: "day", text: "Day" },
                    ]}
                    onChange={setWindow}
                  />
                }
              />
              <TokensChart metrics={data} />
              <LatencyChart metrics={data} />
              <StatesChart metrics={data} />
            </div>
          )}
        </DocumentView>
      )}
      {document.data === undefined ? null : (
        <ProblemsCard problems={document.data.problems} total={document.data.problemCount} />
      )}
    </Page>
  );
}

interface Kind {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly text: string;
  readonly action: string;
  readonly link: (server: string) => string;
}

const KINDS: Readonly<Record<Attention["kind"], Kind>> = {
  approval: {
    tone: "warn",
    icon: "approvals",
    text: "Approval",
    action: "Review",
    link: (server) => linkTo("approvals", ["launch", server]),
  },
  changedTools: {
    tone: "warn",
    icon: "tools",
    text: "Changed tools",
    action: "Review",
    link: (server) => linkTo("approvals", ["tools", server]),
  },
  signIn: {
    tone: "warn",
    icon: "lock",
    text: "Sign-in",
    action: "Sign in",
    link: (server) => linkTo("connections", [], { server }),
  },
  value: {
    tone: "warn",
    icon: "connections",
    text: "Missing value",
    action: "Show",
    link: (server) => linkTo("servers", [server]),
  },
  failed: {
    tone: "bad",
    icon: "cross",
    text: "Failed",
    action: "Show",
    link: (server) => linkTo("servers", [server]),
  },
};

const UNKNOWN_KIND: Kind = { ...KINDS.failed, tone: "warn", icon: "info", text: "Other" };

function Waiting({ attention }: { readonly attention: readonly Attention[] }): VNode {
  if (attention.length === 0)
    return (
      <p class="all-well">
        <Icon name="check" /> Nothing needs you.
      </p>
    );
  return (
    <Card
      id="waiting"
      title={attention.length === 1 ? "1 thing needs you" : `${attention.length} things need you`}
    >
      <ul class="rows">
        {attention.map((item) => {
          const { link, action, ...look } = KINDS[item.kind] ?? UNKNOWN_KIND;
          return (
            <Row
              key={`${item.kind} ${item.server}`}
              lead={<Badge {...look} />}
              action={
                <a class={`button ${action === "Show" ? "plain" : "primary"}`} href={link(item.server)}>
                  <span>
                    {action}
                    <span class="unseen"> {item.server}</span>
                  </span>
                </a>
              }
            >
              <p class="strong">{item.server}</p>
              <p class="soft">{shortReason(item.server, item.text)}</p>
            </Row>
          );
        })}
      </ul>
    </Card>
  );
}

interface TilesProps {
  readonly overview: Overview;
  readonly metrics: MetricsDocument | undefined;
}

function Tiles({ overview, metrics }: TilesProps): VNode {
  const { total, connected, failed, needsPerson, disabled } = overview.servers;
  const hasCalls = metrics?.calls.some((calls) => calls > 0) !== false;
  const other = Math.max(0, total - connected - failed - needsPerson - disabled);
  return (
    <ul class="tiles">
      <Tile
        title="Servers"
        link={linkTo("servers")}
        value={count(connected)}
        unit={`of ${count(total)} connected`}
      >
        <ShareBar
          shares={[
            { series: "good", value: connected },
            { series: "warn", value: needsPerson },
            { series: "bad", value: failed },
            { series: "idle", value: other + disabled },
          ]}
        />
        <p class="soft">
          {[
            failed > 0 && `${count(failed)} failed`,
            needsPerson > 0 && `${count(needsPerson)} waiting for you`,
            other > 0 && `${count(other)} idle`,
            disabled > 0 && `${count(disabled)} disabled`,
          ]
            .filter(Boolean)
            .join(" · ") || (total === 0 ? "None is configured" : "All connected")}
        </p>
      </Tile>
      <Tile
        title="Clients"
        link={linkTo("clients")}
        value={count(overview.clients)}
        unit={overview.clients === 1 ? "client" : "clients"}
      >
        <p class="soft">
          {overview.running === 0
            ? "No request is running"
            : `${plural(overview.running, "request")} running`}
        </p>
      </Tile>
      <Tile
        title="Calls"
        link={linkTo("activity")}
        value={compact(overview.callsPerMinute)}
        unit="in the last full minute"
      >
        {metrics === undefined ? null : <Sparkline values={metrics.calls} />}
      </Tile>
      <Tile
        title="Errors"
        link={linkTo("activity", [], { outcome: "problems" })}
        value={compact(overview.errorsLastHour)}
        unit="in the last hour"
        isBad={overview.errorsLastHour > 0}
      >
        <p class="soft">
          {overview.errorsLastHour > 0
            ? "Failed and refused requests"
            : hasCalls
              ? "Every request succeeded"
              : "No requests"}
        </p>
      </Tile>
    </ul>
  );
}

interface TileProps {
  readonly title: string;
  readonly link: string;
  readonly value: string;
  readonly unit: string;
  readonly isBad?: boolean;
  readonly children: VNode | null | (VNode | null)[];
}

function Tile({ title, link, value, unit, isBad = false, children }: TileProps): VNode {
  return (
    <li class="tile">
      <h2>
        <a href={link}>{title}</a>
      </h2>
      <p>
        <span class={isBad ? "big bad" : "big"}>{value}</span> <span class="soft">{unit}</span>
      </p>
      {children}
    </li>
  );
}

function NoServers(): VNode {
  return (
    <Empty icon="servers" title="No servers yet">
      <p>
        Add one in a terminal: <code>plugboard add</code>. For safety, this page cannot add programs.
      </p>
    </Empty>
  );
}

interface ProblemsCardProps {
  readonly problems: readonly PageProblem[];
  readonly total: number;
}

function ProblemsCard({ problems, total }: ProblemsCardProps): VNode {
  return (
    <Card
      id="problems"
      title="Problems"
      note={total > problems.length ? `The first ${count(problems.length)} of ${count(total)}.` : undefined}
    >
      {problems.length === 0 ? (
        <p class="soft">No problems in config files and tools.</p>
      ) : (
        <Problems problems={problems} />
      )}
    </Card>
  );
}
