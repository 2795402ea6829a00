import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dashboard, Gateway } from "../../src/gateway.ts";
import { gatewayIn } from "../support/gateway-clients.ts";
import { PageClient } from "../support/page-client.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

let sandbox: Sandbox;
let gateway: Gateway;
let dashboard: Dashboard;

beforeAll(async () => {
  sandbox = await createSandbox();
  gateway = await gatewayIn(sandbox);
  dashboard = await gateway.openDashboard();
});
afterAll(async () => {
  await gateway.close();
  await sandbox[Symbol.asyncDispose]();
});

test("a ticket starts one session of an administrator", async () => {
  const page = new PageClient(dashboard.createAddress());
  expect((await page.get("session")).json).toMatchObject({ error: { code: "PAGE_SIGNED_OUT" } });
  const signedIn = await page.signIn();
  expect(signedIn.json).toMatchObject({ role: "administrator", isLocal: true, folder: sandbox.project });
  expect(await page.get("session")).toMatchObject({ status: 200, json: signedIn.json });
  const other = new PageClient(dashboard.createAddress());
  expect(await other.signIn(page.ticket)).toMatchObject({
    status: 401,
    json: { error: { code: "PAGE_TICKET_INVALID" } },
  });
});
