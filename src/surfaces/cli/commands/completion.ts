import type { Command } from "../../shared/command.ts";
import { SHELLS } from "../../shared/shells.ts";
import { usageError } from "../../shared/usage-error.ts";

/** The completion scripts call this command with `--` and the typed words. */
export const completion: Command = {
  name: "completion",
  summary: "Print a script that completes commands, servers, tools and options in your shell.",
  parameters: "<bash|zsh|fish>",
  words: { least: 0, most: 1 },
  flags: {},
  takesRest: true,
  examples: [
    "plugboard completion fish > ~/.config/fish/completions/plugboard.fish",
    "source <(plugboard completion bash)     # in ~/.bashrc",
    "source <(plugboard completion zsh)      # in ~/.zshrc",
  ],
  async run(context) {
    const [given] = context.words;
    const shell = SHELLS.find((name) => name === given);
    if (context.rest.length > 0) {
      const { suggest } = await import("./suggest.lazy.ts");
      return suggest(context);
    }
    if (shell === undefined)
      throw usageError(
        given === undefined ? "Missing <bash|zsh|fish>." : `Unsupported shell "${given}".`,
        "Usage: plugboard completion <bash|zsh|fish>",
      );
    const { COMPLETION_SCRIPTS } = await import("./completion-scripts.lazy.ts");
    if (context.json) context.printJson({ shell, script: COMPLETION_SCRIPTS[shell] });
    else context.terminal.out(COMPLETION_SCRIPTS[shell]);
    return 0;
  },
};
