import { expect, test } from "vitest";
import { HostError } from "../../model/index.ts";
import type { Lease } from "../../store/index.ts";
import type { ClusterNode } from "./cluster-node.ts";
import { Homes } from "./homes.ts";

const HOUR_MS = 3_600_000;
const OTHER = { id: "other", epoch: 7, address: "10.0.0.2:1" };

/** A person's place in the database, and a clock. */
function createWorld() {
  let held: Lease | undefined;
  let now = 0;
  let isAway = false;
  const away = (): void => {
    if (isAway) throw new HostError("STORE_UNAVAILABLE", "away");
  };
  const leases = {
    async get() {
      away();
      return held;
    },
    async acquire(key: string, holder: string) {
      away();
      held ??= { key, holder, fence: 1 };
      return held;
    },
    async renew({ fence }: Lease) {
      away();
      return held?.fence === fence;
    },
    async release() {
      away();
      held = undefined;
    },
  };
  const node = { id: "own", epoch: 1, isDraining: false, nodes: [], findLive: async () => OTHER };
  const clock = { now: () => now, elapsed: () => now, after: () => () => {} };
  const nodes = { fence: async () => true };
  return {
    homes: new Homes({ leases, nodes } as never, node as unknown as ClusterNode, clock),
    pass: (ms: number) => void (now += ms),
    cut: () => void (isAway = true),
    give: (lease: Lease) => void (held = lease),
  };
}

test("a place that another node took after a day without use is no longer used", async () => {
  const { homes, pass, give } = createWorld();
  expect(await homes.find("ada")).toEqual({ kind: "here" });
  pass(25 * HOUR_MS);
  give({ key: "home ada", holder: "other 7", fence: 2 });
  expect(await homes.find("ada")).toMatchObject({ kind: "there", node: "other" });
});

test("a place of any age stays valid while the database cannot be reached", async () => {
  const { homes, pass, cut } = createWorld();
  await homes.find("ada");
  pass(2 * HOUR_MS);
  cut();
  expect(await homes.find("ada")).toEqual({ kind: "here" });
});
