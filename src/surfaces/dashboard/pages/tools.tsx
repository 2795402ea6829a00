import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ServersDocument, ToolHints, ToolRow, ToolsDocument } from "../../../page-api.ts";
import { withQuery } from "../gateway/request.ts";
import { useDocument } from "../gateway/use-document.ts";
import { replaceRoute } from "../navigation.ts";
import { DecisionBadge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Empty, Failure } from "../parts/notice.tsx";
import { DocumentView, Page } from "../parts/page.tsx";
import { SearchField } from "../parts/search-field.tsx";
import { Select } from "../parts/select.tsx";
import { Table } from "../parts/table.tsx";
import { useSettled } from "../parts/use-settled.ts";
import { linkTo } from "../routes.ts";
import { plural } from "../text/format.ts";

const LIMIT = 100;

export function ToolsPage({ query }: { readonly query: URLSearchParams }): VNode {
  const [text, setText] = useState(query.get("query") ?? "");
  const server = query.get("server") ?? "";
  const settled = useSettled(text);
  useEffect(() => replaceRoute(linkTo("tools", [], { query: settled, server })), [settled, server]);
  const path = (offset: number): string =>
    withQuery("tools", { query: settled, server, offset: offset || undefined, limit: LIMIT });
  const first = useDocument<ToolsDocument>(path(0), "tools");
  const servers = useDocument<ServersDocument>("servers", "servers");
  const names = (servers.data?.servers ?? []).map(({ name }) => name);
  return (
    <Page
      title="Tools"
      intro={<p>Search the tools of all servers, see what the policy decides, and try one.</p>}
    >
      <div class="tools">
        <SearchField label="Search tools" value={text} onChange={setText} />
        <Select
          label="Server"
          value={server}
          choices={[
            { value: "", text: "All servers" },
            ...names.map((name) => ({ value: name, text: name })),
          ]}
          onChange={(value) => replaceRoute(linkTo("tools", [], { query: settled, server: value }))}
        />
      </div>
      <DocumentView document={first} what="the tools">
        {(data) => (
          <>
            <p class="soft" role="status">
              {settled === ""
                ? plural(data.total, "tool")
                : `${plural(data.total, "tool")} for “${settled}”, best match first`}
            </p>
            {data.tools.length === 0 ? <NoTools query={settled} /> : <Rows tools={data.tools} />}
            {data.next === undefined ? null : <More key={path(0)} offset={data.next} path={path} />}
            <Unknown servers={data.unknown} />
          </>
        )}
      </DocumentView>
    </Page>
  );
}

function NoTools({ query }: { readonly query: string }): VNode {
  return (
    <Empty icon="tools" title={query === "" ? "No tools yet" : "No tool matches"}>
      {query === "" ? (
        <p>
          Tools appear when a server connects for the first time.{" "}
          <a href={linkTo("servers")}>Connect a server</a>
        </p>
      ) : (
        <p>Try other words, or search all servers.</p>
      )}
    </Empty>
  );
}

/** The next rows, which are loaded on request. */
function More({
  offset,
  path,
}: {
  readonly offset: number;
  readonly path: (offset: number) => string;
}): VNode {
  const [isOpen, setOpen] = useState(false);
  const document = useDocument<ToolsDocument>(isOpen ? path(offset) : undefined, "tools");
  if (document.data !== undefined)
    return (
      <>
        <Rows tools={document.data.tools} />
        {document.data.next === undefined ? null : <More offset={document.data.next} path={path} />}
      </>
    );
  return (
    <>
      <Failure failure={document.failure} what="Could not load more tools." onRetry={document.reload} />
      <p>
        <Button onClick={() => setOpen(true)} isBusy={isOpen && document.failure === undefined}>
          Show more tools
        </Button>
      </p>
    </>
  );
}

function Rows({ tools }: { readonly tools: readonly ToolRow[] }): VNode {
  return (
    <Table
      caption="Tools"
      rows={tools}
      keyOf={({ server, tool }) => JSON.stringify([server, tool])}
      columns={[
        {
          title: "Tool",
          isHead: true,
          wide: true,
          show: (row) => (
            <>
              <a class="strong" href={linkTo("tools", [row.server, row.tool])}>
                {row.tool}
              </a>
              <span class="sub clamp">{row.description}</span>
            </>
          ),
        },
        { title: "Server", show: ({ server }) => <a href={linkTo("servers", [server])}>{server}</a> },
        { title: "Policy", show: ({ decision }) => <DecisionBadge decision={decision} /> },
        {
          title: "The server says",
          show: ({ annotations }) => <span class="soft">{hintsText(annotations)}</span>,
        },
      ]}
    />
  );
}

/** What a server declares about a tool, in words. */
export function hintsText({ readOnly, destructive, idempotent, openWorld }: ToolHints): string {
  return (
    [
      readOnly === true && "only reads",
      readOnly === false && destructive !== false && "can destroy data",
      readOnly === false && destructive === false && "changes data, but destroys none",
      readOnly === undefined && destructive === true && "can destroy data",
      idempotent === true && "repeatable",
      openWorld === true && "reaches other systems",
    ]
      .filter(Boolean)
      .join(", ") || "–"
  );
}

function Unknown({ servers }: { readonly servers: readonly string[] }): VNode | null {
  if (servers.length === 0) return null;
  return (
    <p class="soft">
      {servers.length === 1 ? "The tools of one server are" : `The tools of ${servers.length} servers are`}{" "}
      not known yet, because {servers.length === 1 ? "it" : "they"} never connected:{" "}
      {servers.map((name, index) => (
        <span key={name}>
          {index === 0 ? "" : ", "}
          <a href={linkTo("servers", [name])}>{name}</a>
        </span>
      ))}
    </p>
  );
}
