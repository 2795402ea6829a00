import type { ComponentChildren, VNode } from "preact";
import { useLive } from "../gateway/context.ts";
import { Icon, type IconName } from "./icon.tsx";

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: (() => void) | undefined;
  readonly kind?: "plain" | "primary" | "danger" | "quiet";
  readonly icon?: IconName;
  readonly type?: "button" | "submit";
  /** Shows that it is working. It keeps the focus, but does nothing. */
  readonly isBusy?: boolean;
  /** Why it cannot be used now. */
  readonly blocked?: string | undefined;
  /** What it acts on, for screen readers: `Reconnect` + `files`. */
  readonly about?: string;
  readonly small?: boolean;
}

/** A button that keeps the keyboard focus while it cannot be used. */
export function Button({
  children,
  onClick,
  icon,
  isBusy = false,
  blocked,
  about,
  ...rest
}: ButtonProps): VNode {
  const { kind = "plain", type = "button", small = false } = rest;
  const isOff = isBusy || blocked !== undefined;
  return (
    <button
      type={type}
      class={`button ${kind}${small ? " small" : ""}`}
      aria-disabled={isOff ? "true" : undefined}
      aria-busy={isBusy ? "true" : undefined}
      title={blocked}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onClick?.();
      }}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      <span>
        {children}
        {about === undefined ? null : <span class="unseen"> {about}</span>}
      </span>
    </button>
  );
}

/** A button that changes something at the gateway. It is blocked while the gateway cannot be reached. */
export function ActionButton({ blocked, ...props }: ButtonProps): VNode {
  const { link } = useLive();
  const offline = link === "lost" ? "The gateway cannot be reached" : undefined;
  return <Button {...props} blocked={offline ?? blocked} />;
}
