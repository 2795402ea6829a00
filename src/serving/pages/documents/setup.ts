import { gatewaySetups } from "../../../operations/index.ts";
import type { SetupDocument } from "../api/activity-documents.ts";
import type { PageContext } from "../page-context.ts";
import type { Route } from "../route.ts";

/** The route of what to add to other tools' config files. */
export function setupRoutes({ gateway, httpServers }: PageContext): Route[] {
  return [
    {
      method: "GET",
      path: "setup",
      right: "read",
      async answer(): Promise<SetupDocument> {
        const { clients, skipped } = await gatewaySetups(gateway.workspace);
        const [http] = httpServers();
        return {
          clients: clients.map((client) => ({
            ...client,
            command: `plugboard export ${client.tool} --gateway`,
          })),
          skipped,
          ...(http !== undefined && { http: { url: http.url, tokenFile: http.tokenFile } }),
        };
      },
    },
  ];
}
