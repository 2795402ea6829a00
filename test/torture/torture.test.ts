import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpScriptedServer, serveHttp } from "../../src/testing/index.ts";
import { isWhole, LONGEST_MS, report } from "../durability/counts.ts";
import { type OauthServer, startOauthServer } from "../support/oauth-server.ts";
import type { Fault } from "./fate.ts";
import { everyFault, someFaults } from "./faults.ts";
import { SCENARIOS } from "./scenarios.ts";
import { describeError, type Tried, tryScenario } from "./try-scenario.ts";

const LINE = "scenarios in which an outside call fails: no crash, no process left, files intact, locks free";
/** Most of a run is spent waiting for others. */
const AT_ONCE = 8;

let remote: HttpScriptedServer;
let oauth: OauthServer;
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
let runs = 0;
let good = 0;

beforeAll(async () => {
  process.on("unhandledRejection", onUnhandled).on("uncaughtException", onUnhandled);
  oauth = await startOauthServer();
  remote = await serveHttp({
    name: "remote",
    version: "1.0.0",
    tools: { echo: { inputSchema: { type: "object" }, run: ({ text }) => String(text) } },
  });
});
afterAll(async () => {
  process.off("unhandledRejection", onUnhandled).off("uncaughtException", onUnhandled);
  await remote.close();
  await oauth[Symbol.asyncDispose]();
  report(LINE, good, runs);
});

describe.each(Object.entries(SCENARIOS))("%s", (_, scenario) => {
  test(
    "ends cleanly, whichever external call fails",
    async () => {
      const place = { url: remote.url, oauth };
      const whole = await tryScenario(scenario, place, { at: 0, lasting: false });
      expect([...whole.complaints, ...unhandled.splice(0)]).toEqual([]);
      const complaints: string[] = [];
      const part = Number(process.env["TORTURE_CALLS"] ?? Number.POSITIVE_INFINITY);
      const faults =
        isWhole && part === Number.POSITIVE_INFINITY
          ? everyFault()
          : someFaults(whole.calls, isWhole ? part : 3);
      const work = async (): Promise<void> => {
        for (let fault = faults.next(); fault !== undefined; fault = faults.next()) {
          const tried = await tryScenario(scenario, place, fault);
          if (tried.failed === undefined) faults.end(fault);
          if (tried.failed === undefined && tried.complaints.length === 0) continue; // there was no such call
          runs += 1;
          if (tried.complaints.length === 0) good += 1;
          complaints.push(...describeRun(fault, tried));
        }
      };
      await Promise.all(Array.from({ length: scenario.isAlone === true ? 1 : AT_ONCE }, work));
      await wait(0); // unhandled rejections are reported late
      complaints.push(...unhandled.splice(0).map((reason) => `unhandled: ${describeError(reason)}`));
      expect(complaints).toEqual([]);
    },
    LONGEST_MS,
  );
});

function describeRun({ at, lasting }: Fault, { failed, complaints }: Tried): string[] {
  return complaints.map((what) => `${at}${lasting ? " and on" : ""}. ${failed}: ${what}`);
}
