import { dirname, join, sep } from "node:path";
import { codeOf, HostError, messageOf } from "../../model/index.ts";
import type { Files } from "../../platform/index.ts";

/** Refuses to write what is meant for a project through a link that leads out of it: into the person's own config, say. */
export async function assertInsideProject(
  files: Files,
  file: string,
  projectFolders: readonly string[],
): Promise<string> {
  const root = projectFolders.at(-1) ?? sep;
  const inside = [root, await follow(files, root)].map((folder) => join(folder, sep));
  for (let path = file; path.length > root.length; path = dirname(path)) {
    const real = await follow(files, path);
    if (inside.some((folder) => real.startsWith(folder))) continue;
    throw new HostError("CONFIG_UNWRITABLE", `${path} is a link that leads out of the project, to ${real}.`, {
      hint: "Replace the link by a file, or change what it leads to yourself.",
    });
  }
  return file;
}

/** What cannot be followed may lead anywhere. A link to itself leads nowhere, and is told of when it is opened. */
async function follow(files: Files, path: string): Promise<string> {
  try {
    return await files.realPath(path);
  } catch (cause) {
    if (codeOf(cause) === "ELOOP") return path;
    throw new HostError("CONFIG_UNWRITABLE", `It cannot be seen where ${path} leads: ${messageOf(cause)}`, {
      hint: "Check the owner and mode of the folders on the way to it.",
      cause,
    });
  }
}
