import { describe, expect, test } from "vitest";
import { createFakeChannel } from "../../../test/support/fake-channel.ts";
import type { JsonObject } from "../../model/index.ts";
import { createManualClock } from "../../testing/index.ts";
import { performHandshake } from "./handshake.ts";
import { Peer } from "./peer.ts";
import { failureOf, WireError, type WireFailure } from "./wire-error.ts";

const MODERN = "2026-07-28";
const NEWEST_LEGACY = "2025-11-25";
const IDENTITY = {
  name: "plugboard",
  version: "1.0.0",
  capabilities: { legacy: { roots: {} }, modern: { elicitation: {} } },
};
const REFUSED: WireFailure = { kind: "refused", code: -32601 };

type Answer = JsonObject | WireFailure;

interface Talk {
  readonly outcome: unknown;
  /** The requests in order, each with its timeout. */
  readonly asked: readonly (readonly [method: string, timeoutMs: number, params: JsonObject])[];
  readonly notices: readonly string[];
  readonly negotiated: readonly object[];
  readonly cancelByClosing: boolean;
}

interface Setting {
  readonly protocol?: string;
  readonly perRequest?: boolean;
  readonly timeoutMs?: number;
}

const isFailure = (answer: Answer): answer is WireFailure => "kind" in answer;

/** Performs the handshake with a server that returns these answers per method. The last one is repeated. */
async function talk(
  server: { readonly discover?: readonly Answer[]; readonly initialize?: Answer },
  { protocol = "auto", perRequest = false, timeoutMs = 1_000 }: Setting = {},
): Promise<Talk> {
  const asked: [string, number, JsonObject][] = [];
  const notices: string[] = [];
  const negotiated: object[] = [];
  const discover = [...(server.discover ?? [REFUSED])];
  const channel = {
    ...createFakeChannel({ perRequest }),
    negotiated: (facts: object) => void negotiated.push(facts),
  };
  const peer = Object.assign(new Peer(channel, createManualClock()), {
    async request(method: string, params: JsonObject, options: { readonly timeoutMs: number }) {
      asked.push([method, options.timeoutMs, params]);
      const next = discover.length > 1 ? discover.shift() : discover[0];
      const answer = (method === "initialize" ? server.initialize : next) ?? {};
      if (isFailure(answer)) throw new WireError(answer, "it failed");
      return answer;
    },
    async notify(method: string) {
      notices.push(method);
    },
  });
  const options = { identity: IDENTITY, timeoutMs, probeMs: 300, protocol };
  const outcome: unknown = await performHandshake(peer, channel, options).catch((error: unknown) => error);
  return { outcome, asked, notices, negotiated, cancelByClosing: peer.cancelByClosing };
}

const methodsOf = ({ asked }: Talk): readonly string[] => asked.map(([method]) => method);
const modernAnswer = { supportedVersions: [MODERN] };
const legacyAnswer = { protocolVersion: NEWEST_LEGACY };
const unsupported = (...supported: readonly string[]): WireFailure => ({
  kind: "refused",
  code: -32022,
  data: { supported },
});

describe("a modern server", () => {
  test("is probed once and returns its identity and capabilities", async () => {
    const result = {
      ...modernAnswer,
      capabilities: { tools: {} },
      instructions: "Read first.",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "files", version: "2" } },
    };
    const found = await talk({ discover: [result] });
    expect(found.outcome).toEqual({
      version: MODERN,
      modern: true,
      server: { name: "files", version: "2" },
      capabilities: { tools: {} },
      instructions: "Read first.",
    });
    expect(methodsOf(found)).toEqual(["server/discover"]);
    expect(found.notices).toEqual([]);
    expect(found.negotiated).toEqual([{ version: MODERN, modern: true, pushes: false }]);
    expect(found.asked[0]?.[2]).toEqual({
      _meta: {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": { name: "plugboard", version: "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
      },
    });
  });

  test("may return no identity", async () => {
    const odd = { ...modernAnswer, capabilities: [], instructions: 1, _meta: "x" };
    expect((await talk({ discover: [odd] })).outcome).toEqual({
      version: MODERN,
      modern: true,
      server: {},
      capabilities: {},
      instructions: undefined,
    });
  });

  test("that rejects the version but lists it is probed again", async () => {
    const found = await talk({ discover: [unsupported(MODERN), modernAnswer] });
    expect(found.outcome).toMatchObject({ modern: true });
    expect(methodsOf(found)).toEqual(["server/discover", "server/discover"]);
  });

  test.each([
    [true, true],
    [false, false],
  ])("whose requests have their own streams (%s) is cancelled by closing: %s", async (perRequest, is) => {
    expect((await talk({ discover: [modernAnswer] }, { perRequest })).cancelByClosing).toBe(is);
  });
});

