import type { VNode } from "preact";
import type { ApprovalsDocument, ApproveRequest, ChangedToolsRow, Done } from "../../../page-api.ts";
import { useRight } from "../gateway/context.ts";
import { pathOf, send } from "../gateway/request.ts";
import { useAction } from "../gateway/use-action.ts";
import { useDocument } from "../gateway/use-document.ts";
import { useHeld } from "../gateway/use-held.ts";
import { goTo } from "../navigation.ts";
import { Badge } from "../parts/badge.tsx";
import { ActionButton } from "../parts/button.tsx";
import { FieldChangeView } from "../parts/field-change.tsx";
import { Empty, Failure, Notice } from "../parts/notice.tsx";
import { Card, DocumentView, Page, ReadOnly } from "../parts/page.tsx";
import { TextTime } from "../parts/time.tsx";
import { linkTo } from "../routes.ts";
import { changesText, heldText } from "./approvals.tsx";
import { Outdated } from "./launch.tsx";

/** The tools of a server that changed since they were reviewed. */
export function ChangedToolsPage({ server }: { readonly server: string }): VNode {
  const document = useDocument<ApprovalsDocument>("approvals", "approvals");
  const current = document.data?.changedTools.find((row) => row.server === server);
  const held = useHeld(current, ({ hash }) => hash);
  const isGone = document.data !== undefined && current === undefined;
  return (
    <Page
      title={`Changed tools of ${server}`}
      parent={{ title: "Approvals", link: linkTo("approvals") }}
      intro={<p>Read what changed: a definition is part of what the model reads.</p>}
    >
      <ReadOnly right="approvals.decide" what="accept changed tools" />
      <DocumentView document={document} what="the changed tools">
        {() =>
          isGone || held.shown === undefined ? (
            <Empty icon="check" title="Nothing to review">
              <p>
                The tools of this server are as you reviewed them.{" "}
                <a href={linkTo("approvals")}>Back to the approvals</a>
              </p>
            </Empty>
          ) : (
            <>
              <Review row={held.shown} />
              <Outdated held={held} what="The list of tools" />
              <Accept row={held.shown} isOutdated={held.isOutdated} />
            </>
          )
        }
      </DocumentView>
    </Page>
  );
}

const KINDS = {
  changed: { tone: "warn", icon: "refresh", text: "Changed" },
  new: { tone: "info", icon: "info", text: "New" },
  gone: { tone: "idle", icon: "cross", text: "Gone" },
} as const;

function Review({ row }: { readonly row: ChangedToolsRow }): VNode {
  return (
    <>
      <p class="soft">
        {changesText(row)}
        {row.reviewedAt === undefined ? null : (
          <>
            . Last reviewed: <TextTime at={row.reviewedAt} />
          </>
        )}
        . {heldText(row)}
      </p>
      {row.findings.length === 0 ? null : (
        <Notice tone="bad" icon="warning" title="Some definitions seem to give the model instructions.">
          <ul>
            {row.findings.map(({ tool, what }) => (
              <li key={`${tool} ${what}`}>
                <strong>{tool}</strong>: {what}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {row.unreadable === undefined ? null : (
        <Notice
          tone="warn"
          title="The reviewed definitions cannot be read, so there is nothing to compare with."
        >
          <p>{row.unreadable}</p>
        </Notice>
      )}
      {row.tools.map((tool, index) => (
        <Card
          key={`${tool.kind} ${tool.tool}`}
          id={`tool-${index}`}
          title={tool.tool}
          actions={<Badge {...(KINDS[tool.kind] ?? KINDS.changed)} />}
        >
          {tool.changes.length === 0 ? (
            <p class="soft">{tool.kind === "gone" ? "The server no longer offers it." : "No details."}</p>
          ) : (
            tool.changes.map((change) => <FieldChangeView key={change.field} change={change} />)
          )}
        </Card>
      ))}
    </>
  );
}

interface AcceptProps {
  readonly row: ChangedToolsRow;
  readonly isOutdated: boolean;
}

function Accept({ row, isOutdated }: AcceptProps): VNode | null {
  const action = useAction();
  if (!useRight("approvals.decide")) return null;
  const accept = (): void => {
    const body: ApproveRequest = { hash: row.hash };
    action.run(
      () => send<Done>(pathOf("approvals", "tools", row.server), body),
      () => {
        goTo(linkTo("approvals"));
        return `Accepted the tools of ${row.server}.`;
      },
    );
  };
  return (
    <Card id="accept" title="Accept" note="This covers all tools of the server as listed now.">
      <div class="actions">
        <ActionButton
          kind="primary"
          icon="check"
          isBusy={action.isRunning}
          blocked={isOutdated ? "Look at the new version first" : undefined}
          onClick={accept}
        >
          Accept these tools
        </ActionButton>
        <a class="button plain" href={linkTo("approvals")}>
          Not now
        </a>
      </div>
      <Failure failure={action.failure} what="The tools were not accepted." />
    </Card>
  );
}
