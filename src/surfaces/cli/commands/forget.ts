import type { Command } from "../../shared/command.ts";
import { usageError } from "../../shared/usage-error.ts";

export const forget: Command = {
  name: "forget",
  summary: "Delete what the tool search has learned from calls.",
  parameters: "usage",
  notes: ['To turn learning off, set "learnFromUse" to false in settings.json.'],
  words: { least: 1, most: 1 },
  flags: {},
  examples: ["plugboard forget usage", "plugboard forget usage --json"],
  async run(context) {
    const [what] = context.words;
    if (what !== "usage") throw usageError(`Unknown data "${what}".`, "The only choice is: usage");
    const deleted = await (await context.openHost({ quiet: true })).forgetUsage();
    if (context.json) context.printJson({ deleted });
    else
      context.terminal.out(
        deleted ? "Deleted everything that was learned from calls.\n" : "Nothing was learned yet.\n",
      );
    return 0;
  },
};
