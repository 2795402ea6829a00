import type { VNode } from "preact";
import { ActivityPage } from "./pages/activity.tsx";
import { ApprovalsPage } from "./pages/approvals.tsx";
import { ChangedToolsPage } from "./pages/changed-tools.tsx";
import { ClientsPage } from "./pages/clients.tsx";
import { ConnectionsPage } from "./pages/connections.tsx";
import { LaunchPage } from "./pages/launch.tsx";
import { OverviewPage } from "./pages/overview.tsx";
import { ServerPage } from "./pages/server.tsx";
import { ServersPage } from "./pages/servers.tsx";
import { SetupPage } from "./pages/setup.tsx";
import { ToolPage } from "./pages/tool.tsx";
import { ToolsPage } from "./pages/tools.tsx";
import { Empty } from "./parts/notice.tsx";
import { Page } from "./parts/page.tsx";
import { linkTo, type Route } from "./routes.ts";
import { ErrorBoundary } from "./shell/error-boundary.tsx";

/** The page at an address. */
export function View({ route }: { readonly route: Route | undefined }): VNode {
  const place = JSON.stringify([route?.page, route?.parts]);
  return (
    <ErrorBoundary key={place}>
      {(route === undefined ? undefined : viewOf(route)) ?? <UnknownPage />}
    </ErrorBoundary>
  );
}

function viewOf({ page, parts, query }: Route): VNode | undefined {
  const [first, second, third] = parts;
  if (third !== undefined) return undefined;
  if (first !== undefined && second !== undefined) {
    if (page === "tools") return <ToolPage key={JSON.stringify(parts)} server={first} tool={second} />;
    if (page !== "approvals") return undefined;
    if (first === "launch") return <LaunchPage key={`launch ${second}`} server={second} />;
    return first === "tools" ? <ChangedToolsPage key={`tools ${second}`} server={second} /> : undefined;
  }
  if (first !== undefined) return page === "servers" ? <ServerPage key={first} name={first} /> : undefined;
  switch (page) {
    case "overview":
      return <OverviewPage />;
    case "servers":
      return <ServersPage />;
    case "tools":
      return <ToolsPage query={query} />;
    case "clients":
      return <ClientsPage />;
    case "connections":
      return <ConnectionsPage query={query} />;
    case "approvals":
      return <ApprovalsPage />;
    case "activity":
      return <ActivityPage query={query} />;
    case "setup":
      return <SetupPage />;
  }
}

function UnknownPage(): VNode {
  return (
    <Page title="Page not found">
      <Empty icon="search" title="There is no page at this address">
        <p>
          <a href={linkTo("overview")}>Open the overview</a>
        </p>
      </Empty>
    </Page>
  );
}
