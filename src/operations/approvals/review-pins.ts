import { HostError, type Server } from "../../model/index.ts";
import { mapYielding } from "../../platform/index.ts";
import { useServer } from "../lifecycle/use-server.ts";
import { otherToolNames } from "../tools/other-tool-names.ts";
import { catalogSubject, decide, type Workspace } from "../workspace.ts";
import { hashTools, lintTools, type PinReport, withoutOwnNames } from "./tool-pins.ts";

/** Compares the tools of one server, or of all that may run, with their pins. Connects if no list is cached. */
export async function reviewPins(workspace: Workspace, name: string | undefined): Promise<PinReport[]> {
  if (name !== undefined) return [await review(workspace, await useServer(workspace, name))];
  const servers = [...workspace.inventory().servers.values()].filter(
    (server) => decide(workspace, server).allowed,
  );
  const reports = await mapYielding(servers, (server) => review(workspace, server).catch(() => undefined));
  return reports.filter((report) => report !== undefined); // a server's state shows why it could not be read
}

/** Records that a person reviewed the tools with this hash. */
export async function acceptPins(workspace: Workspace, name: string, hash: string): Promise<PinReport> {
  const server = await useServer(workspace, name);
  const { catalog } = await workspace.catalogs.get(catalogSubject(server));
  await workspace.pins.accept(server, catalog.tools, hash);
  workspace.toolsChanged(name);
  return review(workspace, server);
}

async function review(workspace: Workspace, server: Server): Promise<PinReport> {
  const { catalogs, pins } = workspace;
  if (server.launch === undefined)
    throw new HostError("SERVER_INVALID", `Server "${server.name}" cannot be used.`);
  const { catalog } = await catalogs.get(catalogSubject(server));
  await hashTools(catalog.tools);
  const others = withoutOwnNames(await otherToolNames(workspace, server), catalog.tools);
  return { ...(await pins.check(server, catalog.tools)), findings: await lintTools(catalog.tools, others) };
}
