import { posix, win32 } from "node:path";
import { changesWhatRuns } from "../../values/index.ts";

/** Variable names whose value is a path. */
const PATH_NAME = /(?:PATH|DIR|DIRS|HOME|ROOT|FILE|TMP|TEMP)$/i;
const OPTIONS_NAME = /OPT(?:ION)?S?$/i;

/**
 * Returns whether this variable could make a program use files from its start folder. A variable that controls
 * programs or contains a path is harmless only if all of it is absolute paths or URLs, because no list of the programs
 * that read it is complete.
 */
export function namesRelativePath(name: string, value: string, platform: string): boolean {
  if (OPTIONS_NAME.test(name)) return value !== "";
  if (PATH_NAME.test(name) || changesWhatRuns(name)) return !isAbsolute(value, platform);
  return /(?:^|[\s:;=,"'])\.{1,2}(?:[\\/:;]|$)/.test(value);
}

/** Returns whether everything in this list is an absolute path. An empty part of a list means the program's start folder. */
function isAbsolute(value: string, platform: string): boolean {
  if (/^https?:\/\/\S*$/.test(value)) return true;
  const isWindows = platform === "win32";
  const parts = value.split(isWindows ? /[;,]|\s+/ : /[:;,]|\s+/);
  return parts.every((part) => (isWindows ? win32 : posix).isAbsolute(part));
}
