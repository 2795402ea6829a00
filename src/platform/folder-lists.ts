import { posix, win32 } from "node:path";

/** Variables that hold a list of folders in which programs look for code. An empty part of such a list is the working folder. */
const CODE_FOLDERS =
  /^(?:PATH|(?:LD|DYLD)_\w*PATH|LIBPATH|SHLIB_PATH|LIBRARY_PATH|CPATH|PYTHONPATH|NODE_PATH|PERL5?LIB|RUBYLIB|GEM_PATH|CLASSPATH|GOPATH|GCONV_PATH|CDPATH|PSMODULEPATH|R_LIBS\w*|ERL_LIBS|XDG_\w+_DIRS)$/;

/** Lists in which an empty part stands for the default folders. */
const EMPTY_IS_DEFAULT = /^(?:LUA_|JULIA_|EMACS|MANPATH$|INFOPATH$)/;

/** Whether a variable of this name is a list of folders with code. Windows does not distinguish case in names. */
export function isFolderList(name: string, platform: string): boolean {
  return CODE_FOLDERS.test(platform === "win32" ? name.toUpperCase() : name);
}

/** Whether a variable of any other name may be such a list, if its value is written as one. */
export function mayBeFolderList(name: string): boolean {
  return /PATH$/i.test(name) && !EMPTY_IS_DEFAULT.test(name.toUpperCase());
}

export function folderSeparator(platform: string): ":" | ";" {
  return platform === "win32" ? ";" : ":";
}

/** The absolute folders of a list: the others depend on the working folder. */
export function absoluteFolders(list: string, platform = "linux"): string {
  const { isAbsolute } = platform === "win32" ? win32 : posix;
  const separator = folderSeparator(platform);
  return list.split(separator).filter(isAbsolute).join(separator);
}
