import type { ServerStateKind, ServerView } from "../../../index.ts";
import { shellWord } from "../shell-word.ts";
import type { Style } from "./style.ts";

/** What a state means to a person. */
export interface StateTraits {
  readonly mark: string;
  readonly tone: keyof Style;
  readonly words: string;
  /** It should work and does not: commands exit with 1. */
  readonly isTrouble: boolean;
  /** It stays as it is until a person does something. */
  readonly needsPerson: boolean;
  /** It is on its way to another state by itself. */
  readonly isUnderWay: boolean;
  /** The command that helps, without the server's name. */
  readonly nextStep?: string;
}

const settled = { isTrouble: false, needsPerson: false, isUnderWay: false } as const;
const underWay = { ...settled, isUnderWay: true } as const;
const waiting = { ...settled, isTrouble: true, needsPerson: true } as const;

/** Every surface asks here what a state means. */
export const STATE_TRAITS: Readonly<Record<ServerStateKind, StateTraits>> = {
  connected: { mark: "●", tone: "good", words: "connected", ...settled },
  idle: { mark: "○", tone: "dim", words: "idle", ...settled },
  installing: { mark: "◌", tone: "warn", words: "installing", ...underWay },
  connecting: { mark: "◌", tone: "warn", words: "connecting", ...underWay },
  reconnecting: {
    mark: "◌",
    tone: "warn",
    words: "reconnecting",
    ...underWay,
    isTrouble: true, // it was connected and the connection was lost
    nextStep: "test",
  },
  needs_auth: { mark: "!", tone: "warn", words: "needs sign-in", ...waiting, nextStep: "login" },
  needs_client_registration: {
    mark: "!",
    tone: "warn",
    words: "needs client registration",
    ...waiting,
    nextStep: "explain", // which shows the entry that the client has to be written into
  },
  untrusted: {
    mark: "!",
    tone: "warn",
    words: "needs approval",
    ...waiting,
    isTrouble: false, // nobody has decided yet whether it should run
    nextStep: "trust",
  },
  failed: { mark: "✗", tone: "bad", words: "failed", ...waiting, nextStep: "test" },
  invalid: { mark: "✗", tone: "bad", words: "invalid", ...waiting, nextStep: "doctor" },
  disabled: { mark: "◌", tone: "dim", words: "disabled", ...settled },
};

export function stateMark(state: ServerStateKind, style: Style): string {
  const { mark, tone } = STATE_TRAITS[state];
  return style[tone](mark);
}

export function stateWords(state: ServerStateKind): string {
  return STATE_TRAITS[state].words;
}

export function statePaint(state: ServerStateKind, style: Style): (text: string) => string {
  return style[STATE_TRAITS[state].tone];
}

/** What to type for a server in this state, after `plugboard` or `/mcp`. */
export function nextStep(
  { name, state }: Pick<ServerView, "name" | "state">,
  program: string,
): string | undefined {
  const { nextStep: verb } = STATE_TRAITS[state];
  return verb === undefined ? undefined : `${program} ${verb} ${shellWord(name)}`;
}
