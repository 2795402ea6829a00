/** Returns advice for a command such as `node server.js` that does not exist, because its arguments belong in `args`. */
export function argumentsInCommand(command: string): string | undefined {
  const [program = "", ...args] = command.trim().split(/\s+/);
  // A path may contain spaces, and quotes may group words.
  if (args.length === 0 || /[\\/]/.test(program) || /["']/.test(command)) return undefined;
  const list = args.map((arg) => `"${arg}"`).join(", ");
  return `Set "command" to "${program}", and move the rest to "args": [${list}].`;
}
