import { editNativeFile } from "../../config/index.ts";
import type { Workspace } from "../workspace.ts";

/** Writes the default model to the settings, and keeps everything else in the file. Returns the file. */
export async function rememberModel(workspace: Workspace, model: string): Promise<string> {
  const file = workspace.places.settings;
  await editNativeFile(workspace.ports, file, () => [{ path: ["model"], value: model }]);
  await workspace.reload();
  return file;
}
