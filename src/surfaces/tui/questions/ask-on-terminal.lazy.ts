import { once } from "node:events";
import type { HostDoctor, HostOptions } from "../../../index.ts";
import type { Style } from "../../shared/render/style.ts";
import { createScreen } from "../screen/create-screen.ts";
import { askForm } from "./ask-form.ts";
import { askPage } from "./ask-page.ts";
import { createTaskQueue } from "./task-queue.ts";

type AskPerson = NonNullable<HostOptions["onElicitation"]>;

/**
 * Creates a handler that shows server questions during a command, with the dialogs of interactive mode. Each question
 * takes over the terminal until it is answered.
 */
export function createTerminalQuestions(
  style: Style,
  host: () => { readonly doctor: Pick<HostDoctor, "openPage"> },
): AskPerson {
  const inTurn = createTaskQueue();
  return (request, { signal }) =>
    inTurn(async () => {
      if (signal.aborted) return { action: "cancel" };
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
        const answer =
          request.mode === "form"
            ? await askForm(screen, request, signal)
            : await askPage(screen, host(), request, signal);
        // The command ends, so do not send an answer to the server.
        if (isInterrupted && !signal.aborted) await once(signal, "abort");
        return answer;
      } finally {
        screen.close();
      }
    });
}
