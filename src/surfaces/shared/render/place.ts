import { sep } from "node:path";
import { describePlace, safeLine } from "../../../terminal.ts";

/** The folders used to shorten paths, and the prefix of commands. */
export interface DisplayContext {
  readonly home: string;
  readonly cwd: string;
  readonly program: string;
}

type Place = Parameters<typeof describePlace>[0] & { readonly tool?: string };

/** Renders a place relative to the working folder or to `~`. Built-in servers have no file. */
export function renderPlace(place: Place, display: DisplayContext): string {
  if (place.tool === "program") return "built in";
  return safeLine(describePlace({ ...place, file: shorten(place.file ?? "", display) }));
}

/** Shortens the paths inside a message in the same way. */
export function shortenPaths(message: string, display: DisplayContext): string {
  let text = safeLine(message);
  for (const { prefix, short } of prefixes(display)) {
    const whole = text;
    text = whole.replaceAll(prefix, (found, at: number) => (isPathStart(whole, at) ? short : found));
  }
  return text;
}

/** Returns whether a path can start here. The same text inside a URL or a longer path is another place. */
function isPathStart(text: string, at: number): boolean {
  return at === 0 || /[\s"'`([{<=:,;]/.test(text.charAt(at - 1));
}

function shorten(file: string, display: DisplayContext): string {
  const fit = prefixes(display).find(({ prefix }) => file.startsWith(prefix));
  return fit === undefined ? file : `${fit.short}${file.slice(fit.prefix.length)}`;
}

/** Returns the prefixes to shorten, the longest first. */
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
