import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { LogsDocument } from "../../../page-api.ts";
import { pathOf } from "../gateway/request.ts";
import { useDocument } from "../gateway/use-document.ts";
import { Button } from "../parts/button.tsx";
import { Card, DocumentView } from "../parts/page.tsx";
import { Time } from "../parts/time.tsx";
import { plural } from "../text/format.ts";
import { withoutStyles } from "../text/terminal-styles.ts";

const FOLLOW_MS = 2_000;

type Run = LogsDocument["runs"][number];

/** A local server's output, with its starts and ends. */
export function ServerLogs({ server }: { readonly server: string }): VNode {
  const document = useDocument<LogsDocument>(`${pathOf("servers", server)}/logs?lines=500`, "servers");
  const [isFollowing, setFollowing] = useState(false);
  const { reload } = document;
  useEffect(() => {
    if (!isFollowing) return;
    const timer = setInterval(reload, FOLLOW_MS);
    return () => clearInterval(timer);
  }, [isFollowing, reload]);
  return (
    <Card
      id="logs"
      title="Logs"
      actions={
        <>
          <Button small kind="quiet" icon="refresh" onClick={reload} about="logs">
            Refresh
          </Button>
          <Button
            small
            kind="quiet"
            icon={isFollowing ? "pause" : "play"}
            onClick={() => setFollowing(!isFollowing)}
          >
            {isFollowing ? "Stop following" : "Follow"}
          </Button>
        </>
      }
    >
      <DocumentView document={document} what="the logs">
        {({ runs }) =>
          runs.length === 0 ? (
            <p class="soft">The server has printed nothing yet.</p>
          ) : (
            <Runs runs={runs} isFollowing={isFollowing} />
          )
        }
      </DocumentView>
    </Card>
  );
}

function Runs({
  runs,
  isFollowing,
}: {
  readonly runs: readonly Run[];
  readonly isFollowing: boolean;
}): VNode {
  const box = useRef<HTMLDivElement>(null);
  const lines = runs.reduce((sum, run) => sum + run.lines.length, 0);
  const scrollToEnd = (): void => box.current?.scrollTo({ top: box.current.scrollHeight });
  useEffect(scrollToEnd, []);
  useEffect(() => {
    if (isFollowing) scrollToEnd();
  }, [isFollowing, lines]);
  return (
    <div
      ref={box}
      class="scroll log"
      data-scroll
      tabIndex={0}
      role="group"
      aria-label={`Logs, ${plural(lines, "line")}`}
    >
      {runs.map((run) => (
        <div key={run.id}>
          <p class="log-mark">
            Started <Time at={run.startedAt} style="complete" />
          </p>
          <ol>
            {run.lines.map((line, index) => (
              <li key={index} class={line.stream === "stderr" ? "stderr" : undefined}>
                <Time at={line.at} />
                <span class="log-text">{withoutStyles(line.text)}</span>
              </li>
            ))}
          </ol>
          {run.end === undefined ? null : (
            <p class="log-mark">
              Ended <Time at={run.end.at} style="complete" />
              {endText(run.end)}
            </p>
          )}
        </div>
      ))}
    </div>
  );
}

function endText({ code, signal }: NonNullable<Run["end"]>): string {
  if (signal !== undefined) return `, signal ${signal}`;
  return code === undefined ? "" : `, exit code ${code}`;
}
