import type { ServerStateKind } from "../../../index.ts";
import type { Style } from "./style.ts";

const MARKS: Readonly<Record<ServerStateKind, readonly [mark: string, tone: keyof Style, words: string]>> = {
  connected: ["●", "good", "connected"],
  idle: ["○", "dim", "idle"],
  connecting: ["◌", "warn", "connecting"],
  reconnecting: ["◌", "warn", "reconnecting"],
  needs_auth: ["!", "warn", "needs sign-in"],
  needs_client_registration: ["!", "warn", "needs a client"],
  untrusted: ["!", "warn", "needs approval"],
  failed: ["✗", "bad", "failed"],
  invalid: ["✗", "bad", "invalid"],
  disabled: ["◌", "dim", "disabled"],
};

export function stateMark(state: ServerStateKind, style: Style): string {
  const [mark, tone] = MARKS[state];
  return style[tone](mark);
}

export function stateWords(state: ServerStateKind): string {
  return MARKS[state][2];
}

export function statePaint(state: ServerStateKind, style: Style): (text: string) => string {
  return style[MARKS[state][1]];
}
