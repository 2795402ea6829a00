import { safeLine } from "../../../terminal.ts";
import type { Command } from "../command.ts";
import { SIGN_IN_FLAGS, signIn } from "../sign-in.ts";

export const login: Command = {
  name: "login",
  aliases: ["reauth"],
  summary: "Sign in to a remote server.",
  parameters: "<server>",
  words: { least: 1, most: 1 },
  flags: SIGN_IN_FLAGS,
  examples: [
    "plugboard login github",
    "plugboard login github --account work",
    "plugboard login github --no-browser",
  ],
  async run(context) {
    const [server = ""] = context.words;
    const { json, printJson, terminal, style } = context;
    const host = await context.openHost();
    const signedIn = await signIn(host, server, context);
    await host.connect(server);
    const as = signedIn.account === "default" ? "" : ` as "${safeLine(signedIn.account)}"`;
    if (json) printJson(signedIn);
    else terminal.out(`${style.good("✓")} Signed in to "${safeLine(server)}"${as}; it is connected.\n`);
    return 0;
  },
};
