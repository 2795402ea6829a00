import { safeLine } from "../../../terminal.ts";
import type { Command } from "../command.ts";

export const logout: Command = {
  name: "logout",
  aliases: ["unauth"],
  summary: "Sign out of a server: revoke and delete its sign-ins.",
  parameters: "<server>",
  words: { least: 1, most: 1 },
  flags: { account: { type: "string", value: "<name>", summary: "sign out of this account only" } },
  examples: ["plugboard logout github", "plugboard logout github --account work"],
  async run({ words, flags, json, printJson, terminal, openHost }) {
    const [server = ""] = words;
    const { account } = flags;
    const host = await openHost();
    const accounts = await host.signIns.logout(server, typeof account === "string" ? { account } : {});
    if (json) printJson({ server, accounts });
    else if (accounts.length === 0) terminal.out(`You are not signed in to "${safeLine(server)}".\n`);
    else terminal.out(`Signed out of "${safeLine(server)}" (${accounts.map(safeLine).join(", ")}).\n`);
    return 0;
  },
};