describe("a legacy server", () => {
  test("that rejects the probe is initialized", async () => {
    const answer = {
      ...legacyAnswer,
      capabilities: { prompts: {} },
      instructions: "Hi.",
      serverInfo: { name: "old", version: "1", title: "Old" },
    };
    const found = await talk({ initialize: answer }, { perRequest: true });
    expect(found.outcome).toEqual({
      version: NEWEST_LEGACY,
      modern: false,
      server: { name: "old", version: "1" },
      capabilities: { prompts: {} },
      instructions: "Hi.",
    });
    expect(methodsOf(found)).toEqual(["server/discover", "initialize"]);
    expect(found.asked[1]?.[2]).toEqual({
      protocolVersion: NEWEST_LEGACY,
      capabilities: { roots: {} },
      clientInfo: { name: "plugboard", version: "1.0.0" },
    });
    expect(found.notices).toEqual(["notifications/initialized"]);
    expect(found.negotiated).toEqual([{ version: NEWEST_LEGACY, modern: false, pushes: true }]);
    expect(found.cancelByClosing).toBe(false);
  });

  test("may return no identity", async () => {
    const odd = {
      ...legacyAnswer,
      capabilities: 1,
      instructions: {},
      serverInfo: { name: 1, version: null },
    };
    expect((await talk({ initialize: odd })).outcome).toMatchObject({
      server: {},
      capabilities: {},
      instructions: undefined,
    });
  });

  test.each<[string, Answer]>([
    ["answers without a version", {}],
    ["answers with versions that are not a list", { supportedVersions: MODERN }],
    ["answers with numbers", { supportedVersions: [1] }],
    ["names legacy versions only", { supportedVersions: ["2030-01-01", "2025-06-18"] }],
    ["refuses and names legacy versions", unsupported("2030-01-01", "2025-06-18")],
    ["refuses with a list elsewhere", { kind: "refused", code: -32022, data: [MODERN] }],
    ["refuses with a list that is text", { kind: "refused", code: -32022, data: { supported: MODERN } }],
    ["refuses without data", { kind: "refused", code: -32022 }],
    ["refuses for another reason", { kind: "refused", code: -32000, data: { supported: ["2030-01-01"] } }],
    ["takes no such request", { kind: "status", status: 404 }],
    ["takes no such method", { kind: "status", status: 405 }],
  ])("that %s is initialized", async (_, answer) => {
    const found = await talk({ discover: [answer], initialize: legacyAnswer });
    expect(found.outcome).toMatchObject({ version: NEWEST_LEGACY });
    expect(methodsOf(found)).toEqual(["server/discover", "initialize"]);
  });

  test("that rejects the modern version twice although it lists it is initialized", async () => {
    const found = await talk({ discover: [unsupported(MODERN)], initialize: legacyAnswer });
    expect(found.outcome).toMatchObject({ version: NEWEST_LEGACY });
    expect(methodsOf(found)).toEqual(["server/discover", "server/discover", "initialize"]);
  });

  test.each<[string, WireFailure, "pipe" | "http" | "both" | "neither"]>([
    ["silence", { kind: "timeout" }, "pipe"],
    ["something that is not MCP", { kind: "notMcp" }, "http"],
    ["a stream without an answer", { kind: "streamLost" }, "http"],
    ["401", { kind: "status", status: 401 }, "neither"],
    ["403", { kind: "status", status: 403 }, "neither"],
    ["429", { kind: "status", status: 429 }, "neither"],
    ["499", { kind: "status", status: 499 }, "both"],
    ["500", { kind: "status", status: 500 }, "neither"],
    ["the end of the connection", { kind: "closed" }, "neither"],
  ])("is recognized by %s only on transports where legacy servers do this", async (_, failure, where) => {
    for (const [perRequest, name] of [
      [false, "pipe"],
      [true, "http"],
    ] as const) {
      const found = await talk({ discover: [failure], initialize: legacyAnswer }, { perRequest });
      if (where === name || where === "both") expect(found.outcome).toMatchObject({ modern: false });
      else expect(failureOf(found.outcome)).toEqual(failure);
    }
  });

  test("without a version is refused", async () => {
    const { outcome, notices } = await talk({ initialize: {} });
    expect(failureOf(outcome)).toEqual({ kind: "notMcp" });
    expect(String(outcome)).toContain("has no protocol version");
    expect(notices).toEqual([]);
  });
});

