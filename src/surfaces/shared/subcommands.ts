/** Matches `start | stop`, `import <person> | forget-key <id>`, `[verify | export]` and `usage`, but not `<server>` or `[server]`. */
const SUBCOMMANDS = /^(?:\[[a-z-]+[^[\]|]*(?:\|[^[\]|]*)+\]|[a-z-]+(?: [^|]*)?(?:\|.*)?)$/;

/** Returns the actions of a command, according to the description of its parameters. Empty if its first word is not an action. */
export function subcommandsOf(parameters: string): string[] {
  return SUBCOMMANDS.test(parameters) ? alternatives(parameters) : [];
}

/** Returns the first words of the alternatives: `set`, `list` for `set <name> | list`. */
export function alternatives(parameters: string): string[] {
  const inBrackets = /^\[([^\]]+)\]/.exec(parameters)?.[1];
  const parts = (inBrackets ?? parameters).split("|");
  return parts.map((part) => part.trim().split(" ")[0] ?? "");
}
