import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ApproveRequest, Done, LaunchDetails } from "../../../page-api.ts";
import { useRight } from "../gateway/context.ts";
import { pathOf, send } from "../gateway/request.ts";
import { useAction } from "../gateway/use-action.ts";
import { useDocument } from "../gateway/use-document.ts";
import { type Held, useHeld } from "../gateway/use-held.ts";
import { goTo } from "../navigation.ts";
import { Badge } from "../parts/badge.tsx";
import { ActionButton, Button } from "../parts/button.tsx";
import { CodeBlock } from "../parts/copy.tsx";
import { Facts } from "../parts/facts.tsx";
import { FieldChangeView } from "../parts/field-change.tsx";
import { Failure, Notice } from "../parts/notice.tsx";
import { Card, DocumentView, Page, ReadOnly } from "../parts/page.tsx";
import { Place } from "../parts/place.tsx";
import { linkTo } from "../routes.ts";
import { Inspection } from "./inspection.tsx";

/** Shows the launch, and the button that approves it. */
export function LaunchPage({ server }: { readonly server: string }): VNode {
  const document = useDocument<LaunchDetails>(pathOf("approvals", "launches", server), "approvals");
  const held = useHeld(document.data, (details) => JSON.stringify([details.choices, details.launch]));
  const details = held.shown;
  return (
    <Page
      title={`Launch of ${server}`}
      parent={{ title: "Approvals", link: linkTo("approvals") }}
      badge={
        details === undefined ? undefined : details.status === "new" ? (
          <Badge tone="info" icon="info" text="New" />
        ) : (
          <Badge tone="warn" icon="refresh" text="Changed" />
        )
      }
      intro={
        <p>
          Nothing has been run yet. You approve exactly what you see here; if it changes, you are asked again.
        </p>
      }
    >
      <ReadOnly right="approvals.decide" what="approve launches" />
      <DocumentView document={{ ...document, data: details }} what="the launch">
        {(launch) => (
          <>
            {launch.changes.length === 0 ? null : (
              <Card id="changes" title="Changes since your last approval">
                {launch.changes.map((change) => (
                  <FieldChangeView key={change.field} change={change} />
                ))}
              </Card>
            )}
            <Inspection inspection={launch.inspection} />
            <Definition launch={launch} />
            <Outdated held={held} what="The launch" />
            <Approve launch={launch} isOutdated={held.isOutdated} />
          </>
        )}
      </DocumentView>
    </Page>
  );
}

/** The entry as it is in the file. The launch differs from it if Plugboard adds or expands fields. */
function Definition({ launch }: { readonly launch: LaunchDetails }): VNode {
  const [entry, whole] = [launch.entry, launch.launch].map((value) => JSON.stringify(value, undefined, 2));
  const isSame = entry === whole;
  return (
    <Card id="entry" title="Definition">
      <Facts
        facts={[
          ["File", <Place key="file" place={launch.place} />],
          ["Tool", launch.tool],
          ["Entry", <CodeBlock key="entry" text={entry ?? ""} what="the entry" isReadOnly />],
          [
            "Launch",
            isSame ? undefined : (
              <CodeBlock key="launch" text={whole ?? ""} what="all fields of the launch" isReadOnly />
            ),
          ],
        ]}
      />
    </Card>
  );
}

interface OutdatedProps {
  readonly held: Pick<Held<unknown>, "isOutdated" | "update">;
  readonly what: string;
}

export function Outdated({ held, what }: OutdatedProps): VNode | null {
  if (!held.isOutdated) return null;
  return (
    <Notice tone="warn" title={`${what} has changed while you were reading.`} role="alert">
      <p>
        <Button icon="refresh" onClick={held.update}>
          Show what it is now
        </Button>
      </p>
    </Notice>
  );
}

interface ApproveProps {
  readonly launch: LaunchDetails;
  readonly isOutdated: boolean;
}

function Approve({ launch, isOutdated }: ApproveProps): VNode | null {
  const action = useAction();
  const [chosen, setChosen] = useState(0);
  if (!useRight("approvals.decide")) return null;
  const choice = launch.choices[chosen] ?? launch.choices[0];
  const approve = (): void => {
    if (choice === undefined) return;
    const body: ApproveRequest = { hash: choice.hash };
    action.run(
      () => send<Done>(pathOf("approvals", "launches", launch.server), body),
      () => {
        goTo(linkTo("approvals"));
        return `Approved: ${launch.server} may run.`;
      },
    );
  };
  return (
    <Card id="approve" title="Approve">
      {launch.choices.length < 2 ? null : (
        <fieldset class="options">
          <legend>How may it run?</legend>
          {launch.choices.map((option, index) => (
            <label key={option.hash}>
              <input
                type="radio"
                name="access"
                checked={option === choice}
                onChange={() => setChosen(index)}
              />
              <span>
                <strong>{option.isSandboxed ? "Sandboxed" : "Not sandboxed"}</strong>: {option.access}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {launch.choices.length === 1 ? <p>{choice?.access}</p> : null}
      <div class="actions">
        <ActionButton
          kind="primary"
          icon="approvals"
          isBusy={action.isRunning}
          blocked={
            isOutdated
              ? "Look at the new version first"
              : choice === undefined
                ? "There is nothing to approve"
                : undefined
          }
          onClick={approve}
        >
          Approve this launch
        </ActionButton>
        <a class="button plain" href={linkTo("approvals")}>
          Not now
        </a>
      </div>
      <Failure failure={action.failure} what="The launch was not approved." />
    </Card>
  );
}
