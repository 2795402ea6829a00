import { safeLine } from "../../../../index.ts";
import { shellWord } from "../../../cli/shell-word.ts";
import type { AbsentServer } from "../ready-servers.ts";

/** What to type on a command line, and in interactive mode. */
const COMMANDS = {
  shell: { trust: "plugboard trust", signIn: "plugboard login", test: "plugboard test" },
  chat: { trust: "/mcp trust", signIn: "/mcp reauth", test: "/mcp test" },
} as const;

/** Why a server has no part in a turn, and what to do about it, in one line. */
export function describeAbsence(
  { name, state, because = "" }: AbsentServer,
  where: keyof typeof COMMANDS,
): string {
  const { trust, signIn, test } = COMMANDS[where];
  const server = safeLine(name);
  const word = shellWord(name);
  switch (state) {
    case "untrusted":
      return `${server} is not approved: ${trust} ${word}`;
    case "needs_auth":
    case "needs_client_registration":
      return `${server} needs you to sign in: ${signIn} ${word}`;
    case "failed":
    case "invalid":
      return `${server} is not there: ${because === "" ? `${test} ${word}` : safeLine(because)}`;
    default:
      return `${server} was not ready in time, and has no part in this answer.`;
  }
}
