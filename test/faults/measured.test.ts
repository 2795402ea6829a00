import { afterAll, beforeAll, expect, test } from "vitest";
import { isWhole, LONGEST_MS, report } from "../durability/counts.ts";
import { stdioRig } from "./check-fault.ts";
import type { Fault } from "./fault.ts";
import { HTTP_FAULTS } from "./http-faults.ts";
import { judge, type Verdict } from "./judge-measured.ts";
import { type Measured, type MeasuredClient, measure, stdioMark } from "./measured-run.ts";
import { type FaultyHttp, httpRig, startFaultyHttp } from "./start-faulty-http.ts";
import { STDIO_FAULTS } from "./stdio-faults.ts";

const CLIENTS = ["plugboard", "sdk"] as const;
/** `npm test` only checks that measuring works. `npm run score` checks the figures. */
const sampled = <T>(all: readonly T[]): readonly T[] => (isWhole ? all : all.slice(3, 5));

interface Judged {
  readonly name: string;
  readonly isBomb: boolean;
  readonly measured: Measured;
  readonly verdict: Verdict;
}
type Column = Readonly<Record<MeasuredClient, Judged[]>>;
const [stdio, http]: [Column, Column] = [
  { plugboard: [], sdk: [] },
  { plugboard: [], sdk: [] },
];

let servers: FaultyHttp;
beforeAll(async () => {
  // A server that counts its turns starts over for the next client.
  servers = await startFaultyHttp(
    HTTP_FAULTS.flatMap((fault) => CLIENTS.map((client) => ({ ...fault, name: `${client}: ${fault.name}` }))),
  );
});
afterAll(() => servers[Symbol.asyncDispose]());

function keep(column: Column, client: MeasuredClient, fault: Fault<unknown>, measured: Measured): void {
  column[client].push({
    name: fault.name,
    isBomb: fault.bomb === true,
    measured,
    verdict: judge(client, fault, measured),
  });
}

test(
  "the stdio faults are measured and compared with the official client",
  async () => {
    for (const fault of sampled(STDIO_FAULTS)) {
      for (const client of CLIENTS)
        keep(stdio, client, fault, await measure(client, fault, stdioRig(fault.server), stdioMark));
    }
    expectGoals("stdio faults survived", stdio);
  },
  LONGEST_MS,
);

test(
  "the HTTP and SSE faults are measured and compared with the official client",
  async () => {
    for (const fault of sampled(HTTP_FAULTS)) {
      for (const client of CLIENTS) {
        const own = { ...fault, name: `${client}: ${fault.name}` };
        const wentWrongAt = async (): Promise<number> => (await servers.ask(own.name)).at;
        keep(http, client, fault, await measure(client, fault, httpRig(servers, own), wentWrongAt));
      }
    }
    expectGoals("HTTP and SSE faults survived, in both eras where they apply", http);
  },
  LONGEST_MS,
);

test("the measured goals hold over all faults", () => {
  const all = (client: MeasuredClient): Judged[] => [...stdio[client], ...http[client]];
  const lines = [
    goal("detectable failures reported in under 250 ms", all, "prompt", "reportedMs", "ms"),
    goal("faults without an event-loop stall over 250 ms", all, "smooth", "stallMs", "ms"),
    goal("faults with less than 128 MB of memory growth", all, "lean", "growthMb", "MB"),
  ];
  if (isWhole) expect(lines.flat()).toEqual([]);
});

test("faults that send huge data meet all goals together", () => {
  const bombs = (client: MeasuredClient): Judged[] =>
    [...stdio[client], ...http[client]].filter(({ isBomb }) => isBomb);
  const harmless = (client: MeasuredClient): Judged[] =>
    bombs(client).filter(({ verdict: { survived, prompt, smooth, lean } }) => {
      return survived && prompt !== false && smooth && lean;
    });
  const total = bombs("plugboard").length;
  const growth = Math.round(Math.max(0, ...bombs("plugboard").map(({ measured }) => measured.growthMb)));
  report("bombs sent by servers: survived within 250 ms and 128 MB", harmless("plugboard").length, total, {
    control: `${harmless("sdk").length} of ${total}`,
    worst: `${growth} MB`,
  });
  if (isWhole) expect(harmless("plugboard")).toHaveLength(total);
});

/** In the score every goal must be met. A test run checks only the outcome, because the machine may be busy. */
function expectGoals(line: string, column: Column): void {
  const passed = (client: MeasuredClient): Judged[] =>
    column[client].filter(({ verdict }) => verdict.survived);
  const total = column.plugboard.length;
  report(line, passed("plugboard").length, total, { control: `${passed("sdk").length} of ${total}` });
  expect(column.sdk).toHaveLength(total);
  expect(column.plugboard.filter(({ verdict }) => !verdict.survived)).toEqual([]);
}

function goal(
  line: string,
  all: (client: MeasuredClient) => Judged[],
  verdict: "prompt" | "smooth" | "lean",
  figure: "reportedMs" | "stallMs" | "growthMb",
  unit: string,
): readonly string[] {
  const judged = (client: MeasuredClient): Judged[] =>
    all(client).filter((one) => one.verdict[verdict] !== undefined);
  const met = (client: MeasuredClient): number =>
    judged(client).filter((one) => one.verdict[verdict] === true).length;
  const own = judged("plugboard");
  const worst = Math.round(Math.max(...own.map(({ measured }) => measured[figure])));
  const control = `${met("sdk")} of ${own.length}`;
  report(line, met("plugboard"), own.length, { control, worst: `${worst} ${unit}` });
  return own
    .filter((one) => one.verdict[verdict] !== true)
    .map(({ name, measured }) => `${line}: ${name}: ${measured.died ?? Math.round(measured[figure])}`);
}
