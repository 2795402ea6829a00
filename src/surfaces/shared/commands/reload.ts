import type { Command } from "../command.ts";
import { showStatus } from "./show-status.ts";

export const reload: Command = {
  name: "reload",
  summary: "Reread the config files, clear the cached lists, reconnect, and show the status.",
  parameters: "",
  words: { least: 0, most: 0 },
  flags: {},
  examples: ["plugboard reload", "plugboard reload --json"],
  async run(context) {
    const host = await context.openHost();
    await host.reload({ hard: true });
    return showStatus(context, host);
  },
};
