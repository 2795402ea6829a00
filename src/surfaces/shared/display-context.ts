import { resolve } from "node:path";
import type { CommandContext } from "./command.ts";
import type { DisplayContext } from "./render/place.ts";

export function displayContextOf({
  terminal,
  flags,
  program,
}: Pick<CommandContext, "terminal" | "flags" | "program">): DisplayContext {
  const { directory } = flags;
  const cwd = typeof directory === "string" ? resolve(directory) : process.cwd();
  return { home: terminal.home, cwd, program };
}
