import type { Host, HostOptions } from "../../../index.ts";
import type { Screen } from "../screen.ts";
import { askApproval } from "./ask-approval.ts";
import { createCallQuestion } from "./ask-call.ts";
import { askDenial } from "./ask-denial.ts";
import { askForm } from "./ask-form.ts";
import { askInputs } from "./ask-inputs.ts";
import { askPage } from "./ask-page.ts";
import { askSampling, type CompleteSampling } from "./ask-sampling.ts";
import { askSignIn } from "./ask-sign-in.ts";
import { createTaskQueue } from "./task-queue.ts";

export interface QuestionsOptions {
  /** Returns the host. A function, because the host is created after the questions. */
  host(): Host;
  readonly cwd?: string;
  readonly home?: string;
  /** Answers sampling requests with a model. Without it, requests are refused. */
  readonly complete?: CompleteSampling;
}

export type Questions = Required<
  Pick<
    HostOptions,
    "onApproval" | "onInput" | "onCall" | "onSandboxDenied" | "onSignIn" | "onElicitation" | "onSampling"
  >
>;

/** Creates the host's question handlers for the screen. Questions are asked one at a time. */
export function createQuestions(
  screen: Screen,
  { host, complete, cwd = process.cwd(), home = process.env["HOME"] ?? "" }: QuestionsOptions,
): Questions {
  const inSequence = createTaskQueue();
  const askCall = createCallQuestion(host, "/mcp");
  return {
    onApproval: (request) =>
      inSequence(() => askApproval(screen, host(), request, { cwd, home, program: "/mcp" })),
    onInput: (request) => inSequence(() => askInputs(screen, request, { cwd, home, program: "/mcp" })),
    onCall: (request, context) => inSequence(() => askCall(screen, request, context)),
    onSandboxDenied: (request) => inSequence(() => askDenial(screen, request)),
    // Not queued, because the sign-in page is already open and can finish without an answer here.
    onSignIn: (_url, prompt) => askSignIn(screen, prompt),
    onElicitation: (request, { signal }) =>
      inSequence(async () => {
        if (signal.aborted) return { action: "cancel" };
        return request.mode === "form"
          ? askForm(screen, request, signal)
          : askPage(screen, host(), request, signal);
      }),
    onSampling: (request, { signal }) =>
      inSequence(async () => (signal.aborted ? undefined : askSampling(screen, request, complete, signal))),
  };
}
