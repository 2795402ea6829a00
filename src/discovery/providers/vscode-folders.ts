import type { Where } from "../provider.ts";

const EDITIONS = ["Code", "Code - Insiders", "VSCodium"];

/** Returns the user folders of VS Code's editions. */
export function vscodeUserFolders({ appData, join }: Where): string[] {
  return EDITIONS.map((edition) => join(appData, edition, "User"));
}
