import { safeLine } from "../../../../index.ts";
import { shellWord } from "../../../cli/shell-word.ts";
import type { AbsentServer } from "../ready-servers.ts";

/** Why a server has no part in a turn, and what to do about it, in one line. */
export function describeAbsence({ name, state, because = "" }: AbsentServer): string {
  const server = safeLine(name);
  const word = shellWord(name);
  switch (state) {
    case "untrusted":
      return `${server} is not approved: plugboard trust ${word}`;
    case "needs_auth":
    case "needs_client_registration":
      return `${server} needs you to sign in: plugboard login ${word}`;
    case "failed":
    case "invalid":
      return `${server} is not there: ${because === "" ? `plugboard test ${word}` : safeLine(because)}`;
    default:
      return `${server} was not ready in time, and has no part in this answer.`;
  }
}
