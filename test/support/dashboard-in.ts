import type { GatewayOptions } from "../../src/gateway.ts";
import { gatewayIn } from "./gateway-clients.ts";
import { PageClient } from "./page-client.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

/** A gateway with an open page. */
export interface OpenPage extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly gateway: Awaited<ReturnType<typeof gatewayIn>>;
  readonly page: PageClient;
  /** Opens another page. */
  open(options?: { readonly readOnly?: boolean }): Promise<PageClient>;
}

/** Opens the dashboard of a gateway in a sandbox. `prepare` writes its files. */
export async function dashboardIn(
  options: GatewayOptions = {},
  prepare: (sandbox: Sandbox) => Promise<unknown> = async () => {},
): Promise<OpenPage> {
  const sandbox = await createSandbox();
  await prepare(sandbox);
  const gateway = await gatewayIn(sandbox, { discover: true, ...options });
  const dashboard = await gateway.openDashboard();
  const open: OpenPage["open"] = async (opened) => {
    const page = new PageClient(dashboard.createAddress(opened));
    await page.signIn();
    return page;
  };
  return {
    sandbox,
    gateway,
    page: await open(),
    open,
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}
