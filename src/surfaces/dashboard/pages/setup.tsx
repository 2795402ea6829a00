import { Fragment, type VNode } from "preact";
import { useState } from "preact/hooks";
import type { SetupDocument, SetupRow } from "../../../page-api.ts";
import { useDocument } from "../gateway/use-document.ts";
import { Badge } from "../parts/badge.tsx";
import { CodeBlock, CopyButton } from "../parts/copy.tsx";
import { Facts } from "../parts/facts.tsx";
import { Empty } from "../parts/notice.tsx";
import { Card, DocumentView, Page } from "../parts/page.tsx";
import { Path } from "../parts/place.tsx";
import { SearchField } from "../parts/search-field.tsx";

export function SetupPage(): VNode {
  const document = useDocument<SetupDocument>("setup");
  const [query, setQuery] = useState("");
  return (
    <Page
      title="Set up a client"
      intro={<p>One entry in a client's config file gives it all your servers.</p>}
    >
      <DocumentView document={document} what="the clients">
        {({ clients, skipped, http }) => (
          <>
            <div class="tools">
              <SearchField label="Filter clients" value={query} onChange={setQuery} />
            </div>
            <Clients
              clients={clients.filter(({ label, tool }) =>
                `${label} ${tool}`.toLowerCase().includes(query.toLowerCase()),
              )}
            />
            {http === undefined ? null : <Http http={http} />}
            {skipped.length === 0 ? null : (
              <Card id="skipped" title="Not possible">
                <Facts facts={skipped.map(({ label, reason }) => [label, reason] as const)} />
              </Card>
            )}
          </>
        )}
      </DocumentView>
    </Page>
  );
}

function Clients({ clients }: { readonly clients: readonly SetupRow[] }): VNode {
  if (clients.length === 0) return <Empty icon="clients" title="No client matches" />;
  return (
    <div class="cards">
      {clients.map((client, index) => (
        <Card
          key={client.tool}
          id={`client-${index}`}
          title={client.label}
          actions={client.isSetUp ? <Badge tone="good" icon="check" text="Set up" /> : undefined}
        >
          <p>Run this command. It shows the change first:</p>
          <div class="command">
            <Command text={client.command} />
            <CopyButton text={client.command} what={`the command for ${client.label}`} />
          </div>
          <p>
            Or add this to <Path text={client.file} />:
          </p>
          <CodeBlock text={client.snippet} what={`the snippet for ${client.label}`} />
        </Card>
      ))}
    </div>
  );
}

/** A command breaks between its words, not after their hyphens. */
function Command({ text }: { readonly text: string }): VNode {
  return (
    <code>
      {text.split(" ").map((word, index) => (
        <Fragment key={index}>
          {index === 0 ? "" : " "}
          <span class="word">{word}</span>
        </Fragment>
      ))}
    </code>
  );
}

function Http({ http }: { readonly http: NonNullable<SetupDocument["http"]> }): VNode {
  return (
    <Card
      id="http"
      title="Other clients, over HTTP"
      note="Send the token in the Authorization header: Bearer, a space, and the content of the token file."
    >
      <Facts
        facts={[
          ["URL", <CodeBlock key="url" text={http.url} what="the URL" />],
          [
            "Token file",
            <span key="file" class="place">
              {http.tokenFile}
            </span>,
          ],
        ]}
      />
    </Card>
  );
}
