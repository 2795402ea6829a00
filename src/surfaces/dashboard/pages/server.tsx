import type { VNode } from "preact";
import type { MetricsDocument, ServerDetails } from "../../../page-api.ts";
import { pathOf } from "../gateway/request.ts";
import { useDocument } from "../gateway/use-document.ts";
import { StateBadge } from "../parts/badge.tsx";
import { CodeBlock } from "../parts/copy.tsx";
import { Chips, Facts } from "../parts/facts.tsx";
import { Notice } from "../parts/notice.tsx";
import { Card, DocumentView, Page, ReadOnly } from "../parts/page.tsx";
import { Path, Place } from "../parts/place.tsx";
import { Problems } from "../parts/problems.tsx";
import { linkTo } from "../routes.ts";
import { plural } from "../text/format.ts";
import { shortReason } from "../text/reasons.ts";
import { nextStep, ServerActions } from "./server-actions.tsx";
import { ServerCharts } from "./server-charts.tsx";
import { ServerLogs } from "./server-logs.tsx";

export function ServerPage({ name }: { readonly name: string }): VNode {
  const document = useDocument<ServerDetails>(pathOf("servers", name), "servers");
  const metrics = useDocument<MetricsDocument>("metrics?window=hour", "metrics");
  const server = document.data;
  return (
    <Page
      title={name}
      parent={{ title: "Servers", link: linkTo("servers") }}
      badge={server === undefined ? undefined : <StateBadge state={server.state} />}
      actions={server === undefined ? undefined : <ServerActions server={server} />}
    >
      <ReadOnly right="servers.control" what="reconnect, enable or disable servers" />
      <DocumentView document={document} what="the server">
        {(details) => (
          <>
            <Reason server={details} />
            <Definition server={details} />
            <About server={details} />
            {details.problemList.length === 0 ? null : (
              <Card id="problems" title="Problems">
                <Problems problems={details.problemList} />
              </Card>
            )}
            <ServerCharts metrics={metrics.data} server={name} />
            {details.transport === "stdio" ? <ServerLogs server={name} /> : null}
          </>
        )}
      </DocumentView>
    </Page>
  );
}

/** Why the server is not connected, and the page where that can be resolved. */
function Reason({ server }: { readonly server: ServerDetails }): VNode | null {
  const { state, because, hint, errorCode, name } = server;
  if (because === undefined && hint === undefined) return null;
  const next = nextStep(server);
  return (
    <Notice
      tone={state === "failed" || state === "invalid" ? "bad" : "info"}
      title={because === undefined ? `${name} is ${state}.` : shortReason(name, because)}
    >
      {hint === undefined ? null : <p>{hint}</p>}
      {errorCode === undefined ? null : <p class="soft small">{errorCode}</p>}
      {next === undefined ? null : (
        <p>
          <a class="button primary" href={next.link}>
            {next.text}
          </a>
        </p>
      )}
    </Notice>
  );
}

function Definition({ server }: { readonly server: ServerDetails }): VNode {
  return (
    <Card id="definition" title="Definition">
      <Facts
        facts={[
          ["File", <Place key="file" place={server.place} />],
          ["Tool and tier", `${server.tool}, ${server.tier}`],
          ["Transport", server.transport ?? undefined],
          ["Launch", <CodeBlock key="launch" text={server.launch} what="the launch" isReadOnly />],
          ["Folder", server.cwd === undefined ? undefined : <Path text={server.cwd} />],
          ["Variables", server.env.length === 0 ? undefined : <Chips key="env" texts={server.env} />],
          [
            "Headers",
            server.headers.length === 0 ? undefined : <Chips key="headers" texts={server.headers} />,
          ],
          ["Enabled", server.enabled ? "yes" : "no"],
          [
            "Also defined in",
            server.shadows.length === 0 ? undefined : (
              <ul class="plain" key="shadows">
                {server.shadows.map((place, index) => (
                  <li key={index}>
                    <Place place={place} /> <span class="soft">(not used)</span>
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
    </Card>
  );
}

function About({ server }: { readonly server: ServerDetails }): VNode | null {
  const { facts, tools, name } = server;
  if (facts === undefined && tools === undefined) return null;
  return (
    <Card
      id="about"
      title="About the server"
      note="Reported by the server, not verified."
      actions={
        tools === undefined ? undefined : (
          <a class="button quiet small" href={linkTo("tools", [], { server: name })}>
            {plural(tools, "tool")}
          </a>
        )
      }
    >
      {facts === undefined ? null : (
        <Facts
          facts={[
            ["Name", [facts.name, facts.version].filter(Boolean).join(" ") || undefined],
            ["Protocol", `${facts.protocolVersion} (${facts.era})`],
            [
              "Capabilities",
              facts.capabilities.length === 0 ? "none" : <Chips key="chips" texts={facts.capabilities} />,
            ],
            [
              "Instructions",
              facts.instructions === undefined ? undefined : (
                <CodeBlock key="instructions" text={facts.instructions} what="the instructions" isReadOnly />
              ),
            ],
          ]}
        />
      )}
    </Card>
  );
}
