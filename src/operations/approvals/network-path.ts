/** Returns whether a path can be on another machine. On some systems, looking at such a path contacts that machine. */
export function isNetworkPath(path: string): boolean {
  return /^[\\/]{2}/.test(path);
}
