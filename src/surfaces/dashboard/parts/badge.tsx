import type { VNode } from "preact";
import type { ActivityOutcome, PageDecision, PageServerState, SignInRow } from "../../../page-api.ts";
import { Icon, type IconName } from "./icon.tsx";

export type Tone = "good" | "warn" | "bad" | "info" | "idle";

interface Look {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly text: string;
}

const STATES: Readonly<Record<PageServerState, Look>> = {
  connected: { tone: "good", icon: "check", text: "Connected" },
  idle: { tone: "idle", icon: "idle", text: "Idle" },
  installing: { tone: "info", icon: "clock", text: "Installing" },
  connecting: { tone: "info", icon: "clock", text: "Connecting" },
  reconnecting: { tone: "info", icon: "refresh", text: "Reconnecting" },
  needs_auth: { tone: "warn", icon: "lock", text: "Needs sign-in" },
  needs_client_registration: { tone: "warn", icon: "lock", text: "Needs a registered client" },
  untrusted: { tone: "warn", icon: "approvals", text: "Needs approval" },
  failed: { tone: "bad", icon: "cross", text: "Failed" },
  disabled: { tone: "idle", icon: "off", text: "Disabled" },
  invalid: { tone: "bad", icon: "warning", text: "Invalid entry" },
};

const OUTCOMES: Readonly<Record<ActivityOutcome, Look>> = {
  ok: { tone: "good", icon: "check", text: "OK" },
  tool_error: { tone: "warn", icon: "warning", text: "Tool error" },
  refused: { tone: "warn", icon: "approvals", text: "Refused" },
  failed: { tone: "bad", icon: "cross", text: "Failed" },
  cancelled: { tone: "idle", icon: "stop", text: "Cancelled" },
  timed_out: { tone: "bad", icon: "clock", text: "Timed out" },
};

const DECISIONS: Readonly<Record<PageDecision, Look>> = {
  allow: { tone: "good", icon: "check", text: "Allowed" },
  ask: { tone: "warn", icon: "approvals", text: "Asks first" },
  deny: { tone: "bad", icon: "cross", text: "Denied" },
};

const SIGN_INS: Readonly<Record<SignInRow["state"], Look>> = {
  "signed-in": { tone: "good", icon: "check", text: "Signed in" },
  expired: { tone: "warn", icon: "clock", text: "Expired" },
  ended: { tone: "bad", icon: "cross", text: "Ended" },
};

export function Badge({ tone, icon, text }: Look): VNode {
  return (
    <span class={`badge ${tone}`}>
      <Icon name={icon} />
      {text}
    </span>
  );
}

export const lookOfState = (state: PageServerState): Look => STATES[state] ?? unknownLook(state);
export const lookOfOutcome = (outcome: ActivityOutcome): Look => OUTCOMES[outcome] ?? unknownLook(outcome);

export const StateBadge = ({ state }: { readonly state: PageServerState }): VNode => (
  <Badge {...lookOfState(state)} />
);
export const OutcomeBadge = ({ outcome }: { readonly outcome: ActivityOutcome }): VNode => (
  <Badge {...lookOfOutcome(outcome)} />
);
export const DecisionBadge = ({ decision }: { readonly decision: PageDecision }): VNode => (
  <Badge {...(DECISIONS[decision] ?? unknownLook(decision))} />
);
export const SignInBadge = ({ state }: { readonly state: SignInRow["state"] }): VNode => (
  <Badge {...(SIGN_INS[state] ?? unknownLook(state))} />
);

/** A newer gateway may know more states than this page. */
function unknownLook(text: string): Look {
  return { tone: "idle", icon: "info", text };
}
