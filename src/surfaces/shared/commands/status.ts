import type { Command } from "../command.ts";
import { TIMEOUT_FLAG } from "../time-limit.ts";
import { showStatus } from "./show-status.ts";

export const status: Command = {
  name: "status",
  summary: "Connect to every approved server and show its status. Exits 1 if there is a problem.",
  parameters: "",
  words: { least: 0, most: 0 },
  flags: {
    watch: { type: "boolean", short: "w", summary: "keep running and show every change; q or Ctrl-C quits" },
    ...TIMEOUT_FLAG,
  },
  examples: ["plugboard status", "plugboard status --watch", "plugboard status --json"],
  async run(context) {
    if (context.flags["watch"] === true)
      return (await import("../watch/watch-status.lazy.ts")).watchStatus(context);
    return showStatus(context, await context.openHost({ daemon: "auto" }));
  },
};
