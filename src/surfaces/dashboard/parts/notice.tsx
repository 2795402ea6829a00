import type { ComponentChildren, VNode } from "preact";
import type { PageFailure } from "../gateway/request.ts";
import type { Tone } from "./badge.tsx";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

const ICONS: Readonly<Record<Tone, IconName>> = {
  good: "check",
  warn: "warning",
  bad: "cross",
  info: "info",
  idle: "info",
};

interface NoticeProps {
  readonly tone: Tone;
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly icon?: IconName;
  /** `alert` interrupts a screen reader: for failures of what the person just did. */
  readonly role?: "alert" | "status" | undefined;
}

export function Notice({ tone, title, children, icon = ICONS[tone], role }: NoticeProps): VNode {
  return (
    <div class={`notice ${tone}`} role={role}>
      <Icon name={icon} />
      <div class="grow">
        <p class="strong">{title}</p>
        {children}
      </div>
    </div>
  );
}

interface FailureProps {
  readonly failure: PageFailure | undefined;
  /** What failed: `Could not reconnect files.` */
  readonly what: string;
  readonly onRetry?: () => void;
}

/** Shows what failed, why, and how to resolve it. */
export function Failure({ failure, what, onRetry }: FailureProps): VNode | null {
  if (failure === undefined) return null;
  return (
    <Notice tone="bad" title={what} role="alert">
      <p>{failure.message}</p>
      {failure.hint === undefined ? null : <p class="soft">{failure.hint}</p>}
      {onRetry === undefined ? null : (
        <p>
          <Button onClick={onRetry} icon="refresh">
            Try again
          </Button>
        </p>
      )}
    </Notice>
  );
}

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** Shown instead of an empty list. */
export function Empty({ icon, title, children }: EmptyProps): VNode {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}
