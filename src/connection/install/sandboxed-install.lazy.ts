import { recognizeProgram } from "../prepare/recognize-program.ts";
import { packageName, parseNpxLine } from "./npx-line.ts";

/** What Plugboard installs outside of a sandbox. */
export interface SandboxedInstall {
  /** The packages, from the registry. */
  readonly packages: readonly string[];
  /** The registry that the launch names. Otherwise npm uses the one in the user's own settings. */
  readonly registry?: string;
  /** The command line that installs them without running any of their code. */
  readonly line: readonly string[];
}

/**
 * Returns how to install the package of a sandboxed launch. Only npm can install a package without running code of it. Everything
 * else that the launch says is dropped: a path to npm, npm's other options, and packages that are not from the registry.
 */
export function parseSandboxedInstall(words: readonly string[]): SandboxedInstall | undefined {
  const [command = ""] = words;
  if (!/^npx?$/.test(command) || recognizeProgram(words, 0).kind !== "npm") return undefined;
  const isNpx = command === "npx";
  const npx = parseNpxLine(words, 0, isNpx);
  if (npx === undefined || !npx.packages.every((spec) => packageName(spec) !== undefined)) return undefined;
  const registry = registryIn(words.slice(1, npx.optionsEnd));
  return {
    packages: npx.packages,
    ...(registry !== undefined && { registry }),
    line: [
      ...(isNpx ? ["npx"] : ["npm", "exec"]),
      "--yes",
      "--ignore-scripts=true",
      ...(registry === undefined ? [] : [`--registry=${registry}`]),
      ...npx.packages.map((spec) => `--package=${spec}`),
      "--call=exit",
    ],
  };
}

/** npm uses the last of repeated options. */
function registryIn(options: readonly string[]): string | undefined {
  const found = options.flatMap((word, at) => {
    if (word === "--registry") return [options[at + 1] ?? ""];
    return word.startsWith("--registry=") ? [word.slice("--registry=".length)] : [];
  });
  return found.at(-1);
}
