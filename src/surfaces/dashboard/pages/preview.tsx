import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { JsonMap, PreviewDocument, PreviewRequest, ToolDetails } from "../../../page-api.ts";
import { useGateway } from "../gateway/context.ts";
import { type PageFailure, pathOf, send, toFailure } from "../gateway/request.ts";
import { DecisionBadge } from "../parts/badge.tsx";
import { CodeBlock } from "../parts/copy.tsx";
import { Failure } from "../parts/notice.tsx";
import { useSettled } from "../parts/use-settled.ts";

const SETTLED_MS = 400;

/** What the gateway would do with a call. */
export interface Preview {
  readonly data: PreviewDocument | undefined;
  readonly failure: PageFailure | undefined;
  /** Why the call cannot be made now. */
  readonly blocked: string | undefined;
  reload(): void;
}

/** Asks the gateway what it would do with these arguments, whenever they have changed. */
export function usePreview(tool: ToolDetails, values: JsonMap | undefined): Preview {
  const { live } = useGateway();
  const text = values === undefined ? undefined : JSON.stringify(values);
  const settled = useSettled(text, SETTLED_MS);
  const [held, setHeld] = useState<{ text?: string; data?: PreviewDocument; failure?: PageFailure }>({});
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    if (settled === undefined) return;
    const aborting = new AbortController();
    const ask = async (): Promise<void> => {
      const body: PreviewRequest = { arguments: JSON.parse(settled) as JsonMap };
      try {
        const data = await send<PreviewDocument>(
          `${pathOf("tools", tool.server, tool.tool)}/preview`,
          body,
          aborting.signal,
        );
        setHeld({ text: settled, data });
      } catch (error) {
        if (aborting.signal.aborted) return;
        const failure = toFailure(error);
        if (failure.status === 401) live.signedOut();
        setHeld({ text: settled, failure });
      }
    };
    void ask();
    return () => aborting.abort();
  }, [settled, attempt, tool.server, tool.tool]);

  const { data, failure } = held.text === text ? held : {};
  return {
    data,
    failure,
    blocked: blockedBy(data, failure),
    reload: () => setAttempt((before) => before + 1),
  };
}

function blockedBy(data: PreviewDocument | undefined, failure: PageFailure | undefined): string | undefined {
  if (failure !== undefined) return "The call could not be checked";
  if (data === undefined) return "Checking the call";
  if (data.decision === "deny") return `Denied: ${data.rule}`;
  return data.complaints.length > 0 ? "Some arguments are wrong" : undefined;
}

interface PreviewViewProps {
  readonly preview: Preview;
  readonly values: JsonMap;
  readonly tool: ToolDetails;
}

export function PreviewView({ preview, values, tool }: PreviewViewProps): VNode {
  const { data, failure, reload } = preview;
  return (
    <div class="preview" aria-live="polite">
      <Failure failure={failure} what="Could not check the call." onRetry={reload} />
      {data === undefined ? (
        failure === undefined ? (
          <p class="soft">Checking what the policy decides…</p>
        ) : null
      ) : (
        <>
          <p>
            <DecisionBadge decision={data.decision} /> <span>{data.rule}</span>
          </p>
          {data.complaints.length === 0 ? null : (
            <ul class="mistakes">
              {data.complaints.map((complaint) => (
                <li key={complaint}>{complaint}</li>
              ))}
            </ul>
          )}
          {data.decision !== "ask" || data.complaints.length > 0 ? null : (
            <>
              <p>
                You approve one call of <strong>{tool.tool}</strong> with exactly these arguments:
              </p>
              <CodeBlock text={JSON.stringify(values, undefined, 2)} what="the arguments" isReadOnly />
            </>
          )}
        </>
      )}
    </div>
  );
}
