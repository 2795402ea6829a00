import { isAbsolute, join } from "node:path";
import { messageOf, Secret } from "../model/index.ts";
import { parseEnvFile } from "./parse-env-file.ts";
import type { ServerTexts } from "./server-texts.ts";
import { steersPrograms } from "./steers-programs.ts";

/** The variables in the file that a launch names, but for those that a repository must not set this way. */
export async function readEnvFile(texts: ServerTexts, file: string): Promise<[string, Secret][]> {
  const { environment, files } = texts.context;
  try {
    const bytes = await files.read(isAbsolute(file) ? file : join(environment.cwd, file));
    if (bytes !== undefined) {
      return [...parseEnvFile(new TextDecoder().decode(bytes))]
        .filter(([name]) => mayComeFromFile(texts, name, file))
        .map(([name, value]) => [name, new Secret(value)]);
    }
    texts.complain("envFile", `names ${file}, which does not exist`);
  } catch (error) {
    texts.complain("envFile", `cannot be read: ${messageOf(error)}`);
  }
  return [];
}

/** What was approved is the entry, not the file that it names, which a repository can change afterwards. */
function mayComeFromFile(texts: ServerTexts, name: string, file: string): boolean {
  if (texts.server.provenance.tier !== "project" || !steersPrograms(name)) return true;
  texts.complain("envFile", `leaves out ${name} of ${file}, which would change what runs; name it in "env"`);
  return false;
}
