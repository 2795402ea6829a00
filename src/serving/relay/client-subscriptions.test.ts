import { expect, test } from "vitest";
import type { Client } from "../client-request.ts";
import { ClientSubscriptions } from "./client-subscriptions.ts";

const borrower = (): Client => ({
  id: "borrowers",
  endpoint: { path: "/mcp/s/a", names: "prefixed", mode: "direct" },
  isLocal: true,
  logLevel: undefined,
  notify: () => {},
});

test("two borrowers of a server have separate subscriptions, although they share connections", async () => {
  const subscriptions = new ClientSubscriptions();
  const [ann, bob] = [borrower(), borrower()];
  const ended: string[] = [];
  const subscribe = (who: string) => async () => async () => void ended.push(who);
  await subscriptions.add(ann, "note://a", subscribe("ann"));
  await subscriptions.add(bob, "note://a", subscribe("bob"));
  await subscriptions.end(ann);
  expect(ended).toEqual(["ann"]);
  expect([...subscriptions.addressesOf(bob)]).toEqual(["note://a"]);
});
