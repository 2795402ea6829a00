import { codeOf, messageOf, Secret } from "../model/index.ts";
import { changesWhatRuns, type EnvFile } from "./env-file.ts";
import { describeOutsideLink } from "./inside-project.ts";
import type { ServerTexts } from "./server-texts.ts";

/** Returns the variables for the program. Omits those that a project's `envFile` must not set. */
export function envFileValues(texts: ServerTexts, envFile: string, read: EnvFile): [string, Secret][] {
  const { text: file, shown } = texts.fill("envFile", envFile); // reports placeholders that are not set
  texts.hide(...read.variables.values());
  const { failure } = read;
  if (failure?.kind === "missing") texts.complain("envFile", `points to ${shown}, which does not exist`);
  else if (failure?.kind === "workingFolder")
    texts.complain(
      "envFile",
      `points to ${shown} in the current folder, so it is not read: use an absolute path, or set "resolveInProject" to use each folder's own file`,
    );
  else if (failure?.kind === "outside")
    texts.complain("envFile", `points to ${shown}, ${describeOutsideLink(failure.leadsTo)}`);
  else if (failure !== undefined) {
    // The system's error message contains the path, which may contain secret values.
    const why = shown === file ? messageOf(failure.error) : (codeOf(failure.error) ?? "it is not a file");
    texts.complain("envFile", `cannot be read: ${why}`);
  }
  return [...read.variables]
    .filter(([name]) => mayComeFromFile(texts, name, shown))
    .map(([name, value]) => [name, new Secret(value)]);
}

/** The user approved the names, but the values may change later. These variables could then change what runs. */
function mayComeFromFile(texts: ServerTexts, name: string, file: string): boolean {
  if (texts.server.provenance.tier !== "project" || !changesWhatRuns(name)) return true;
  texts.complain(
    "envFile",
    `ignores ${name} in ${file} because it could change what runs; set it in "env" instead`,
  );
  return false;
}
