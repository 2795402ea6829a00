import type { ClientsDocument } from "../api/activity-documents.ts";
import type { Done } from "../api/page.ts";
import type { PageContext } from "../page-context.ts";
import { unknownItem } from "../page-failure.ts";
import type { Route } from "../route.ts";

const MOST_CLIENTS = 500;

/** The routes of the gateway's clients. */
export function clientRoutes(context: PageContext): Route[] {
  const { clients } = context.gateway.records;
  return [
    {
      method: "GET",
      path: "clients",
      right: "read",
      answer: (): ClientsDocument => ({
        revision: context.revision("clients"),
        clients: clients
          .all()
          .slice(0, MOST_CLIENTS)
          .map(({ name, version, ...client }) => ({
            ...client,
            ...(name !== undefined && { name }),
            ...(version !== undefined && { version }),
          })),
      }),
    },
    {
      method: "POST",
      path: "clients/:id/end",
      right: "clients.end",
      async answer({ names }): Promise<Done> {
        if (!(await clients.end(names["id"] ?? "")))
          throw unknownItem("There is no such client to disconnect.");
        return { ok: true };
      },
    },
  ];
}
