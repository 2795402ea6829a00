import { dirname, join, sep } from "node:path";
import { ProjectBudget, readDocument } from "../../config/index.ts";
import { codeOf, HostError, messageOf } from "../../model/index.ts";
import type { Files } from "../../platform/index.ts";

/**
 * Throws if a project's file would be written through a link that leads out of the project, such as into the user's config, or if it
 * is too large to be read: an edit reads it, too.
 */
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
      hint: "Replace the link with a file, or edit the link's target yourself.",
    });
  }
  await assertReadable(files, file);
  return file;
}

async function assertReadable(files: Files, file: string): Promise<void> {
  const format = file.endsWith(".toml") ? "toml" : "json";
  const { problems } = await readDocument(files, file, format, new ProjectBudget());
  const tooLarge = problems.find(({ code }) => code === "file-too-large");
  if (tooLarge !== undefined)
    throw new HostError("CONFIG_UNWRITABLE", `${tooLarge.message}; it was not changed.`);
}

/** Throws if a path cannot be resolved, because it may lead anywhere. A link to itself is reported when it is opened. */
async function follow(files: Files, path: string): Promise<string> {
  try {
    return await files.realPath(path);
  } catch (cause) {
    if (codeOf(cause) === "ELOOP") return path;
    throw new HostError("CONFIG_UNWRITABLE", `${path} cannot be resolved: ${messageOf(cause)}`, {
      hint: "Check the owner and mode of the file's parent folders.",
      cause,
    });
  }
}
