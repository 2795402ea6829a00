import type { SignInView } from "../../../auth/index.ts";
import type { ConnectionsDocument, SignInRow } from "../api/approval-documents.ts";
import type { Done } from "../api/page.ts";
import { optionalTextIn, type PageContext, textIn } from "../page-context.ts";
import { PageSignIns } from "../page-sign-ins.ts";
import type { Route } from "../route.ts";
import { shownServers } from "../shown-servers.ts";

/** The routes of the person's accounts at servers. */
export function connectionRoutes(context: PageContext): Route[] {
  const { host, gateway, lists, touch } = context;
  const { clock } = gateway.workspace.ports;
  const running = new PageSignIns({
    clock,
    signIns: host.signIns,
    onChange: () => touch("connections", "servers"),
  });
  return [
    {
      method: "GET",
      path: "connections",
      right: "read",
      answer: () => describeConnections(context, running),
    },
    {
      method: "POST",
      path: "connections/sign-in",
      right: "connections.change",
      answer({ body }) {
        const account = optionalTextIn(body, "account");
        const { name: server } = lists.server(textIn(body, "server"));
        return running.start({ server, ...(account !== undefined && { account }) });
      },
    },
    {
      method: "GET",
      path: "connections/sign-ins/:id",
      right: "read",
      answer: ({ names }) => running.get(names["id"] ?? ""),
    },
    {
      method: "POST",
      path: "connections/sign-ins/:id/cancel",
      right: "connections.change",
      answer({ names }): Done {
        running.cancel(names["id"] ?? "");
        return { ok: true };
      },
    },
    {
      method: "POST",
      path: "connections/sign-out",
      right: "connections.change",
      async answer({ body }): Promise<Done> {
        const account = optionalTextIn(body, "account");
        const accounts = await host.signIns.logout(textIn(body, "server"), {
          ...(account !== undefined && { account }),
        });
        touch("connections", "servers");
        return { ok: true, text: accounts.join(", ") };
      },
    },
  ];
}

async function describeConnections(context: PageContext, running: PageSignIns): Promise<ConnectionsDocument> {
  const { host, gateway } = context;
  const revision = context.revision("connections");
  const [signIns, secrets] = await Promise.all([host.signIns.list(), host.secrets.list()]);
  const needed = shownServers(gateway.workspace).flatMap((server) => {
    const { state, because = "It needs a sign-in." } = gateway.records.states.of(server);
    const isNeeded = state === "needs_auth" || state === "needs_client_registration";
    return isNeeded ? [{ server: server.name, because }] : [];
  });
  return {
    revision,
    signIns: signIns.map((view) => describeSignIn(context, view)),
    needed,
    secrets,
    running: running.all(),
  };
}

function describeSignIn({ host }: PageContext, view: SignInView): SignInRow {
  const { url, program, account, current, issuer, scope, expiresAt, renewable, state, because } = view;
  const server = host.servers().find((one) => isFor(one, view))?.name ?? program?.name;
  return {
    ...(server !== undefined && { server }),
    ...(url !== undefined && { url }),
    account,
    isDefault: current,
    issuer,
    ...(scope !== undefined && { scope }),
    ...(expiresAt !== undefined && { expiresAt }),
    renewable,
    state,
    ...(because !== undefined && { because }),
  };
}

/** Sign-ins are stored by URL without the query. */
function isFor(server: { readonly url?: string }, { url }: SignInView): boolean {
  return url !== undefined && server.url?.replace(/[?#].*$/s, "") === url;
}
