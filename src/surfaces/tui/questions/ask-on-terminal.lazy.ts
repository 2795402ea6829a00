import { once } from "node:events";
import type { HostDoctor, HostOptions } from "../../../index.ts";
import type { Style } from "../../shared/render/style.ts";
import { createScreen } from "../screen/create-screen.ts";
import { askForm } from "./ask-form.ts";
import { askPage } from "./ask-page.ts";
import { createTurns } from "./turns.ts";

type AskPerson = NonNullable<HostOptions["onElicitation"]>;

/**
 * Asks what a server wants to know with the forms of interactive mode, in the middle of a command. The terminal is taken for the
 * question and given back with its answer.
 */
export function createTerminalQuestions(
  style: Style,
  host: () => { readonly doctor: Pick<HostDoctor, "openPage"> },
): AskPerson {
  const inTurn = createTurns();
  return (request, { signal }) =>
    inTurn(async () => {
      if (signal.aborted) return { action: "cancel" };
      let isInterrupted = false;
      /** A terminal that gives every key sends no signal by itself. */
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
        // The server hears nothing any more: the command ends.
        if (isInterrupted && !signal.aborted) await once(signal, "abort");
        return answer;
      } finally {
        screen.close();
      }
    });
}
