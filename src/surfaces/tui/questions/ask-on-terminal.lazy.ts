import { once } from "node:events";
import type { FormField, FormValue, Host, HostDoctor, HostOptions } from "../../../index.ts";
import type { Style } from "../../shared/render/style.ts";
import { createScreen } from "../screen/create-screen.ts";
import type { Screen } from "../screen.ts";
import { createCallQuestion } from "./ask-call.ts";
import { askFields, askForm } from "./ask-form.ts";
import { askPage } from "./ask-page.ts";
import { createTaskQueue } from "./task-queue.ts";

type AskPerson = NonNullable<HostOptions["onElicitation"]>;
type AskBeforeCall = NonNullable<HostOptions["onCall"]>;

/** Creates a handler that shows server questions during a command, with the dialogs of interactive mode. */
export function createTerminalQuestions(
  style: Style,
  host: () => { readonly doctor: Pick<HostDoctor, "openPage"> },
): AskPerson {
  const inSequence = createTaskQueue();
  return (request, { signal }) =>
    inSequence(async () => {
      if (signal.aborted) return { action: "cancel" };
      return withScreen(style, signal, (screen) =>
        request.mode === "form" ? askForm(screen, request, signal) : askPage(screen, host(), request, signal),
      );
    });
}

/** Creates a handler that asks before calls during a command. */
export function createTerminalCallQuestion(
  style: Style,
  host: () => Pick<Host, "approvals">,
  commandSignal: AbortSignal,
): AskBeforeCall {
  const inSequence = createTaskQueue();
  const ask = createCallQuestion(host, "plugboard");
  return (request, context) =>
    inSequence(() => withScreen(style, commandSignal, (screen) => ask(screen, request, context)));
}

/** Asks for a tool's arguments, one after the other. Resolves with `undefined` if the user cancels. */
export function askArguments(
  style: Style,
  fields: readonly FormField[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FormValue> | undefined> {
  return withScreen(style, signal, ({ dialogs }) => askFields(dialogs, fields, signal));
}

/** Takes over the terminal until the question is answered. */
async function withScreen<T>(
  style: Style,
  signal: AbortSignal,
  ask: (screen: Screen) => Promise<T>,
): Promise<T> {
  let isInterrupted = false;
  /** In raw mode, the terminal does not send SIGINT on Ctrl-C. */
  const interrupt = (): boolean => {
    isInterrupted = true;
    process.kill(process.pid, "SIGINT");
    return true;
  };
  const screen = createScreen(style, {
    isForQuestionsOnly: true,
    onLine: () => {},
    onEscape: () => {},
    onInterrupt: interrupt,
    onLeave: interrupt,
    complete: async () => undefined,
  });
  try {
    const answer = await ask(screen);
    // The command ends, so do not send an answer to the server.
    if (isInterrupted && !signal.aborted) await once(signal, "abort");
    return answer;
  } finally {
    screen.close();
  }
}
