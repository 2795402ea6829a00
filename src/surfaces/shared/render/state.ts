import type { ServerStateKind, ServerView } from "../../../index.ts";
import { shellWord } from "../shell-word.ts";
import type { Style } from "./style.ts";

/** How a server state is shown and handled. */
export interface StateTraits {
  readonly mark: string;
  readonly tone: keyof Style;
  readonly words: string;
  /** The server should work and does not. Commands exit with 1. */
  readonly isTrouble: boolean;
  /** The state does not change until the user acts. */
  readonly needsPerson: boolean;
  /** The state changes without user action. */
  readonly isUnderWay: boolean;
  /** The command that helps, without the server's name. */
  readonly nextStep?: string;
}

const settled = { isTrouble: false, needsPerson: false, isUnderWay: false } as const;
const inProgress = { ...settled, isUnderWay: true } as const;
const waiting = { ...settled, isTrouble: true, needsPerson: true } as const;

/** The traits of each state, shared by all surfaces. */
export const STATE_TRAITS: Readonly<Record<ServerStateKind, StateTraits>> = {
  connected: { mark: "●", tone: "good", words: "connected", ...settled },
  idle: { mark: "○", tone: "dim", words: "idle", ...settled },
  installing: { mark: "◌", tone: "warn", words: "installing", ...inProgress },
  connecting: { mark: "◌", tone: "warn", words: "connecting", ...inProgress },
  reconnecting: {
    mark: "◌",
    tone: "warn",
    words: "reconnecting",
    ...inProgress,
    isTrouble: true, // the connection was lost
    nextStep: "test",
  },
  needs_auth: { mark: "!", tone: "warn", words: "needs sign-in", ...waiting, nextStep: "login" },
  needs_client_registration: {
    mark: "!",
    tone: "warn",
    words: "needs client registration",
    ...waiting,
    nextStep: "explain", // shows the entry that needs a client ID
  },
  untrusted: {
    mark: "!",
    tone: "warn",
    words: "needs approval",
    ...waiting,
    isTrouble: false, // the user has not decided yet
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

export function stateLabel(state: ServerStateKind): string {
  return STATE_TRAITS[state].words;
}

export function statePaint(state: ServerStateKind, style: Style): (text: string) => string {
  return style[STATE_TRAITS[state].tone];
}

/** Advice that the next step gives already: `test`. */
const SEE_WHY = /^Run its command in a terminal to see why\.\s*/m;

/** Returns what to do about a server that failed, without what `nextStep` says. An empty string if there is no more. */
export function adviceFor({ hint = "" }: Pick<ServerView, "hint">): string {
  return hint.replace(SEE_WHY, "").trimEnd();
}

/** Matches errors for servers that require credentials but do not offer a sign-in with OAuth. */
const NEEDS_HEADER = /requires you to sign in \(HTTP 401\)|OAuth endpoints could not be discovered/;

/** Returns the command that sets a server's token, without the program, if the error says that `login` cannot help. */
export function headerCommand(server: string, because: string): string | undefined {
  return NEEDS_HEADER.test(because)
    ? `set ${shellWord(server)} 'headers.Authorization=Bearer \${TOKEN}'`
    : undefined;
}

/** Returns the command to run for a server in this state, or `undefined` if none helps. */
export function nextStep(
  { name, state, because = "" }: Pick<ServerView, "name" | "state" | "because">,
  program: string,
): string | undefined {
  const { nextStep: verb } = STATE_TRAITS[state];
  const command = state === "needs_auth" ? headerCommand(name, because) : undefined;
  if (command !== undefined) return `${program} ${command}`;
  return verb === undefined ? undefined : `${program} ${verb} ${shellWord(name)}`;
}
