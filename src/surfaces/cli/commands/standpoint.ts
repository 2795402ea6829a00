import { resolve } from "node:path";
import type { CommandContext } from "../command.ts";
import type { Standpoint } from "../render/place.ts";

export function standpointOf({ terminal, flags }: CommandContext): Standpoint {
  const { directory } = flags;
  return { home: terminal.home, cwd: typeof directory === "string" ? resolve(directory) : process.cwd() };
}