describe("a server with unsupported versions is refused, and its version is named", () => {
  test.each<[string, Parameters<typeof talk>[0]]>([
    ["in its answer", { discover: [{ supportedVersions: ["2030-01-01", "2031-01-01"] }] }],
    ["in its refusal", { discover: [unsupported("2030-01-01")] }],
    ["in the legacy handshake", { initialize: { protocolVersion: "2030-01-01" } }],
    ["although it is close", { initialize: { protocolVersion: MODERN } }],
  ])("%s", async (_, server) => {
    const { outcome, notices } = await talk({ initialize: legacyAnswer, ...server });
    expect(failureOf(outcome)).toMatchObject({ kind: "version" });
    expect(String(outcome)).toMatch(
      /it uses protocol version (2030-01-01|2026-07-28), which is not one of 2026-07-28, 2025-11-25, 2025-06-18/,
    );
    expect(notices).toEqual([]);
  });
});

describe("an entry that requires", () => {
  test("the legacy era sends no probe", async () => {
    const found = await talk({ initialize: legacyAnswer }, { protocol: "legacy" });
    expect(methodsOf(found)).toEqual(["initialize"]);
  });

  test("a legacy version requests it and accepts no other", async () => {
    const protocol = "2025-03-26";
    const same = await talk({ initialize: { protocolVersion: protocol } }, { protocol });
    expect(same.outcome).toMatchObject({ version: protocol });
    expect(same.asked[0]?.[2]).toMatchObject({ protocolVersion: protocol });
    const other = await talk({ initialize: legacyAnswer }, { protocol });
    expect(failureOf(other.outcome)).toEqual({ kind: "version", version: NEWEST_LEGACY });
    expect(String(other.outcome)).toContain(`${NEWEST_LEGACY}, but its entry requires ${protocol}`);
  });

  test("the modern version does not fall back", async () => {
    const found = await talk({ initialize: legacyAnswer }, { protocol: MODERN });
    expect(String(found.outcome)).toContain(`an older protocol version, but its entry requires ${MODERN}`);
    expect(methodsOf(found)).toEqual(["server/discover"]);
    expect((await talk({ discover: [modernAnswer] }, { protocol: MODERN })).outcome).toMatchObject({
      version: MODERN,
    });
  });
});

test.each<[string, Setting, number]>([
  ["short on a pipe, where legacy servers may stay silent", {}, 300],
  ["at most the whole time", { timeoutMs: 200 }, 200],
  ["the whole time over HTTP", { perRequest: true }, 1_000],
  ["the whole time if the entry requires the modern version", { protocol: MODERN }, 1_000],
])("the timeout of the era probe is %s", async (_, setting, timeoutMs) => {
  const { asked } = await talk({ discover: [modernAnswer] }, setting);
  expect(asked.map(([, time]) => time)).toEqual([timeoutMs]);
});

test("an error of the client fails the handshake", async () => {
  const channel = createFakeChannel();
  const peer = Object.assign(new Peer(channel, createManualClock()), {
    request: () => Promise.reject(new RangeError("a bug")),
  });
  const options = { identity: IDENTITY, timeoutMs: 100, probeMs: 100, protocol: "auto" };
  await expect(performHandshake(peer, channel, options)).rejects.toThrow(new RangeError("a bug"));
});

test("the legacy handshake has the full timeout", async () => {
  const { asked } = await talk({ initialize: legacyAnswer });
  expect(asked.map(([, time]) => time)).toEqual([300, 1_000]);
});

test("a server's versions are read up to a limit, and an unknown one is truncated", async () => {
  const versions = (count: number) => [...Array.from({ length: count }, () => "2030-01-01"), MODERN];
  const near = await talk({ discover: [{ supportedVersions: versions(99) }] });
  expect(near.outcome).toMatchObject({ version: MODERN });
  const far = await talk({ discover: [{ supportedVersions: versions(100) }] });
  expect(failureOf(far.outcome)).toEqual({ kind: "version", version: "2030-01-01" });
  const long = await talk({ initialize: { protocolVersion: "9".repeat(500) } });
  expect(failureOf(long.outcome)).toEqual({ kind: "version", version: `${"9".repeat(99)}…` });
});

test("an error names every supported version except the oldest", async () => {
  const { outcome } = await talk({ initialize: { protocolVersion: "2030-01-01" } });
  expect((outcome as Error).message).toBe(
    "it uses protocol version 2030-01-01, which is not one of 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05",
  );
});
