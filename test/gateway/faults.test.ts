import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ServerOptions } from "../../src/index.ts";
import { isWhole, reportTests } from "../durability/counts.ts";
import { LONGEST_TEST_MS, NEVER_MS, type Rig, stdioRig } from "../faults/check-fault.ts";
import { HURRIED_CLOCK } from "../faults/exercise.mjs";
import type { Fault } from "../faults/fault.ts";
import { HTTP_FAULTS } from "../faults/http-faults.ts";
import { type FaultyHttp, httpRig, startFaultyHttp } from "../faults/start-faulty-http.ts";
import { STDIO_FAULTS } from "../faults/stdio-faults.ts";
import { eventually } from "../flow/host-in.ts";
import { findStragglers } from "../support/find-stragglers.ts";
import { gatewayIn } from "../support/gateway-clients.ts";
import { openRawClient, type RawClient } from "../support/raw-gateway-client.ts";
import { createSandbox } from "../support/sandbox.ts";

/** `npm run score` runs all faults. */
const someOf = <T>(faults: readonly T[]): readonly T[] =>
  isWhole ? faults : faults.filter((_, index) => index % 6 === 0);

/** Where clients get something else than `host.call` returns, and why. */
const RELAYED: Readonly<Record<string, string>> = {
  "returns 8 MB on one line": "clients get the whole text",
  "exits as soon as it is initialized": "its list is read first, so the call starts it again",
  "returns content that is not a list": "clients get the content as it is",
  "lists a tool whose schema takes forever to match": "clients get the structured content as such",
};

let http: FaultyHttp;
reportTests("upstream faults behind the gateway, with a healthy neighbour that stays unaffected");
beforeAll(async () => {
  http = await startFaultyHttp(HTTP_FAULTS);
});
afterAll(() => http[Symbol.asyncDispose]());

async function callEcho(client: RawClient, server: string, text: string) {
  const { result, error } = await client.request("tools/call", {
    name: `${server}_echo`,
    arguments: { text },
  });
  const [part] = (result?.["content"] ?? []) as readonly { readonly text?: string }[];
  return { hasFailed: error !== undefined || result?.["isError"] === true, text: part?.text };
}

const FINE = { hasFailed: false, text: "fine" };

async function checkBehindGateway(fault: Fault<unknown>, rig: Rig): Promise<void> {
  await using sandbox = await createSandbox();
  const folder = join(sandbox.home, "fault");
  await mkdir(folder);
  const faulty = {
    timeout: NEVER_MS,
    startupTimeout: NEVER_MS,
    ...rig.entry(folder),
    ...fault.entry,
  } as ServerOptions;
  const gateway = await gatewayIn(sandbox, {
    servers: { good: { ...rig.good, timeout: NEVER_MS, startupTimeout: NEVER_MS }, faulty },
    ...(fault.hurry && { ports: { clock: HURRIED_CLOCK } }),
  });
  try {
    await using client = await openRawClient(gateway, "http", "legacy");
    expect(await callEcho(client, "good", "fine")).toEqual(FINE);
    const [outcome, during] = await Promise.all([
      callEcho(client, "faulty", "hello"),
      callEcho(client, "good", "fine"),
    ]);
    const { code, text, has } = fault.must;
    if (fault.act === undefined || fault.act === "call") {
      const isRelayed = Object.hasOwn(RELAYED, fault.name);
      expect(outcome.hasFailed).toBe(code !== undefined && !isRelayed);
      if (text !== undefined && !isRelayed) expect(outcome.text).toBe(text);
      if (!isRelayed && has !== undefined) expect(outcome.text).toContain(has);
    }
    expect([during, await callEcho(client, "good", "fine")]).toEqual([FINE, FINE]);
  } finally {
    await gateway.close();
  }
  await eventually(async () =>
    expect({ left: await rig.left(folder), stragglers: findStragglers(sandbox.home) }).toEqual({
      left: [],
      stragglers: [],
    }),
  );
}

describe.concurrent("behind the gateway, a stdio server that", { timeout: LONGEST_TEST_MS }, () => {
  test.each(someOf(STDIO_FAULTS).map((fault) => [fault.name, fault] as const))("%s", async (_, fault) => {
    await checkBehindGateway(fault, stdioRig(fault.server));
  });
});

describe.concurrent("behind the gateway, an HTTP server that", { timeout: LONGEST_TEST_MS }, () => {
  test.each(someOf(HTTP_FAULTS).map((fault) => [fault.name, fault] as const))("%s", async (_, fault) => {
    await checkBehindGateway(fault, httpRig(http, fault));
  });
});
