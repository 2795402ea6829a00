import type { Command } from "../../shared/command.ts";

export const dashboard: Command = {
  name: "dashboard",
  summary: "Open a page in your browser that shows and controls your servers.",
  parameters: "",
  notes: [
    "Shows the daemon's servers if the daemon runs or may start automatically. Otherwise serves the page until Ctrl-C.",
    "The address works once, within a minute. It must stay secret.",
  ],
  words: { least: 0, most: 0 },
  flags: {
    "no-open": { type: "boolean", summary: "print the address instead of opening a browser" },
    "read-only": { type: "boolean", summary: "show everything and change nothing" },
    url: {
      type: "string",
      value: "<url>",
      summary: "the address of a running gateway: plugboard serve --http",
    },
    alone: { type: "boolean", summary: "serve the page in this process, without the daemon" },
  },
  examples: [
    "plugboard dashboard",
    "plugboard dashboard --no-open --read-only",
    "plugboard dashboard --url http://127.0.0.1:7420",
  ],
  run: async (context) => (await import("./dashboard.lazy.ts")).openDashboard(context),
};
