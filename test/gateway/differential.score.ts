import { expect, test } from "vitest";
import { LONGEST_MS, report } from "../durability/counts.ts";
import { runBoth, scriptOf } from "./differential.ts";

const ERAS = ["legacy", "modern"] as const;
const ROUTES = ERAS.flatMap((client) => ERAS.map((server) => ({ client, server })));
const SCRIPTS = Array.from({ length: 200 }, (_, seed) => scriptOf(seed));

test.each(ROUTES)(
  "200 scripts of a $client client do the same at a $server server directly and through the gateway",
  async ({ client, server }) => {
    const downstream = client === server ? "http" : "stdio";
    const { direct, relayed } = await runBoth(SCRIPTS, { client, server, downstream });
    const same = relayed.filter((record, index) => JSON.stringify(record) === JSON.stringify(direct[index]));
    report("generated scripts that do the same directly and through the gateway", same.length, direct.length);
    expect(relayed).toEqual(direct);
  },
  LONGEST_MS,
);
