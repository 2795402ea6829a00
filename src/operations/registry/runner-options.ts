/** The options that a package runner accepts before the name of its package. */
interface RunnerRules {
  readonly flags: RegExp;
  /** Options with a value, in the next word or after `=`. */
  readonly withValue?: RegExp;
  /** Options that are also refused after the name of the package, because the runner accepts them there. */
  readonly never?: RegExp;
}

const CONTAINERS: RunnerRules = {
  flags: /^(?:-[it]{1,2}|--(?:interactive|tty|rm|init|read-only))$/,
  withValue: /^(?:-e|-m|--(?:env|pull|platform|name|memory|cpus))$/,
};

/**
 * The package runners that a registry entry may start. Refused before the package: everything that could run other code or give a container
 * access to this machine, such as `npx -c`, `uvx --from`, `docker run --privileged -v /:/host`.
 */
const RULES: ReadonlyMap<string, RunnerRules> = new Map([
  ["npx", { flags: /^(?:-y|-q|--(?:yes|quiet|silent))$/ }],
  ["bunx", { flags: /^(?:-y|--(?:bun|silent))$/ }],
  ["uvx", { flags: /^(?:-q|--(?:quiet|isolated|no-config))$/ }],
  ["pipx", { flags: /^(?:-q|--quiet)$/ }],
  ["docker", CONTAINERS],
  ["podman", CONTAINERS],
  ["dnx", { flags: /^(?:-y|--yes)$/, never: /^--(?:add-source|source|configfile)(?:=|$)/ }],
]);
const SUBCOMMANDS: ReadonlyMap<string, string> = new Map([
  ["pipx", "run"],
  ["docker", "run"],
  ["podman", "run"],
]);

/** Returns why a registry's launch might do more than run its package, or `undefined` if it does not. */
export function refuseRunner(command: string, args: readonly string[]): string | undefined {
  const rules = RULES.get(command);
  if (rules === undefined) return `it would start "${command}", which is not a package runner`;
  const { flags, withValue, never } = rules;
  const subcommand = SUBCOMMANDS.get(command);
  if (subcommand !== undefined && args[0] !== subcommand)
    return `it would run "${command}" without "${subcommand}"`;
  for (let at = subcommand === undefined ? 0 : 1; at < args.length; at += 1) {
    const word = args[at] ?? "";
    const [name = "", value] = word.split("=", 2);
    if (!word.startsWith("-")) {
      const hidden = args.slice(at).find((later) => never?.test(later));
      if (hidden !== undefined) return refusal(command, hidden);
      return word.includes("{") ? `its package depends on a value that you enter: "${word}"` : undefined;
    }
    if (withValue?.test(name)) at += value === undefined ? 1 : 0;
    else if (!flags.test(word)) return refusal(command, word);
  }
  return "it does not name a package";
}

function refusal(command: string, option: string): string {
  return `it passes "${option}" to ${command}; if you trust it, add the server with its command line`;
}
