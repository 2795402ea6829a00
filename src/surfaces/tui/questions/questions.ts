import type { Host, HostOptions } from "../../../index.ts";
import type { Screen } from "../screen.ts";
import { askApproval } from "./ask-approval.ts";
import { createCallQuestion } from "./ask-call.ts";
import { askForm } from "./ask-form.ts";
import { askPage } from "./ask-page.ts";
import { askSampling, type CompleteSampling } from "./ask-sampling.ts";
import { askSignIn } from "./ask-sign-in.ts";
import { createTurns } from "./turns.ts";

export interface QuestionsOptions {
  /** The host that asks. It is made with these questions, so it comes after them. */
  host(): Host;
  readonly cwd?: string;
  readonly home?: string;
  /** A model for servers that ask for one. Without it they are refused. */
  readonly complete?: CompleteSampling;
}

export type Questions = Required<
  Pick<HostOptions, "onApproval" | "onCall" | "onSignIn" | "onElicitation" | "onSampling">
>;

/** What a host asks a person, asked on the screen. One question at a time, each below what it is about. */
export function createQuestions(
  screen: Screen,
  { host, complete, cwd = process.cwd(), home = process.env["HOME"] ?? "" }: QuestionsOptions,
): Questions {
  const inTurn = createTurns();
  const askCall = createCallQuestion(screen);
  return {
    onApproval: (request) =>
      inTurn(() => askApproval(screen, host(), request, { cwd, home, program: "/mcp" })),
    onCall: (request, context) => inTurn(() => askCall(request, context)),
    // Not in turn: its page is open already, and ends it without an answer here.
    onSignIn: (_url, prompt) => askSignIn(screen, prompt),
    onElicitation: (request, { signal }) =>
      inTurn(async () => {
        if (signal.aborted) return { action: "cancel" };
        return request.mode === "form"
          ? askForm(screen, request, signal)
          : askPage(screen, host(), request, signal);
      }),
    onSampling: (request, { signal }) =>
      inTurn(async () => (signal.aborted ? undefined : askSampling(screen, request, complete, signal))),
  };
}
