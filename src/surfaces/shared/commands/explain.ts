import type { Command } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderExplanation } from "../render/explanation.ts";

export const explain: Command = {
  name: "explain",
  aliases: ["get"],
  summary: "Show one server field by field, with the file and line each value comes from.",
  parameters: "<server>",
  words: { least: 1, most: 1 },
  flags: {},
  examples: ["plugboard explain github", "plugboard explain github --json"],
  async run(context) {
    const [name = ""] = context.words;
    const host = await context.openHost({ demo: name === "demo" });
    const explanation = await host.config.explain(name);
    if (context.json) context.printJson(explanation);
    else context.terminal.out(renderExplanation(explanation, context.style, displayContextOf(context)));
    return 0;
  },
};
