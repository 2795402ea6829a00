import { recognizeProgram } from "../prepare/recognize-program.ts";
import { packageName, parseNpxLine } from "./npx-line.ts";

/** What Plugboard installs outside of a sandbox. */
export interface SandboxedInstall {
  /** The packages, from the registry in the user's own settings. */
  readonly packages: readonly string[];
  /** The command line that installs them without running any of their code. */
  readonly line: readonly string[];
}

/**
 * Returns how to install the package of a sandboxed launch. Only npm can install a package without running code of it. Everything
 * else that the launch says is dropped: a path to npm, npm's other options, and packages that are not from the registry. A launch that
 * names a registry is not installed: npm's cache does not keep registries apart, so the user's own servers would start its packages.
 */
export function parseSandboxedInstall(words: readonly string[]): SandboxedInstall | undefined {
  const [command = ""] = words;
  if (!/^npx?$/.test(command) || recognizeProgram(words, 0).kind !== "npm") return undefined;
  const isNpx = command === "npx";
  const npx = parseNpxLine(words, 0, isNpx);
  if (npx === undefined || !npx.packages.every((spec) => packageName(spec) !== undefined)) return undefined;
  if (words.slice(1, npx.optionsEnd).some((word) => /^--registry(?:=|$)/.test(word))) return undefined;
  return {
    packages: npx.packages,
    line: [
      ...(isNpx ? ["npx"] : ["npm", "exec"]),
      "--yes",
      "--ignore-scripts=true",
      ...npx.packages.map((spec) => `--package=${spec}`),
      "--call=exit",
    ],
  };
}
