import { isBuiltin } from "node:module";
import { codeArguments, inlineCode, isRelativePath, programName } from "../../model/index.ts";

/** These look for packages in the folder they are started in; Ruby and Perl do not. */
const FINDS_PACKAGES = /^(?:node|nodejs|tsx|ts-node|bun|deno)$/;
const IMPORTED =
  /\b(?:(?:import|export)\s*[\w\s{},*$]+\bfrom|import|require(?:\.resolve)?)\s*(?:\(\s*)?(["'`])([^"'`]+)\1/g;

/** The first package or file that the options or the inline code of Node and its like would take from the working folder. */
export function loadedFromFolder(command: string, args: readonly string[]): string | undefined {
  if (!FINDS_PACKAGES.test(programName(command).toLowerCase())) return undefined;
  const named = codeArguments(command, args);
  const loaded = named.find(({ isScript, option, value }) => !isScript && isFromFolder(option, value));
  if (loaded !== undefined) return loaded.value;
  const script = named.find(({ isScript }) => isScript);
  if (args.slice(0, script?.index).includes("--experimental-default-config-file")) return "node.config.json";
  return importedPackage(inlineCode(command, args) ?? "");
}

/** What NODE_OPTIONS would load from the working folder. */
export function loadedByOptions(options: string): string | undefined {
  return loadedFromFolder("node", options.split(/\s+/).filter(Boolean));
}

/** The first package that code imports by its name, or by one that it computes. A path names a file that the code's author meant. */
function importedPackage(code: string): string | undefined {
  const names = Array.from(code.matchAll(IMPORTED), ([, , name = ""]) => name);
  const [computed] = /\b(?:require|import)\b(?!\.meta)|createRequire/.exec(code.replace(IMPORTED, "")) ?? [];
  return (
    names.find((name) => !/^(?:\.{0,2}[\\/]|[a-z][a-z\d+.-]*:)/i.test(name) && !isBuiltin(name)) ??
    (computed === undefined ? undefined : `${computed}(…)`)
  );
}

/** The name of a package is looked for in the folder; an env file may hold options that load code. */
function isFromFolder(option: string, value: string): boolean {
  if (!isRelativePath(value)) return false;
  return option.startsWith("--env-file") || !/^\.{1,2}(?:[\\/]|$)/.test(value);
}
