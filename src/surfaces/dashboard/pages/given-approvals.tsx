import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ApprovalsDocument, Done } from "../../../page-api.ts";
import { useRight } from "../gateway/context.ts";
import { pathOf, send } from "../gateway/request.ts";
import { useAction } from "../gateway/use-action.ts";
import { Badge } from "../parts/badge.tsx";
import { ActionButton } from "../parts/button.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Failure } from "../parts/notice.tsx";
import { Card } from "../parts/page.tsx";
import { Path } from "../parts/place.tsx";
import { Table } from "../parts/table.tsx";
import { TextTime } from "../parts/time.tsx";
import { linkTo } from "../routes.ts";

type Given = ApprovalsDocument["given"][number];
type Allowed = ApprovalsDocument["allowedCalls"][number];

export function GivenApprovals({ rows }: { readonly rows: readonly Given[] }): VNode {
  return (
    <Card id="given" title="Approved launches">
      {rows.length === 0 ? (
        <p class="soft">You have not approved a launch yet.</p>
      ) : (
        <Table
          caption="Approved launches"
          rows={rows}
          keyOf={({ server, file }) => JSON.stringify([server, file])}
          columns={[
            {
              title: "Server",
              isHead: true,
              show: ({ server }) => (
                <a class="strong" href={linkTo("servers", [server])}>
                  {server}
                </a>
              ),
            },
            { title: "File", wide: true, show: ({ file }) => <Path text={file} /> },
            {
              title: "Approved",
              show: ({ approvedAt }) => (approvedAt === undefined ? "–" : <TextTime at={approvedAt} />),
            },
            { title: "State", show: ({ status }) => <Standing status={status} /> },
            {
              title: "Actions",
              isUntitled: true,
              show: ({ server, status }) =>
                status === "elsewhere" ? null : (
                  <Revoke
                    path={`${pathOf("approvals", "launches", server)}/revoke`}
                    what={`the approval of ${server}`}
                    effect="The server stops, and starts again only after you have approved it."
                  />
                ),
            },
          ]}
        />
      )}
    </Card>
  );
}

export function AllowedCalls({ rows }: { readonly rows: readonly Allowed[] }): VNode {
  return (
    <Card id="allowed" title="Calls that are always allowed">
      {rows.length === 0 ? (
        <p class="soft">No tool is always allowed.</p>
      ) : (
        <Table
          caption="Calls that are always allowed"
          rows={rows}
          keyOf={({ server, tool, allowedAt }) => JSON.stringify([server, tool, allowedAt])}
          columns={[
            {
              title: "Tool",
              isHead: true,
              show: ({ server, tool }) => (
                <>
                  <a class="strong" href={linkTo("tools", [server, tool])}>
                    {tool}
                  </a>
                  <span class="sub">{server}</span>
                </>
              ),
            },
            { title: "Allowed", show: ({ allowedAt }) => <TextTime at={allowedAt} /> },
            { title: "State", show: ({ status }) => <Standing status={status} /> },
            {
              title: "Actions",
              isUntitled: true,
              show: ({ server, tool, status }) =>
                status === "elsewhere" ? null : (
                  <Revoke
                    path={`${pathOf("approvals", "calls", server, tool)}/revoke`}
                    what={`the permission for ${tool}`}
                    effect="Calls of the tool are decided by the policy again."
                  />
                ),
            },
          ]}
        />
      )}
    </Card>
  );
}

function Standing({ status }: { readonly status: Given["status"] | Allowed["status"] }): VNode {
  if (status === "changed") return <Badge tone="warn" icon="refresh" text="Changed since" />;
  if (status === "elsewhere") return <Badge tone="idle" icon="info" text="Other folder" />;
  return <Badge tone="good" icon="check" text="In effect" />;
}

interface RevokeProps {
  readonly path: string;
  readonly what: string;
  readonly effect: string;
}

function Revoke({ path, what, effect }: RevokeProps): VNode | null {
  const action = useAction();
  const [isAsking, setAsking] = useState(false);
  if (!useRight("approvals.decide")) return null;
  return (
    <div class="actions">
      <ActionButton
        small
        kind="quiet"
        icon="cross"
        isBusy={action.isRunning}
        onClick={() => setAsking(true)}
        about={what}
      >
        Revoke
      </ActionButton>
      {isAsking ? (
        <Confirm
          title={`Revoke ${what}?`}
          action="Revoke"
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            action.run(
              () => send<Done>(path),
              () => `Revoked ${what}.`,
            );
          }}
        >
          <p>{effect}</p>
        </Confirm>
      ) : null}
      <Failure failure={action.failure} what={`Could not revoke ${what}.`} />
    </div>
  );
}
