import { isBuiltin } from "node:module";
import { codeArguments, inlineCode, isRelativePath, programName } from "../../model/index.ts";

/** Programs that look for packages in their working folder. Ruby and Perl do not. */
const FINDS_PACKAGES = /^(?:node|nodejs|tsx|ts-node|bun|deno)$/;
const IMPORTED =
  /\b(?:(?:import|export)\s*[\w\s{},*$]+\bfrom|import|require(?:\.resolve)?)\s*(?:\(\s*)?(["'`])([^"'`]+)\1/g;

/** Returns the first package or file that Node's or a similar program's options or inline code would load from the working folder. */
export function codeLoadedFromFolder(command: string, args: readonly string[]): string | undefined {
  if (!FINDS_PACKAGES.test(programName(command).toLowerCase())) return undefined;
  const named = codeArguments(command, args);
  const loaded = named.find(({ isScript, option, value }) => !isScript && isFromFolder(option, value));
  if (loaded !== undefined) return loaded.value;
  const script = named.find(({ isScript }) => isScript);
  if (args.slice(0, script?.index).includes("--experimental-default-config-file")) return "node.config.json";
  return importedPackage(inlineCode(command, args) ?? "");
}

/** Returns what NODE_OPTIONS would load from the working folder. */
export function loadedByOptions(options: string): string | undefined {
  return codeLoadedFromFolder("node", options.split(/\s+/).filter(Boolean));
}

/** Returns the first package that code imports by a literal or computed name. Imports by path are intended by the author. */
function importedPackage(code: string): string | undefined {
  const names = Array.from(code.matchAll(IMPORTED), ([, , name = ""]) => name);
  const [computed] = /\b(?:require|import)\b(?!\.meta)|createRequire/.exec(code.replace(IMPORTED, "")) ?? [];
  return (
    names.find((name) => !/^(?:\.{0,2}[\\/]|[a-z][a-z\d+.-]*:)/i.test(name) && !isBuiltin(name)) ??
    (computed === undefined ? undefined : `${computed}(…)`)
  );
}

/** Package names resolve in the working folder. An env file may contain options that load code. */
function isFromFolder(option: string, value: string): boolean {
  if (!isRelativePath(value)) return false;
  return option.startsWith("--env-file") || !/^\.{1,2}(?:[\\/]|$)/.test(value);
}
