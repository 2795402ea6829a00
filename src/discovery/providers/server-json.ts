import { type InputRequest, NO_EXPANSION } from "../../model/index.ts";
import type { DiscoveryProvider } from "../provider.ts";
import { projectFile } from "../source-files.ts";
import { readServerJson } from "../templates/server-json.ts";

const OFF = { value: false, rule: "its file is a template that describes how to run a server" };

/** A declaration lists its inputs as the file's owner reads them. The choices are only used by `add`, which reads the file itself. */
function withoutOptions({ options: _, ...input }: InputRequest): InputRequest {
  return input;
}

/** The registry's `server.json` in a project: templates that are always disabled. */
export const serverJson: DiscoveryProvider = {
  id: "server-json",
  label: "server.json",
  priority: 40,
  files: (where) => [projectFile(where, "server.json")],
  read: (documents) => ({
    entries: documents.flatMap((source) =>
      readServerJson(source.value).map((template) => ({
        expansion: NO_EXPANSION,
        ...template,
        inputs: template.inputs?.map(withoutOptions),
        source,
        enabled: OFF,
        template: true as const,
      })),
    ),
  }),
};
