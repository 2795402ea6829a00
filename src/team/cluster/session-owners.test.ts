import { expect, test } from "vitest";
import type { Change, SessionRow } from "../../store/index.ts";
import type { ClusterNode } from "./cluster-node.ts";
import { SessionOwners } from "./session-owners.ts";

const SESSION = { id: "s", person: "ada", endpoint: "/mcp", state: {} };

/** A database that announces changes before it confirms them, as a busy one can. */
function createWorld() {
  let row: SessionRow | undefined;
  let announce = (_change: Change): void => {};
  const sessions = {
    async create(session: Omit<SessionRow, "epoch" | "createdAt" | "seenAt">) {
      row = { ...session, epoch: 1, createdAt: 0, seenAt: 0 };
    },
    get: async () => row,
    async takeOver(_id: string, epoch: number, to: { readonly node: string; readonly epoch: number }) {
      if (row?.epoch !== epoch) return undefined;
      row = { ...row, owner: to.node, ownerEpoch: to.epoch, epoch: epoch + 1 };
      announce({ kind: "session", key: "s" });
      await new Promise((resolve) => setImmediate(resolve));
      return row;
    },
  };
  const revisions = {
    subscribe(listener: (change: Change) => void) {
      announce = listener;
      return () => {};
    },
  };
  const other = { id: "other", epoch: 7, address: "10.0.0.2:1" };
  const node = { id: "own", epoch: 1, nodes: [other], findLive: async () => other };
  const lost: string[] = [];
  const store = { sessions, nodes: {}, revisions };
  const owners = new SessionOwners(store as never, node as unknown as ClusterNode, (id) => lost.push(id));
  return { owners, sessions, lost };
}

test("a session that is handed over keeps its calls, although the notice arrives before the confirmation", async () => {
  const { owners, lost } = createWorld();
  await owners.create(SESSION);
  expect(await owners.handOver("s", { node: "other", epoch: 7 })).toBe(true);
  expect(lost).toEqual([]);
  expect(await owners.find("s", "ada")).toMatchObject({ kind: "there", node: "other" });
});

test("a session that another node has taken over is dropped", async () => {
  const { owners, sessions, lost } = createWorld();
  await owners.create(SESSION);
  await sessions.takeOver("s", 1, { node: "other", epoch: 7 });
  expect(lost).toEqual(["s"]);
});
