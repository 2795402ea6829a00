import { HostError, type SignInPrompt } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { Screen } from "../screen.ts";

/** Shows the sign-in URL and accepts a pasted URL or code. Esc cancels the sign-in. */
export async function askSignIn(
  screen: Screen,
  { server, url, userCode, opened, signal }: SignInPrompt,
): Promise<string | undefined> {
  const { style, dialogs } = screen;
  const name = safeLine(server);
  const where = opened ? "Your browser should open the sign-in page. If it does not, open" : "Open";
  screen.print(`${style.warn("!")} "${name}" requires sign-in. ${where}:\n  ${safeLine(url)}`);
  if (userCode !== undefined) screen.print(`  and enter the code ${style.bold(safeLine(userCode))}`);
  const answer =
    userCode === undefined
      ? await dialogs.askText({
          isUnexpected: true,
          title: `Signing in to "${name}"`,
          lines: ["Plugboard continues when you finish in the browser."],
          placeholder: "or paste the final URL or the code",
          check: (text) =>
            text.trim() === "" ? "Paste the URL or the code. Esc cancels the sign-in." : undefined,
          signal,
        })
      : await dialogs.choose({
          isUnexpected: true,
          title: `Signing in to "${name}": enter the code ${safeLine(userCode)}`,
          lines: ["Plugboard continues when you finish signing in."],
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
