import { afterEach, beforeEach, expect, test } from "vitest";
import { createFakePorts, type FakePorts } from "../../../test/support/fake-ports.ts";
import { describeTeamStore } from "../../../test/support/team-store-contract.ts";
import { createMemoryFiles } from "../../testing/index.ts";
import type { TicketKind } from "../team-records.ts";
import { openFileTeamStore, type TeamStore } from "./file-team-store.ts";

const PLACES = { userConfig: "/c", settings: "/s", state: "/state", cache: "/cache" };
const ADA = { issuer: "local", subject: "ada", name: "ada", groups: [] };

let ports: FakePorts;
let store: TeamStore & { close(): Promise<void> };
/** The same files, as another process sees them. */
let other: typeof store;

beforeEach(async () => {
  const files = createMemoryFiles();
  ports = createFakePorts(files);
  store = await openFileTeamStore(ports, PLACES);
  other = await openFileTeamStore(createFakePorts(files, 2000), PLACES);
});

afterEach(async () => {
  await store.close();
  await other.close();
});

describeTeamStore(async () => ({ store, other, close: async () => {} }));

test("a damaged file is reported, and never replaced by an empty one", async () => {
  await ports.files.makeFolder("/state/team", 0o700);
  await ports.files.create("/state/team/people.json", "{", 0o600);
  await expect(store.people.list()).rejects.toMatchObject({ code: "STATE_UNREADABLE" });
  await expect(store.people.save(ADA)).rejects.toMatchObject({ code: "STATE_UNREADABLE" });
});

test("sign-ins that anyone can start, and one person's tickets, use a limited part of the file", async () => {
  const expiresAt = ports.clock.now() + 600_000;
  const hashOf = (text: string): Uint8Array => new TextEncoder().encode(text);
  const create = (kind: TicketKind, person: string, hash: string): Promise<void> =>
    store.tickets.create({ kind, person, value: {}, expiresAt }, hashOf(hash));
  await create("page_session", "ada", "kept");
  for (let at = 0; at < 110; at += 1) await create("link", "grace", `link ${at}`);
  expect(await store.tickets.get("link", hashOf("link 9"))).toBeUndefined();
  expect(await store.tickets.get("link", hashOf("link 10"))).toMatchObject({ person: "grace" });
  for (let at = 0; at < 510; at += 1) await create("sign_in", "", `sign-in ${at}`);
  expect(await store.tickets.get("sign_in", hashOf("sign-in 9"))).toBeUndefined();
  expect(await store.tickets.get("sign_in", hashOf("sign-in 509"))).toBeDefined();
  expect(await store.tickets.get("page_session", hashOf("kept"))).toMatchObject({ person: "ada" });
});
