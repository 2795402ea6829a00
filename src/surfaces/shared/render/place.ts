import { sep } from "node:path";
import { describePlace, safeLine } from "../../../terminal.ts";

/** Where the person stands, to say places the short way, and how they type a command there. */
export interface Standpoint {
  readonly home: string;
  readonly cwd: string;
  readonly program: string;
}

type Place = Parameters<typeof describePlace>[0] & { readonly tool?: string };

/** A place as a person would write it: from the working folder, or from `~`. What this program brings along stands in no file. */
export function renderPlace(place: Place, standpoint: Standpoint): string {
  if (place.tool === "program") return "built in";
  return safeLine(describePlace({ ...place, file: shorten(place.file ?? "", standpoint) }));
}

/** Shortens the paths inside a message the same way. */
export function shortenPaths(message: string, standpoint: Standpoint): string {
  let text = safeLine(message);
  for (const { prefix, short } of prefixes(standpoint)) text = text.replaceAll(prefix, short);
  return text;
}

function shorten(file: string, standpoint: Standpoint): string {
  const fit = prefixes(standpoint).find(({ prefix }) => file.startsWith(prefix));
  return fit === undefined ? file : `${fit.short}${file.slice(fit.prefix.length)}`;
}

/** The deeper folder first: it says more. */
function prefixes({
  home,
  cwd,
}: Omit<Standpoint, "program">): { readonly prefix: string; readonly short: string }[] {
  return [
    { prefix: `${cwd}${sep}`, short: "" },
    { prefix: `${home}${sep}`, short: `~${sep}` },
  ]
    .filter(({ prefix }) => prefix.length > 2)
    .sort((left, right) => right.prefix.length - left.prefix.length);
}
