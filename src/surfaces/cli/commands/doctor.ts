import type { Command } from "../command.ts";
import { renderDiagnosis } from "../render/diagnosis.ts";
import { standpointOf } from "./standpoint.ts";

export const doctor: Command = {
  name: "doctor",
  summary:
    "Say what was read, what is wrong with it, what its owner would do, and what to type. Exits 1 on errors.",
  parameters: "[server]",
  words: { least: 0, most: 1 },
  flags: {},
  examples: ["plugboard doctor", "plugboard doctor github --json"],
  async run(context) {
    const [name] = context.words;
    const host = await context.openHost();
    const diagnosis = host.diagnose(name);
    if (context.json) context.printJson(diagnosis);
    else context.terminal.out(renderDiagnosis(diagnosis, context.style, standpointOf(context)));
    const problems = [...diagnosis.problems, ...diagnosis.files.flatMap((file) => file.problems)];
    const bad = [...problems, ...diagnosis.findings].some(({ severity }) => severity === "error");
    return bad ? 1 : 0;
  },
};
