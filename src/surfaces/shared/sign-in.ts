import type { Host, ShowSignIn, SignInView } from "../../index.ts";
import { safeLine } from "../../terminal.ts";
import type { CommandContext, Flag } from "./command.ts";

export const SIGN_IN_FLAGS: Readonly<Record<string, Flag>> = {
  account: { type: "string", value: "<name>", summary: "a name for this sign-in, if you have several" },
  "no-browser": { type: "boolean", summary: "don't open a browser; paste the final URL instead" },
  device: { type: "boolean", summary: "sign in by entering a code on another device" },
};

/** Signs in: the address is always said, a browser is opened unless that is not wanted, and what is pasted counts. */
export async function signIn(host: Host, server: string, context: CommandContext): Promise<SignInView> {
  const { flags, terminal, signal } = context;
  const { account } = flags;
  const browser = flags["no-browser"] !== true;
  const over = new AbortController();
  const stop = AbortSignal.any([signal, over.signal]);
  const show: ShowSignIn = (url, { opened, userCode }) => {
    terminal.err(
      `${opened ? "Your browser should open the sign-in page. If it does not, open" : "To sign in, open"}:\n  ${safeLine(url)}\n`,
    );
    if (userCode !== undefined) terminal.err(`and enter the code ${safeLine(userCode)}\n`);
    if (browser || userCode !== undefined) return undefined;
    return terminal.readLine("Then paste the final URL or the code: ", stop);
  };
  try {
    return await host.signIns.login(server, {
      browser,
      device: flags["device"] === true,
      ...(typeof account === "string" && { account }),
      signal,
      ...(context.hostAsks !== true && { onSignIn: show }),
    });
  } finally {
    over.abort();
  }
}
