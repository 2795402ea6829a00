import { posix, win32 } from "node:path";
import { changesWhatRuns } from "../../values/index.ts";

/** Names that say that the value is a path. */
const PATH_NAME = /(?:PATH|DIR|DIRS|HOME|ROOT|FILE|TMP|TEMP)$/i;
const OPTIONS_NAME = /OPT(?:ION)?S?$/i;

/**
 * Could this variable make a program use files from the folder it is started in? A variable that steers programs or holds a path
 * is harmless only if everything in it is an absolute path or a URL: no list of the programs that read it is complete.
 */
export function namesRelativePath(name: string, value: string, platform: string): boolean {
  if (OPTIONS_NAME.test(name)) return value !== "";
  if (PATH_NAME.test(name) || changesWhatRuns(name)) return !isAbsolute(value, platform);
  return /(?:^|[\s:;=,"'])\.{1,2}(?:[\\/:;]|$)/.test(value);
}

/** Is everything in this list an absolute path? An empty part of a list is the folder a program is started in. */
function isAbsolute(value: string, platform: string): boolean {
  if (/^https?:\/\/\S*$/.test(value)) return true;
  const isWindows = platform === "win32";
  const parts = value.split(isWindows ? /[;,]|\s+/ : /[:;,]|\s+/);
  return parts.every((part) => (isWindows ? win32 : posix).isAbsolute(part));
}
