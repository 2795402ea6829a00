import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ConnectionsDocument, Done, SignInRow, SignOutRequest } from "../../../page-api.ts";
import { useRight } from "../gateway/context.ts";
import { send } from "../gateway/request.ts";
import { useAction } from "../gateway/use-action.ts";
import { useDocument } from "../gateway/use-document.ts";
import { Badge, SignInBadge } from "../parts/badge.tsx";
import { ActionButton } from "../parts/button.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Chips } from "../parts/facts.tsx";
import { Failure } from "../parts/notice.tsx";
import { Card, DocumentView, Page, ReadOnly } from "../parts/page.tsx";
import { Path } from "../parts/place.tsx";
import { Row } from "../parts/rows.tsx";
import { Table } from "../parts/table.tsx";
import { TextTime } from "../parts/time.tsx";
import { linkTo } from "../routes.ts";
import { SignIn } from "./sign-in.tsx";

export function ConnectionsPage({ query }: { readonly query: URLSearchParams }): VNode {
  const document = useDocument<ConnectionsDocument>("connections", "connections");
  return (
    <Page
      title="Connections"
      intro={
        <p>Your sign-ins at servers, and the names of your secrets. Tokens and values are never shown.</p>
      }
    >
      <ReadOnly right="connections.change" what="sign in or out" />
      <DocumentView document={document} what="the connections">
        {(data) => (
          <>
            <Needed data={data} wanted={query.get("server")} />
            <SignIns data={data} />
            <Secrets names={data.secrets} />
          </>
        )}
      </DocumentView>
    </Page>
  );
}

/** Servers that cannot be used before the person signs in. */
function Needed({
  data,
  wanted,
}: {
  readonly data: ConnectionsDocument;
  readonly wanted: string | null;
}): VNode | null {
  const names = [
    ...new Set([...data.needed.map(({ server }) => server), ...data.running.map(({ server }) => server)]),
  ];
  useEffect(() => {
    if (wanted !== null && names.includes(wanted)) document.getElementById("needed")?.focus();
  }, [wanted]);
  if (names.length === 0) return null;
  return (
    <Card id="needed" title={data.needed.length === 0 ? "Sign-in" : "Sign-in needed"}>
      <ul class="rows">
        {names.map((name) => {
          const running = data.running.filter(({ server }) => server === name).at(-1);
          const because = data.needed.find(({ server }) => server === name)?.because;
          return (
            <Row
              key={name}
              isWanted={name === wanted}
              lead={
                because === undefined ? undefined : <Badge tone="warn" icon="lock" text="Needs sign-in" />
              }
              action={<SignIn server={name} progress={running} isNeeded={because !== undefined} />}
            >
              <p class="strong">
                <a href={linkTo("servers", [name])}>{name}</a>
              </p>
              {because === undefined ? null : <p class="soft">{because}</p>}
            </Row>
          );
        })}
      </ul>
    </Card>
  );
}

function SignIns({ data }: { readonly data: ConnectionsDocument }): VNode {
  const canChange = useRight("connections.change");
  return (
    <Card id="sign-ins" title="Sign-ins">
      {data.signIns.length === 0 ? (
        <p class="soft">You are not signed in to a server.</p>
      ) : (
        <Table
          caption="Sign-ins"
          rows={data.signIns}
          keyOf={(row) => JSON.stringify([row.server, row.url, row.account, row.issuer])}
          columns={[
            {
              title: "Server",
              isHead: true,
              show: (row) => (
                <>
                  {row.server === undefined ? (
                    <span class="strong">{row.url ?? "Unknown server"}</span>
                  ) : (
                    <a class="strong" href={linkTo("servers", [row.server])}>
                      {row.server}
                    </a>
                  )}
                  <span class="sub">
                    {row.account}
                    {row.isDefault && row.account !== "default" ? " (default)" : ""}
                  </span>
                </>
              ),
            },
            {
              title: "State",
              show: ({ state, because }) => (
                <>
                  <SignInBadge state={state} />
                  {because === undefined ? null : <span class="sub">{because}</span>}
                </>
              ),
            },
            { title: "Issuer", wide: true, show: ({ issuer }) => <Path text={issuer} /> },
            { title: "Scope", wide: true, show: ({ scope }) => <span class="clamp">{scope ?? "–"}</span> },
            {
              title: "Expires",
              show: ({ expiresAt, renewable }) => (
                <>
                  {expiresAt === undefined ? "–" : <TextTime at={expiresAt} />}
                  {renewable ? <span class="sub">renewed automatically</span> : null}
                </>
              ),
            },
            { title: "Actions", isUntitled: true, show: (row) => (canChange ? <SignOut row={row} /> : null) },
          ]}
        />
      )}
    </Card>
  );
}

function SignOut({ row }: { readonly row: SignInRow }): VNode | null {
  const action = useAction();
  const [isAsking, setAsking] = useState(false);
  const { server, account } = row;
  if (server === undefined) return null;
  const body: SignOutRequest = { server, account };
  return (
    <div class="actions">
      <ActionButton
        small
        kind="quiet"
        icon="off"
        isBusy={action.isRunning}
        onClick={() => setAsking(true)}
        about={`of ${server}, ${account}`}
      >
        Sign out
      </ActionButton>
      {isAsking ? (
        <Confirm
          title={`Sign out of ${server}?`}
          action="Sign out"
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            action.run(
              () => send<Done>("connections/sign-out", body),
              () => `Signed out of ${server}.`,
            );
          }}
        >
          <p>
            This removes the tokens of the account “{account}”. Clients cannot use the server with it until
            you sign in again.
          </p>
        </Confirm>
      ) : null}
      <Failure failure={action.failure} what={`Could not sign out of ${server}.`} />
    </div>
  );
}

function Secrets({ names }: { readonly names: readonly string[] }): VNode {
  return (
    <Card
      id="secrets"
      title="Secrets"
      note="Names only. To add, change or remove one, use a terminal: plugboard secret"
    >
      {names.length === 0 ? <p class="soft">The vault has no secrets.</p> : <Chips texts={names} />}
    </Card>
  );
}
