import type { VNode } from "preact";
import type { ClientRow, ClientsDocument, Done } from "../../../page-api.ts";
import { useRight } from "../gateway/context.ts";
import { pathOf, send } from "../gateway/request.ts";
import { useAction } from "../gateway/use-action.ts";
import { useDocument } from "../gateway/use-document.ts";
import { ActionButton } from "../parts/button.tsx";
import { Empty, Failure } from "../parts/notice.tsx";
import { DocumentView, Page, ReadOnly } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { linkTo } from "../routes.ts";
import { count, plural } from "../text/format.ts";

export function ClientsPage(): VNode {
  const document = useDocument<ClientsDocument>("clients", "clients");
  return (
    <Page title="Clients" intro={<p>Programs that use the servers through Plugboard now.</p>}>
      <ReadOnly right="clients.end" what="disconnect clients" />
      <DocumentView document={document} what="the clients">
        {({ clients }) =>
          clients.length === 0 ? (
            <Empty icon="clients" title="No client is connected">
              <p>
                <a href={linkTo("setup")}>Set up a client</a>. It appears here with its first request.
              </p>
            </Empty>
          ) : (
            <>
              <p class="soft" role="status">
                {plural(clients.length, "client")}
              </p>
              <Rows clients={clients} />
            </>
          )
        }
      </DocumentView>
    </Page>
  );
}

function Rows({ clients }: { readonly clients: readonly ClientRow[] }): VNode {
  return (
    <Table
      caption="Clients"
      rows={clients}
      keyOf={({ id }) => id}
      columns={[
        {
          title: "Client",
          isHead: true,
          show: (client) => (
            <>
              <span class="strong">{client.name ?? "Unnamed client"}</span>{" "}
              <span class="soft">{client.version ?? ""}</span>
              <span class="sub mono cut" title={client.id}>
                {client.id}
              </span>
            </>
          ),
        },
        {
          title: "Protocol",
          show: ({ transport, era }) => `${transport}, ${era}`,
        },
        { title: "Endpoint", show: ({ endpoint }) => <span class="mono">{endpoint}</span> },
        { title: "Connected", show: ({ since }) => <Time at={since} /> },
        { title: "Last request", show: ({ lastAt }) => <Time at={lastAt} style="ago" /> },
        {
          title: "Requests",
          isNumber: true,
          show: ({ requests, running }) =>
            running === 0 ? count(requests) : `${count(requests)} (${count(running)} running)`,
        },
        { title: "Actions", isUntitled: true, show: (client) => <ClientActions client={client} /> },
      ]}
    />
  );
}

function ClientActions({ client }: { readonly client: ClientRow }): VNode {
  const action = useAction();
  const canEnd = useRight("clients.end") && client.canEnd;
  const name = client.name ?? "the client";
  return (
    <div class="actions">
      <a class="button quiet small" href={linkTo("activity", [], { session: client.id })}>
        Activity<span class="unseen"> of {name}</span>
      </a>
      {canEnd ? (
        <ActionButton
          small
          kind="quiet"
          icon="off"
          isBusy={action.isRunning}
          about={name}
          onClick={() =>
            action.run(
              () => send<Done>(`${pathOf("clients", client.id)}/end`),
              () => `${name} is disconnected.`,
            )
          }
        >
          Disconnect
        </ActionButton>
      ) : null}
      <Failure failure={action.failure} what={`Could not disconnect ${name}.`} />
    </div>
  );
}
