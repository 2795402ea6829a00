import type { ComponentChildren, VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { PageRight } from "../../../page-api.ts";
import { useGateway, useLive, useRight } from "../gateway/context.ts";
import { OFFLINE } from "../gateway/request.ts";
import type { Loaded } from "../gateway/use-document.ts";
import { safeLine, shorten } from "../text/safe-text.ts";
import { Icon } from "./icon.tsx";
import { Empty, Failure, Notice } from "./notice.tsx";
import { Time } from "./time.tsx";

interface PageProps {
  readonly title: string;
  /** The page that this one belongs to. */
  readonly parent?: { readonly title: string; readonly link: string };
  readonly intro?: ComponentChildren;
  readonly badge?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

const LONGEST_TITLE = 60;

export function Page({ title, parent, intro, badge, actions, children }: PageProps): VNode {
  const { snapshot } = useLive();
  const waiting = snapshot?.overview.attention.length ?? 0;
  useEffect(() => {
    const mark = waiting === 0 ? "" : `(${waiting}) `;
    document.title = `${mark}${shorten(safeLine(title), LONGEST_TITLE)} · Plugboard`;
  }, [title, waiting]);
  return (
    <>
      <header class="page-head">
        {parent === undefined ? null : (
          <a class="back" href={parent.link}>
            <Icon name="back" />
            {parent.title}
          </a>
        )}
        <div class="page-title">
          <h1 tabIndex={-1} id="page-title">
            {title}
          </h1>
          {badge}
          {actions === undefined ? null : <div class="actions">{actions}</div>}
        </div>
        {intro === undefined ? null : <div class="intro">{intro}</div>}
      </header>
      {children}
    </>
  );
}

interface DocumentViewProps<T> {
  readonly document: Loaded<T>;
  /** What is loaded: `the servers`. */
  readonly what: string;
  readonly children: (data: T) => ComponentChildren;
}

/** Shows a document, or that it is loading or cannot be loaded. */
export function DocumentView<T>({ document, what, children }: DocumentViewProps<T>): VNode {
  const { data, failure, loadedAt, reload } = document;
  if (failure?.status === 404)
    return (
      <Empty icon="search" title="Not found">
        <p>{failure.message}</p>
      </Empty>
    );
  if (data === undefined && failure !== undefined)
    return <Failure failure={failure} what={`Could not load ${what}.`} onRetry={reload} />;
  if (data === undefined) return <Loading what={what} />;
  return (
    <>
      {failure === undefined || failure.code === OFFLINE || loadedAt === undefined ? null : (
        <Notice tone="warn" title={`Could not load ${what} again.`}>
          <p>
            {failure.message} You see what was loaded at <Time at={loadedAt} />.
          </p>
        </Notice>
      )}
      {children(data)}
    </>
  );
}

export function Loading({ what }: { readonly what: string }): VNode {
  const { link } = useLive();
  if (link === "lost")
    return (
      <Notice tone="warn" title={`Cannot load ${what} while the gateway cannot be reached.`}>
        <p>This page loads automatically when the connection is back.</p>
      </Notice>
    );
  return (
    <div class="loading" role="status">
      <span class="unseen">Loading {what}</span>
      {[0, 1, 2, 3].map((row) => (
        <div class="bone" key={row} />
      ))}
    </div>
  );
}

/** Shows that the person may not change anything on the page. */
export function ReadOnly({
  right,
  what,
}: {
  readonly right: PageRight;
  readonly what: string;
}): VNode | null {
  const { session } = useGateway();
  if (useRight(right)) return null;
  return (
    <Notice tone="idle" icon="lock" title="Read only">
      <p>
        Your role ({session.role}) can read this page, but cannot {what}.
      </p>
    </Notice>
  );
}

interface CardProps {
  readonly title: string;
  readonly id: string;
  readonly actions?: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a page, with a heading. */
export function Card({ title, id, actions, note, children }: CardProps): VNode {
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {actions === undefined ? null : <div class="actions">{actions}</div>}
      </div>
      {note === undefined ? null : <p class="soft">{note}</p>}
      {children}
    </section>
  );
}
