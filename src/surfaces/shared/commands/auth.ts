import { safeLine } from "../../../terminal.ts";
import type { Command } from "../command.ts";
import { renderSignIns } from "../render/sign-ins.ts";
import { usageError } from "../usage-error.ts";

export const auth: Command = {
  name: "auth",
  summary: "Show your sign-ins, or choose the account to use for a server.",
  parameters: "status | use <server> <account>",
  words: { least: 0, most: 3 },
  flags: {},
  examples: ["plugboard auth status", "plugboard auth status --json", "plugboard auth use github work"],
  async run({ words, json, printJson, terminal, style, program, openHost }) {
    const [verb = "status", server, account, ...more] = words;
    if (verb === "use") {
      if (server === undefined || account === undefined || more.length > 0)
        throw usageError("Specify a server and an account.", `Usage: ${program} auth use <server> <account>`);
      const host = await openHost();
      await host.signIns.use(server, account);
      if (json) printJson({ server, account });
      else
        terminal.out(`${style.good("✓")} Using account "${safeLine(account)}" for "${safeLine(server)}".\n`);
      return 0;
    }
    if (verb !== "status" || server !== undefined)
      throw usageError(
        `Unexpected argument: ${words.join(" ")}`,
        `Usage: ${program} auth status | use <server> <account>`,
      );
    const host = await openHost();
    const signIns = await host.signIns.list();
    const named = signIns.map((signIn) => ({
      ...signIn,
      servers: host
        .servers()
        .flatMap(({ name, url }) => (url !== undefined && url === signIn.url ? [name] : [])),
    }));
    if (json) printJson({ signIns: named });
    else terminal.out(renderSignIns(named, style));
    return 0;
  },
};
