import { catalogSubject, type Workspace } from "../../operations/index.ts";
import type { PolicySubject } from "../../policy/index.ts";
import { toolSubject } from "../access/check-rights.ts";
import type { Upstreams } from "./upstreams.ts";

/** Returns the known tools, resources and prompts of the servers, as rules see them. Starts no server. */
export function knownSubjects(
  workspace: Workspace,
  upstreams: Pick<Upstreams, "workspaces">,
): readonly PolicySubject[] {
  return [...workspace.inventory().servers.values()].flatMap((server) => {
    const subject = catalogSubject(server);
    const catalogs = [workspace, ...upstreams.workspaces()].map((one) => one.catalogs.inMemory(subject));
    const known = catalogs.find((catalog) => catalog !== undefined);
    if (known === undefined) return [];
    const { name } = server;
    return [
      ...known.tools.map((tool) => toolSubject(server, tool)),
      ...known.resources.map(({ uri }) => ({ kind: "resource", server: name, item: uri }) as const),
      ...known.prompts.map((prompt) => ({ kind: "prompt", server: name, item: prompt.name }) as const),
    ];
  });
}
