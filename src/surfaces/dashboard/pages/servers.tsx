import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ServerRow, ServersDocument } from "../../../page-api.ts";
import { useDocument } from "../gateway/use-document.ts";
import { StateBadge } from "../parts/badge.tsx";
import { Empty } from "../parts/notice.tsx";
import { DocumentView, Page, ReadOnly } from "../parts/page.tsx";
import { Place } from "../parts/place.tsx";
import { SearchField } from "../parts/search-field.tsx";
import { Table } from "../parts/table.tsx";
import { linkTo } from "../routes.ts";
import { count, plural } from "../text/format.ts";
import { shortReason } from "../text/reasons.ts";
import { ServerActions } from "./server-actions.tsx";

export function ServersPage(): VNode {
  const document = useDocument<ServersDocument>("servers", "servers");
  const [query, setQuery] = useState("");
  return (
    <Page
      title="Servers"
      intro={<p>Every server that Plugboard found, where it is defined, and its state.</p>}
    >
      <ReadOnly right="servers.control" what="reconnect, enable or disable servers" />
      <DocumentView document={document} what="the servers">
        {({ servers }) =>
          servers.length === 0 ? (
            <Empty icon="servers" title="No servers yet">
              <p>
                Add one in a terminal: <code>plugboard add</code>. For safety, this page cannot add programs.
              </p>
            </Empty>
          ) : (
            <>
              <div class="tools">
                <SearchField label="Filter servers" value={query} onChange={setQuery} />
              </div>
              <Found servers={servers} query={query} />
            </>
          )
        }
      </DocumentView>
    </Page>
  );
}

function Found({
  servers,
  query,
}: {
  readonly servers: readonly ServerRow[];
  readonly query: string;
}): VNode {
  const found = servers.filter((server) => matches(server, query));
  return (
    <>
      <p class="soft" role="status">
        {found.length === servers.length
          ? plural(servers.length, "server")
          : `${count(found.length)} of ${plural(servers.length, "server")}`}
      </p>
      {found.length === 0 ? null : (
        <Table
          caption="Servers"
          rows={found}
          keyOf={({ name }) => name}
          columns={[
            {
              title: "Server",
              isHead: true,
              show: (server) => (
                <>
                  <a class="strong" href={linkTo("servers", [server.name])}>
                    {server.name}
                  </a>
                  <span class="sub mono cut" title={server.launch}>
                    {server.launch}
                  </span>
                </>
              ),
            },
            {
              title: "State",
              wide: true,
              show: (server) => (
                <>
                  <StateBadge state={server.state} />
                  {server.because === undefined ? null : (
                    <span class="sub clamp" title={server.because}>
                      {shortReason(server.name, server.because)}
                    </span>
                  )}
                </>
              ),
            },
            {
              title: "Defined in",
              wide: true,
              show: (server) => (
                <>
                  <Place place={server.place} />
                  <span class="sub">
                    {server.tool} · {server.tier}
                  </span>
                </>
              ),
            },
            {
              title: "Tools",
              isNumber: true,
              show: (server) => (server.tools === undefined ? "–" : count(server.tools)),
            },
            { title: "Actions", isUntitled: true, show: (server) => <ServerActions server={server} small /> },
          ]}
        />
      )}
    </>
  );
}

function matches({ name, launch, place, tool, state }: ServerRow, query: string): boolean {
  const text = [name, launch, place.file, tool, state].join("\n").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
