import { HostError, type SignInPrompt } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { Screen } from "../screen.ts";

/** Shows where to sign in. What the browser ended at may be pasted; Esc ends the sign-in. */
export async function askSignIn(
  screen: Screen,
  { server, url, userCode, opened, signal }: SignInPrompt,
): Promise<string | undefined> {
  const { style, dialogs } = screen;
  const name = safeLine(server);
  const where = opened ? "Your browser should open the sign-in page. If it does not, open" : "Open";
  screen.print(`${style.warn("!")} "${name}" needs you to sign in. ${where}:\n  ${safeLine(url)}`);
  if (userCode !== undefined) screen.print(`  and type the code ${style.bold(safeLine(userCode))}`);
  const answer =
    userCode === undefined
      ? await dialogs.askText({
          isUnexpected: true,
          title: `Signing in to "${name}"`,
          lines: ["When the browser is done, this goes on by itself."],
          placeholder: "or paste the address it ended at, or the code",
          check: (text) =>
            text.trim() === "" ? "Paste the address or the code; Esc cancels the sign-in." : undefined,
          signal,
        })
      : await dialogs.choose({
          isUnexpected: true,
          title: `Signing in to "${name}": type ${safeLine(userCode)} there`,
          lines: ["When you are done there, this goes on by itself."],
          choices: [{ value: "", label: "Cancel the sign-in" }],
          signal,
        });
  if (signal.aborted) return undefined;
  if (answer.kind === "value" && answer.value !== "") return answer.value;
  throw new HostError("INTERACTION_REQUIRED", `The sign-in to "${server}" was cancelled.`, {
    server,
    reason: "signIn",
  });
}
