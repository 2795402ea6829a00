import type { Command } from "../../shared/command.ts";

export const audit: Command = {
  name: "audit",
  summary: "Show the requests that clients sent to the gateway, and their outcomes.",
  parameters: "[verify | export]",
  notes: [
    "Every gateway of this user records its clients' requests for 14 days. Arguments and results are not kept.",
    "Outcomes: ok, tool_error, refused, failed, cancelled, timed_out",
    "export   print all matching requests, as JSON lines, CSV or OTLP",
    "verify   check that no request in a team's database was changed or deleted",
    "The checkpoint that verify prints must be kept elsewhere: with --checkpoint, a later verification also detects a database that was restored to an earlier state.",
  ],
  words: { least: 0, most: 1 },
  flags: {
    since: {
      type: "string",
      value: "<time>",
      summary: "only requests since this time: 30m, 12h, 7d, or an ISO date",
    },
    server: { type: "string", value: "<name>", summary: "only requests to this server" },
    tool: {
      type: "string",
      value: "<name>",
      summary: "only this tool, prompt or resource, as the server names it",
    },
    outcome: { type: "string", value: "<outcome>", summary: "only requests with this outcome" },
    until: { type: "string", value: "<time>", summary: "only requests until this time" },
    person: {
      type: "string",
      value: "<name>",
      summary: "only requests of this person of a team: a name or an id",
    },
    format: { type: "string", value: "jsonl|csv|otlp", summary: "with export: the format (default jsonl)" },
    checkpoint: {
      type: "string",
      value: "<text>",
      summary: "with verify: the checkpoint that an earlier verification printed",
    },
    config: { type: "string", value: "<file>", summary: "the config file of a team's gateway" },
    limit: { type: "string", value: "<n>", summary: "number of requests to show (default 100)" },
    follow: { type: "boolean", short: "f", summary: "keep showing new requests until Ctrl-C" },
  },
  examples: [
    "plugboard audit --since 1h --outcome failed",
    "plugboard audit --server files --follow",
    "plugboard audit verify --config gateway.jsonc",
  ],
  run: async (context) => (await import("./show-audit.lazy.ts")).showAudit(context),
};
