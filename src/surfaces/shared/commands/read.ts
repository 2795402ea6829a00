import type { Command } from "../command.ts";

export const read: Command = {
  name: "read",
  summary: "Read a resource. Text is printed; binary data goes to a file or a pipe.",
  parameters: "<server> <uri>",
  words: { least: 2, most: 2 },
  flags: { output: { type: "string", short: "o", value: "<file>", summary: "write the resource to a file" } },
  examples: ["plugboard read docs note://welcome", "plugboard read docs note://logo --output logo.png"],
  run: async (context) => (await import("./read-resource.lazy.ts")).readResource(context),
};
