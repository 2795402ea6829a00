import type { ComponentChildren, VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { PageFailure } from "../gateway/request.ts";
import { Button } from "../parts/button.tsx";
import { CodeBlock } from "../parts/copy.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";

interface AloneProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A page without a menu. */
function Alone({ icon, title, children }: AloneProps): VNode {
  useEffect(() => {
    document.title = `${title} · Plugboard`;
  }, [title]);
  return (
    <main class="alone">
      <div class="card">
        <Icon name={icon} />
        <h1 tabIndex={-1}>{title}</h1>
        {children}
      </div>
    </main>
  );
}

/** Shown if the page session ended, or never began. */
export function SignedOut({ failure }: { readonly failure?: PageFailure | undefined }): VNode {
  const isOldLink = failure?.code === "PAGE_TICKET_INVALID";
  return (
    <Alone icon="lock" title={isOldLink ? "This link does not work any more" : "You are signed out"}>
      <p>
        {isOldLink ? "A link works once, and only for a short time." : "The page session has ended."} To open
        the dashboard again, run:
      </p>
      <CodeBlock text="plugboard dashboard" what="the command" isReadOnly />
    </Alone>
  );
}

/** Shown if the gateway does not respond to the first request. */
export function Unreachable({
  failure,
  onRetry,
}: {
  readonly failure: PageFailure;
  readonly onRetry: () => void;
}): VNode {
  return (
    <Alone icon="warning" title="The dashboard cannot be loaded">
      <p>{failure.message}</p>
      {failure.hint === undefined ? null : <p class="soft">{failure.hint}</p>}
      <p>
        <Button kind="primary" icon="refresh" onClick={onRetry}>
          Try again
        </Button>
      </p>
    </Alone>
  );
}
