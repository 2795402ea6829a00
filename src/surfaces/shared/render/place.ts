import { sep } from "node:path";
import { describePlace, safeLine } from "../../../terminal.ts";

/** Where the person stands, to say places the short way, and how they type a command there. */
export interface DisplayContext {
  readonly home: string;
  readonly cwd: string;
  readonly program: string;
}

type Place = Parameters<typeof describePlace>[0] & { readonly tool?: string };

/** A place as a person would write it: from the working folder, or from `~`. What this program brings along stands in no file. */
export function renderPlace(place: Place, display: DisplayContext): string {
  if (place.tool === "program") return "built in";
  return safeLine(describePlace({ ...place, file: shorten(place.file ?? "", display) }));
}

/** Shortens the paths inside a message the same way. */
export function shortenPaths(message: string, display: DisplayContext): string {
  let text = safeLine(message);
  for (const { prefix, short } of prefixes(display)) text = text.replaceAll(prefix, short);
  return text;
}

function shorten(file: string, display: DisplayContext): string {
  const fit = prefixes(display).find(({ prefix }) => file.startsWith(prefix));
  return fit === undefined ? file : `${fit.short}${file.slice(fit.prefix.length)}`;
}

/** The deeper folder first: it says more. */
function prefixes({
  home,
  cwd,
}: Omit<DisplayContext, "program">): { readonly prefix: string; readonly short: string }[] {
  return [
    { prefix: `${cwd}${sep}`, short: "" },
    { prefix: `${home}${sep}`, short: `~${sep}` },
  ]
    .filter(({ prefix }) => prefix.length > 2)
    .sort((left, right) => right.prefix.length - left.prefix.length);
}
