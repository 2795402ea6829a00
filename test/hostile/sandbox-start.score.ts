import { resolve } from "node:path";
import { expect, test } from "vitest";
import { createHost } from "../../src/index.ts";
import { LONGEST_MS, report } from "../durability/counts.ts";
import { createSandbox } from "../support/sandbox.ts";

const STARTS = 30;
const MOST_MS = 20;
const MOST_RATIO = 1.2;

const median = (times: readonly number[]): number =>
  [...times].sort((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0;

/** Alternates, so that both see the same load. */
test(
  "the default sandbox adds at most 20 ms or a fifth to the start of a server",
  async () => {
    await using place = await createSandbox();
    const start = async (sandbox: boolean): Promise<number> => {
      await using host = await createHost({
        cwd: place.project,
        home: place.home,
        discover: false,
        env: { PATH: process.env["PATH"], HOME: place.home },
        servers: {
          probe: { command: "node", args: [resolve("test/servers/probe-server.mjs")], sandbox },
        },
      });
      const began = performance.now();
      await host.call("probe", "run", { command: ":" }); // a list of tools would come from the cache
      return performance.now() - began;
    };
    for (const sandbox of [false, true]) await start(sandbox); // loads the modules
    const [plain, sandboxed]: [number[], number[]] = [[], []];
    for (let at = 0; at < STARTS; at += 1) {
      plain.push(await start(false));
      sandboxed.push(await start(true));
    }
    const [without, within] = [median(plain), median(sandboxed)];
    const isFast = within - without <= MOST_MS || within <= MOST_RATIO * without;
    report(
      "starts with the default sandbox: at most 20 ms or 1.2 × longer in the median",
      isFast ? STARTS : 0,
      STARTS,
      {
        worst: `${Math.round(without)} → ${Math.round(within)} ms`,
      },
    );
    expect(isFast, `${without} → ${within} ms`).toBe(true);
  },
  LONGEST_MS,
);
