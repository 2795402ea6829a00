import { safeLine } from "../../../index.ts";
import type { Command } from "../command.ts";
import { renderPlace } from "../render/place.ts";
import { readScope, SCOPE_FLAG } from "./scope.ts";
import { standpointOf } from "./standpoint.ts";

export const importServers: Command = {
  name: "import",
  summary: "Copy another tool's servers into Plugboard's own config.",
  parameters: "<tool> [server …]",
  words: { least: 1, most: Number.POSITIVE_INFINITY },
  flags: { scope: SCOPE_FLAG },
  examples: ["plugboard import cursor", "plugboard import claude-code github linear --scope user"],
  async run(context) {
    const [tool = "", ...names] = context.words;
    const { terminal, style } = context;
    const host = await context.openHost();
    const scope = readScope(context.flags["scope"]) ?? "user";
    const { written, skipped } = await host.importFrom({ tool, scope, ...(names.length > 0 && { names }) });
    if (context.json) context.printJson({ written, skipped });
    else {
      for (const { name, file } of written) {
        const place = renderPlace({ file }, standpointOf(context));
        terminal.out(`${style.good("+")} Added server "${safeLine(name)}" to ${scope} config (${place})\n`);
      }
      for (const { name, reason } of skipped)
        terminal.err(`${style.warn("!")} ${safeLine(name)}: ${safeLine(reason)}\n`);
    }
    return written.length > 0 || skipped.length === 0 ? 0 : 1;
  },
};
