import { safeLine } from "../../../terminal.ts";
import type { Command } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderPlace } from "../render/place.ts";

function switchCommand(name: "enable" | "disable", summary: string): Command {
  const enabled = name === "enable";
  return {
    name,
    summary,
    parameters: "<server>",
    words: { least: 1, most: 1 },
    flags: {},
    examples: [`plugboard ${name} github`, `plugboard ${name} github --json`],
    async run(context) {
      const [server = ""] = context.words;
      const host = await context.openHost();
      const result = await host.config.setEnabled(server, enabled);
      if (context.json) context.printJson(result);
      else if (result.already) context.terminal.out(`Server "${safeLine(server)}" is already ${name}d.\n`);
      else {
        const place = renderPlace({ file: result.file }, displayContextOf(context));
        context.terminal.out(
          `${context.style.good("✓")} ${enabled ? "Enabled" : "Disabled"} "${safeLine(server)}" (${place})\n`,
        );
        if (result.blockedBy !== undefined)
          context.terminal.err(
            `  ${context.style.warn("!")} It is still off because of ${safeLine(result.blockedBy)}.\n`,
          );
      }
      return 0;
    },
  };
}

export const enable: Command = switchCommand("enable", "Enable a server, whichever config file defines it.");
export const disable: Command = switchCommand(
  "disable",
  "Disable a server, whichever config file defines it.",
);
