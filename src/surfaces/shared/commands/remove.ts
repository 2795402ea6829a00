import type { Command } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderPlace } from "../render/place.ts";
import { readScope, SCOPE_FLAG } from "./scope.ts";

export const remove: Command = {
  name: "remove",
  aliases: ["rm"],
  summary: "Remove a server from Plugboard's config.",
  parameters: "<server>",
  words: { least: 1, most: 1 },
  flags: { scope: SCOPE_FLAG },
  examples: ["plugboard remove files", "plugboard rm files --scope user"],
  async run(context) {
    const [name = ""] = context.words;
    const host = await context.openHost();
    const removed = await host.config.remove(name, readScope(context.flags["scope"]));
    if (context.json) context.printJson(removed);
    else {
      const place = renderPlace({ file: removed.file }, displayContextOf(context));
      context.terminal.out(
        `${context.style.bad("-")} Removed server "${name}" from ${removed.scope} config (${place})\n`,
      );
    }
    return 0;
  },
};
