import type { Command } from "../../shared/command.ts";

export const audit: Command = {
  name: "audit",
  summary: "Show the requests that clients sent to the gateway, and their outcomes.",
  parameters: "",
  notes: [
    "Every gateway of this user records its clients' requests for 14 days. Arguments and results are not kept.",
    "Outcomes: ok, tool_error, refused, failed, cancelled, timed_out",
  ],
  words: { least: 0, most: 0 },
  flags: {
    since: {
      type: "string",
      value: "<time>",
      summary: "only requests since then: 30m, 12h, 7d, or an ISO date",
    },
    server: { type: "string", value: "<name>", summary: "only requests to this server" },
    tool: {
      type: "string",
      value: "<name>",
      summary: "only this tool, prompt or resource, as the server names it",
    },
    outcome: { type: "string", value: "<outcome>", summary: "only requests with this outcome" },
    limit: { type: "string", value: "<n>", summary: "number of requests to show (default 100)" },
    follow: { type: "boolean", short: "f", summary: "keep showing new requests until Ctrl-C" },
  },
  examples: ["plugboard audit --since 1h --outcome failed", "plugboard audit --server files --follow"],
  run: async (context) => (await import("./show-audit.lazy.ts")).showAudit(context),
};
