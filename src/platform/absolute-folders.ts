/** A relative folder on PATH, such as `./node_modules/.bin`, would let the working folder choose the programs. */
export function absoluteFolders(path: string): string {
  return path
    .split(":")
    .filter((folder) => folder.startsWith("/"))
    .join(":");
}
