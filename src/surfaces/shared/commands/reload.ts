import type { Command } from "../command.ts";
import { showStatus } from "./show-status.ts";

export const reload: Command = {
  name: "reload",
  summary: "Read the config files again, forget what is known of the servers, connect to them and report.",
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
