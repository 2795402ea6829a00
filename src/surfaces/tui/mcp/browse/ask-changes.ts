import { type Host, messageOf } from "../../../../index.ts";
import { safeLine, truncate } from "../../../../terminal.ts";
import { parseChanges } from "../../../shared/add/entry-changes.ts";
import type { Dialogs } from "../../dialogs.ts";
import { lineWords } from "../../split-line.ts";

const LONGEST_VALUE = 60;
const MOST_FIELDS = 8;

/** Asks for changes to a server's entry, as `set` takes them. Resolves with the words, or with none if the user cancels. */
export async function askChanges(
  { host, dialogs, signal }: { readonly host: Host; readonly dialogs: Dialogs; readonly signal: AbortSignal },
  server: string,
): Promise<readonly string[]> {
  const { fields } = await host.config.explain(server);
  const shown = fields.slice(0, MOST_FIELDS).map(({ field, value }) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${safeLine(field)}: ${safeLine(truncate(text, LONGEST_VALUE))}`;
  });
  const answer = await dialogs.askText({
    title: `Which fields of ${safeLine(server)} should change?`,
    lines: [...shown, "field=value …, for example timeout=60000 env.TOKEN=env:NAME"],
    check: (text) => {
      try {
        parseChanges(lineWords(text), {});
        return undefined;
      } catch (error) {
        return messageOf(error);
      }
    },
    signal,
  });
  return answer.kind === "value" ? lineWords(answer.value) : [];
}
