import { posix, win32 } from "node:path";

/**
 * Variables with a list of folders that programs load code from. An empty item of such a list is the working folder.
 */
const CODE_FOLDERS =
  /^(?:PATH|(?:LD|DYLD)_\w*PATH|LIBPATH|SHLIB_PATH|LIBRARY_PATH|CPATH|PYTHONPATH|NODE_PATH|PERL5?LIB|RUBYLIB|GEM_PATH|CLASSPATH|GOPATH|GCONV_PATH|CDPATH|PSMODULEPATH|R_LIBS\w*|ERL_LIBS|XDG_\w+_DIRS)$/;

/** Lists in which an empty item means the default folders. */
const EMPTY_IS_DEFAULT = /^(?:LUA_|JULIA_|EMACS|MANPATH$|INFOPATH$)/;

/** Returns whether this variable is a list of folders with code. Variable names are case-insensitive on Windows. */
export function isFolderList(name: string, platform: string): boolean {
  return CODE_FOLDERS.test(platform === "win32" ? name.toUpperCase() : name);
}

/** Returns whether another variable may be such a list, if its value looks like one. */
export function mayBeFolderList(name: string): boolean {
  return /PATH$/i.test(name) && !EMPTY_IS_DEFAULT.test(name.toUpperCase());
}

/** Returns the separator of folder lists. */
export function folderSeparator(platform: string): ":" | ";" {
  return platform === "win32" ? ";" : ":";
}

/** Removes relative folders from a list, because they depend on the working folder. */
export function absoluteFolders(list: string, platform = "linux"): string {
  const { isAbsolute } = platform === "win32" ? win32 : posix;
  const separator = folderSeparator(platform);
  return list.split(separator).filter(isAbsolute).join(separator);
}
