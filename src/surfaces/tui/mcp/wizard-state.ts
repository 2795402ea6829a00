import type { WriteScope } from "../../../index.ts";

/** The answers so far. Nothing is written before the last step. */
export interface Draft {
  readonly name: string;
  readonly transport: "stdio" | "http" | "sse";
  /** The command line as typed. */
  readonly command: string;
  readonly url: string;
  /** How the server authenticates the user. */
  readonly access: "none" | "signIn" | "key";
  /** The header or environment variable that carries the key. */
  readonly keyName: string;
  readonly keySource: "vault" | "variable";
  /** The key, to be stored in the vault. */
  readonly key: string;
  /** The environment variable that holds the key. */
  readonly variable: string;
  readonly scope: WriteScope;
}

export type Step =
  | "name"
  | "transport"
  | "command"
  | "url"
  | "test"
  | "access"
  | "keyName"
  | "keySource"
  | "key"
  | "variable"
  | "scope"
  | "summary";

/** The result of a connection test. */
export type Trial =
  | { readonly kind: "works"; readonly server: string; readonly tools: readonly string[] }
  | { readonly kind: "signIn" | "failed" | "cancelled"; readonly message: string; readonly hint?: string };

export interface WizardState {
  readonly step: Step | "done" | "left";
  readonly draft: Draft;
  /** The steps that led here, for going back. */
  readonly trail: readonly Step[];
  /** The test result for this draft. Cleared when a tested field changes, and before a failed test is repeated. */
  readonly trial?: Trial;
}

export type WizardEvent =
  | { readonly kind: "answer"; readonly draft: Partial<Draft> }
  | { readonly kind: "tried"; readonly trial: Trial }
  /** Goes to a step other than the next one, for example to test again. */
  | { readonly kind: "jump"; readonly to: Step; readonly draft?: Partial<Draft> }
  | { readonly kind: "back" }
  | { readonly kind: "cancel" };

const EMPTY: Draft = {
  name: "",
  transport: "stdio",
  command: "",
  url: "",
  access: "none",
  keyName: "",
  keySource: "vault",
  key: "",
  variable: "",
  scope: "project",
};

/** Starts the wizard, with the answers of a cancelled wizard if there was one. */
export function beginWizard(draft: Draft = EMPTY): WizardState {
  return { step: "name", draft, trail: [] };
}

/** Returns the next state of the wizard. Has no side effects. */
export function advance(state: WizardState, event: WizardEvent): WizardState {
  const { step, draft, trail } = state;
  if (step === "done" || step === "left") return state;
  switch (event.kind) {
    case "cancel":
      return { ...state, step: "left" };
    case "back": {
      const before = trail.at(-1);
      return before === undefined ? state : { ...state, step: before, trail: trail.slice(0, -1) };
    }
    case "tried":
      return { ...state, trial: event.trial, step: event.trial.kind === "works" ? "scope" : "access" };
    case "jump":
      return moved(state, { ...draft, ...event.draft }, event.to);
    case "answer": {
      const next = { ...draft, ...event.draft };
      return moved(state, next, nextStep(step, next));
    }
  }
}

/** Moves to a step. The test step is not added to the trail, so that the user cannot go back to it. */
function moved(state: WizardState, draft: Draft, step: Step | "done"): WizardState {
  const { step: from, trail, trial, draft: before } = state;
  const isSame = FIELDS_TRIED.every((field) => draft[field] === before[field]);
  const isRepeated = step === "test" && trial?.kind !== "works"; // what failed before can work now
  return {
    step,
    draft,
    trail: from === "test" || from === "done" || from === "left" ? trail : [...trail, from],
    ...(isSame && !isRepeated && trial !== undefined && { trial }),
  };
}

const FIELDS_TRIED = [
  "name",
  "transport",
  "command",
  "url",
  "access",
  "keyName",
  "keySource",
  "key",
  "variable",
] as const satisfies readonly (keyof Draft)[];

function nextStep(step: Step, { transport, access, keySource }: Draft): Step | "done" {
  switch (step) {
    case "name":
      return "transport";
    case "transport":
      return transport === "stdio" ? "command" : "url";
    case "command":
    case "url":
    case "key":
    case "variable":
      return "test";
    case "access":
      return access === "key" ? "keyName" : "scope";
    case "keyName":
      return "keySource";
    case "keySource":
      return keySource === "vault" ? "key" : "variable";
    case "test":
      return "scope";
    case "scope":
      return "summary";
    case "summary":
      return "done";
  }
}
