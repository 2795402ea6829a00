import { relative, sep } from "node:path";
import { describePlace, safeLine } from "../../../index.ts";

/** Where the person stands, to say places the short way. */
export interface Standpoint {
  readonly home: string;
  readonly cwd: string;
}

type Place = Parameters<typeof describePlace>[0];

/** A place as a person would write it: from the working folder, or from `~`. */
export function renderPlace(place: Place, standpoint: Standpoint): string {
  return safeLine(describePlace({ ...place, file: shorten(place.file ?? "", standpoint) }));
}

/** Shortens the paths inside a message the same way. */
export function shortenPaths(message: string, { home, cwd }: Standpoint): string {
  let text = safeLine(message);
  if (cwd.length > 1) text = text.replaceAll(`${cwd}${sep}`, "");
  if (home.length > 1) text = text.replaceAll(`${home}${sep}`, `~${sep}`);
  return text;
}

function shorten(file: string, { home, cwd }: Standpoint): string {
  const below = relative(cwd, file);
  if (below !== "" && !below.startsWith("..") && file.startsWith(cwd)) return below;
  return home.length > 1 && file.startsWith(`${home}${sep}`) ? `~${file.slice(home.length)}` : file;
}
