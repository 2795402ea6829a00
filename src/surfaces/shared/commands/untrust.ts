import { safeLine } from "../../../terminal.ts";
import type { Command } from "../command.ts";

export const untrust: Command = {
  name: "untrust",
  summary: "Revoke the approval of a project's server. It needs approval again before it runs.",
  parameters: "<server>",
  words: { least: 1, most: 1 },
  flags: {},
  examples: ["plugboard untrust github"],
  async run({ words, json, printJson, terminal, style, openHost }) {
    const [server = ""] = words;
    const revoked = await (await openHost()).approvals.revoke(server);
    if (json) printJson({ revoked });
    else
      for (const { file } of revoked)
        terminal.out(
          `${style.good("✓")} "${safeLine(server)}" from ${safeLine(file)} is no longer approved.\n`,
        );
    return 0;
  },
};
