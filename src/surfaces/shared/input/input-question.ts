import type { HostOptions } from "../../../index.ts";
import type { CommandContext } from "../command.ts";
import { displayContextOf } from "../display-context.ts";

/** Returns the handler that asks for servers' inputs during a command, if the user can answer. */
export function inputQuestion(
  { terminal, flags }: Pick<CommandContext, "terminal" | "flags">,
  color: boolean,
  signal: AbortSignal,
): Pick<HostOptions, "onInput"> {
  if (!terminal.errIsTty() || !terminal.canAnswer()) return {};
  return {
    async onInput(request) {
      const { askInputs } = await import("./ask-inputs.lazy.ts");
      const display = displayContextOf({ terminal, flags, program: "plugboard" });
      return askInputs(terminal, terminal.errStyle(color), display, { request, signal });
    },
  };
}
