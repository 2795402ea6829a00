import { resolve } from "node:path";
import type { CommandContext } from "./command.ts";
import type { Standpoint } from "./render/place.ts";

export function standpointOf({
  terminal,
  flags,
  program,
}: Pick<CommandContext, "terminal" | "flags" | "program">): Standpoint {
  const { directory } = flags;
  const cwd = typeof directory === "string" ? resolve(directory) : process.cwd();
  return { home: terminal.home, cwd, program };
}
