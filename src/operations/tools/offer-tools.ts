import { type OfferKind, toOfferTools } from "../../bridge/index.ts";
import {
  type AgentTool,
  type CallOptions,
  type ContentPart,
  HostError,
  type JsonObject,
  type Server,
} from "../../model/index.ts";
import type { CallContext } from "../calls/wrap-call.ts";
import { unlessCancelled } from "../lifecycle/on-server.ts";
import { withOffers } from "../resources-and-prompts/with-offers.ts";
import type { Workspace } from "../workspace.ts";
import { type ToolListOptions, usableServers } from "./list-tools.ts";
import { toAgentResult } from "./to-agent-result.ts";

/** Returns tools for reading the resources and prompts of the servers that may offer tools. */
export function offerTools(
  workspace: Workspace,
  kinds: readonly OfferKind[],
  wanted: ToolListOptions,
): AgentTool[] {
  const usable = (): Server[] => usableServers(workspace, wanted);
  const find = (name: string): Server => {
    const server = usable().find((each) => each.name === name);
    if (server !== undefined) return server;
    throw new HostError("SERVER_UNKNOWN", `Server "${name}" is not available here.`, { server: name });
  };
  /** Without a name, omits servers that cannot be reached. Their states show why. */
  const gather = async <T>(
    name: string | undefined,
    { signal }: CallOptions,
    list: (server: string) => Promise<readonly T[]>,
  ): Promise<T[]> => {
    const listAll = async (): Promise<T[]> => {
      if (name !== undefined) return [...(await list(find(name).name))];
      const lists = await Promise.all(usable().map((server) => list(server.name).catch(() => [])));
      return lists.flat();
    };
    return unlessCancelled(signal, listAll, name);
  };
  const contextOf = ({ signal }: CallOptions): CallContext => ({ signal, session: wanted.session?.() });
  const shape = (server: Server, subject: string, content: readonly JsonObject[], options: CallOptions) =>
    toAgentResult(workspace, server, subject, { content }, options);

  return toOfferTools(
    {
      resources: (name, options) =>
        gather(name, options, (server) =>
          withOffers((offers) => offers.listResources(workspace, { server })),
        ),
      templates: (name, options) =>
        gather(name, options, (server) =>
          withOffers((offers) => offers.listResourceTemplates(workspace, { server })),
        ),
      prompts: (name, options) =>
        gather(name, options, (server) => withOffers((offers) => offers.listPrompts(workspace, { server }))),
      async read(name, uri, options) {
        const server = find(name);
        const { contents } = await withOffers((offers) =>
          offers.readResource(workspace, name, uri, contextOf(options)),
        );
        const content = contents.map((resource) => ({ type: "resource", resource: { ...resource } }));
        return shape(server, uri, content, options);
      },
      async prompt(name, prompt, args, options) {
        const server = find(name);
        const { messages } = await withOffers((offers) =>
          offers.getPrompt(workspace, name, prompt, args, contextOf(options)),
        );
        const content = messages.flatMap(({ role, content: part }) => [
          ...(messages.length > 1 ? [{ type: "text", text: `${role}:` }] : []),
          toServerPart(part),
        ]);
        return shape(server, prompt, content, options);
      },
    },
    kinds,
  );
}

/** Converts a part back to the server's format. */
function toServerPart(part: ContentPart): JsonObject {
  if (part.type !== "resource") return { ...part };
  const { type, path: _, reference: __, ...resource } = part;
  return { type, resource };
}
