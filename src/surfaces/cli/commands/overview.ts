import { isatty } from "node:tty";
import type { Host } from "../../../index.ts";
import type { Command, CommandContext } from "../../shared/command.ts";
import { gatherOverview, toStatusDocument } from "../../shared/commands/gather-overview.ts";
import { demoServer } from "../../shared/demo-server.ts";
import { displayContextOf } from "../../shared/display-context.ts";
import { renderOverview } from "../../shared/render/overview.ts";
import { usageError } from "../../shared/usage-error.ts";

/** Runs for `plugboard` without a command, and for `npm start`. */
export const overview: Command = {
  name: "",
  summary: "Connect to your servers and show what they offer.",
  parameters: "",
  words: { least: 0, most: 0 },
  flags: {
    print: {
      type: "string",
      short: "p",
      value: "<prompt>",
      summary: "send one prompt to the model and print the answer; - reads it from standard input",
    },
    "allow-writes": {
      type: "boolean",
      summary: "with --print, allow calls that would need your approval by default",
    },
    continue: { type: "boolean", short: "c", summary: "continue the last conversation of this folder" },
    resume: { type: "boolean", summary: "choose an earlier conversation of this folder to continue" },
    linear: {
      type: "boolean",
      summary: "interactive mode for screen readers: text is only added, never repainted",
    },
    model: { type: "string", value: "<provider/model>", summary: "the model to use" },
  },
  examples: ["plugboard", 'plugboard --print "What changed in this repository?"'],
  async run(context) {
    const { interactive } = context;
    if (interactive !== undefined && context.flags["print"] !== undefined)
      return interactive.printTurn(context);
    if (interactive !== undefined && canRunInteractive(context)) return interactive.run(context);
    for (const flag of ["continue", "resume"])
      if (context.flags[flag] === true)
        throw usageError(
          `--${flag} needs interactive mode.`,
          "Run it in a terminal, or use --continue with --print.",
        );
    const found = await context.openHost();
    const nothing = found.servers().length === 0;
    const host = nothing
      ? await context.openHost({ servers: { demo: demoServer() }, discover: false })
      : found;
    const servers = await gatherOverview(host, context.program);
    const { problems } = found.snapshot();
    if (context.json) {
      context.printJson({ configured: !nothing, servers: toStatusDocument(servers), problems });
      return 0;
    }
    if (nothing) context.terminal.out(NOTHING_YET);
    context.terminal.out(
      renderOverview(
        { servers, problems },
        context.style,
        displayContextOf(context),
        context.terminal.columns,
      ),
    );
    context.terminal.out(await suggestCommands(host, context));
    return 0;
  },
};

/** Returns whether input and output are terminals that support interactive mode. */
function canRunInteractive({ json, terminal, flags }: CommandContext): boolean {
  const canPaint = process.env["TERM"] !== "dumb" || flags["linear"] === true;
  return !json && terminal.outIsTty && isatty(0) && canPaint;
}

const NOTHING_YET = `No MCP servers are configured on this machine yet. This is Plugboard's built-in demo server.

`;

async function suggestCommands(host: Host, { style }: CommandContext): Promise<string> {
  const isDemo = host.servers().some(({ source }) => source.tool === "program");
  if (!isDemo) return "";
  return `
${style.bold("Try")}
  plugboard call demo text_stats text="hello there"
  plugboard test demo

${style.bold("Then add your own")}
  plugboard add filesystem . --scope user
  plugboard list
`;
}
