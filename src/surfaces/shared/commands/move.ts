import { safeLine } from "../../../terminal.ts";
import type { Command } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderPlace } from "../render/place.ts";
import { usageError } from "../usage-error.ts";
import { readScope, SCOPE_FLAG } from "./scope.ts";

export const move: Command = {
  name: "move",
  summary: "Move a server between the project's config and yours.",
  parameters: "<server> --scope project|user",
  words: { least: 1, most: 1 },
  flags: { scope: SCOPE_FLAG },
  examples: ["plugboard move files --scope user", "plugboard move files --scope project"],
  async run(context) {
    const [name = ""] = context.words;
    const scope = readScope(context.flags["scope"]);
    if (scope === undefined) throw usageError("Choose a destination: --scope project or --scope user.");
    const host = await context.openHost();
    const written = await host.config.move(name, scope);
    if (context.json) context.printJson(written);
    else {
      const place = renderPlace({ file: written.file }, displayContextOf(context));
      context.terminal.out(
        `${context.style.good("✓")} Moved "${safeLine(name)}" to ${scope} config (${place})\n`,
      );
    }
    return 0;
  },
};
