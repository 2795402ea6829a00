import { safeLine } from "../../../../index.ts";
import { shellWord } from "../../../cli/shell-word.ts";
import type { AbsentServer } from "../ready-servers.ts";

/** Why a server has no part in a turn, and what to do about it, in one line. */
export function describeAbsence({ name, state, because = "" }: AbsentServer): string {
  const word = shellWord(name);
  const said = safeLine(because);
  switch (state) {
    case "untrusted":
      return `${safeLine(name)} is not approved: plugboard trust ${word}`;
    case "needs_auth":
    case "needs_client_registration":
      return `${safeLine(name)} needs you to sign in: plugboard login ${word}`;
    case "failed":
    case "invalid":
      return `${safeLine(name)} is not there: ${said === "" ? `plugboard test ${word}` : said}`;
    default:
      return `${safeLine(name)} was not ready in time, and has no part in this answer.`;
  }
}
