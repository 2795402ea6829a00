import type { Host, ShowSignIn, SignInView } from "../../index.ts";
import { safeLine } from "../../terminal.ts";
import type { CommandContext, Flag } from "./command.ts";

export const SIGN_IN_FLAGS: Readonly<Record<string, Flag>> = {
  account: { type: "string", value: "<name>", summary: "a name for this sign-in, if you have several" },
  "no-browser": { type: "boolean", summary: "don't open a browser; paste the final URL instead" },
  device: { type: "boolean", summary: "sign in by entering a code on another device" },
};

/**
 * Signs in to a server. Always prints the URL, opens a browser unless `--no-browser` is set, and accepts a pasted URL
 * or code.
 */
export async function signIn(host: Host, server: string, context: CommandContext): Promise<SignInView> {
  const { flags, terminal, signal } = context;
  const { account } = flags;
  const browser = flags["no-browser"] !== true;
  const finished = new AbortController();
  const stop = AbortSignal.any([signal, finished.signal]);
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
    finished.abort();
  }
}
