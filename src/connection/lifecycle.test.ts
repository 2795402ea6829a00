import { describe, expect, test } from "vitest";
import { HostError, type HostErrorCode, type ServerFacts } from "../model/index.ts";
import {
  desiredRun,
  INITIAL_STATE,
  type LifecycleEvent,
  type LifecycleState,
  next,
  RESTARTS,
  restartWaitMs,
} from "./lifecycle.ts";
import { WireError } from "./wire/wire-error.ts";

const FACTS = { name: "files" } as ServerFacts;
const MINUTE = 60_000;

/** Returns the lifecycle state after these events. */
function after(...events: readonly (readonly [at: number, event: LifecycleEvent])[]): LifecycleState {
  return events.reduce(
    (life, [now, event]) => next(life, event, { server: "files", now, idleStopMs: undefined }),
    INITIAL_STATE,
  );
}

const used = { type: "used" } as const;
const opened = (run: number): LifecycleEvent => ({ type: "opened", run, facts: FACTS });
const ended = (run: number): LifecycleEvent => ({ type: "ended", run, message: "it is gone" });
const failed = (run: number, error: unknown): LifecycleEvent => ({ type: "failed", run, error });

/** Connected, lost, and restarting. */
const RETRYING = [
  [0, used],
  [0, opened(1)],
  [0, ended(1)],
  [0, used],
] as const;

describe("the wait before a restart", () => {
  test.each([
    [1, 500],
    [2, 1_500],
    [3, 4_500],
    [4, 13_500],
    [5, 30_000],
    [50, 30_000],
  ])("number %i is at most %i ms, and at most a fifth less", (attempt, most) => {
    for (const server of ["a", "files", "日本", ""]) {
      expect(restartWaitMs(server, attempt)).toBeLessThanOrEqual(most);
      expect(restartWaitMs(server, attempt)).toBeGreaterThanOrEqual(most * 0.8);
    }
  });

  test("differs between servers, so that they do not all restart at once", () => {
    const waits = Array.from({ length: 20 }, (_, index) => restartWaitMs(`server-${index}`, 1));
    expect(new Set(waits).size).toBeGreaterThan(15);
  });
});

describe("a server whose package is installed first", () => {
  const installing = (run: number, output?: string): LifecycleEvent => ({
    type: "installing",
    run,
    installation: { runner: "npx", package: "acme", elapsedMs: 1, ...(output && { output }) },
  });
  const installed = (run: number): LifecycleEvent => ({ type: "installing", run, installation: undefined });

  test("is installing, then connecting, and belongs to the same start", () => {
    const life = after([0, used], [1, installing(1)], [2, installing(1, "fetching")]);
    expect(life).toMatchObject({ state: { kind: "installing", package: "acme", output: "fetching" } });
    expect(desiredRun(life)).toBe(1);
    expect(after([0, used], [1, installing(1)], [2, installed(1)]).state).toEqual({ kind: "connecting" });
  });

  test("fails and stops like one that is connecting", () => {
    const error = new HostError("CONNECT_FAILED", "no such package");
    expect(after([0, used], [1, installing(1)], [2, failed(1, error)]).state.kind).toBe("failed");
    expect(after([0, used], [1, installing(1)], [2, { type: "stopped" }]).state.kind).toBe("idle");
  });

  test("does not go back to installing after it was stopped or connected", () => {
    expect(after([0, used], [0, { type: "stopped" }], [1, installing(1)]).state.kind).toBe("idle");
    expect(after([0, used], [0, opened(1)], [1, installing(1)]).state.kind).toBe("connected");
    expect(after([0, used], [0, opened(1)], [1, installed(1)]).state.kind).toBe("connected");
  });

  test("stays reconnecting while it is restarted", () => {
    expect(after(...RETRYING, [1, installing(2)]).state.kind).toBe("reconnecting");
  });
});

describe("a start that fails", () => {
  const error = new HostError("CONNECT_EXITED", "it ended");

  test("is reported to the caller and not repeated if the server was never connected", () => {
    expect(after([0, used], [0, failed(1, error)]).state).toEqual({ kind: "failed", error });
  });

  test("is repeated during a restart", () => {
    const { state } = after(...RETRYING, [10, failed(2, error)]);
    expect(state).toEqual({
      kind: "reconnecting",
      attempt: 2,
      nextTryAt: 10 + restartWaitMs("files", 2),
      error,
    });
  });

  test.each<[HostErrorCode, string]>([
    ["AUTH_REQUIRED", "needs_auth"],
    ["AUTH_CLIENT_REQUIRED", "needs_client_registration"],
    ["INTERACTION_REQUIRED", "failed"],
    ["SERVER_DISABLED", "failed"],
    ["SERVER_UNKNOWN", "failed"],
    ["VALUE_UNRESOLVED", "failed"],
    ["REQUEST_REFUSED", "failed"],
    ["CONNECT_COMMAND_NOT_FOUND", "failed"],
  ])("for a permanent reason is not repeated: %s", (code, kind) => {
    const fatal = new HostError(code, "no");
    expect(after(...RETRYING, [0, failed(2, fatal)]).state).toEqual({ kind, error: fatal });
  });

  test("because of an unsupported protocol version is not repeated", () => {
    const cause = new WireError({ kind: "version", version: "1999-01-01" }, "unknown version");
    const fatal = new HostError("CONNECT_FAILED", "unknown version", { cause });
    expect(after(...RETRYING, [0, failed(2, fatal)]).state.kind).toBe("failed");
  });

  test("with another error becomes a HostError", () => {
    const { state } = after([0, used], [0, failed(1, new TypeError("x is not a function"))]);
    expect(state).toMatchObject({
      kind: "failed",
      error: { code: "CONNECT_FAILED", message: "x is not a function", server: "files" },
    });
  });
});

describe("the restart limit", () => {
  /** Connects at 0, then is lost and restarted every ten seconds. */
  const flap = (times: number): (readonly [number, LifecycleEvent])[] =>
    Array.from({ length: times }, (_, index) => {
      const at = index * 10_000;
      return [
        [at, used],
        [at, opened(index + 1)],
        [at, ended(index + 1)],
      ] as const;
    }).flat();

  test("is reached with the sixth loss within five minutes", () => {
    expect(after(...flap(5)).state).toMatchObject({ kind: "reconnecting", attempt: 5 });
    const { state } = after(...flap(6));
    expect(state).toMatchObject({
      kind: "failed",
      error: {
        code: "CONNECTION_LOST",
        server: "files",
        message:
          '"files" was restarted 5 times within 5 minutes and will not be restarted again; last error: it is gone',
        hint: "Test the server to see the problem. Its next use starts it again.",
      },
    });
  });

  test("is reset by a connection that lasts five minutes", () => {
    const standing = [...flap(5), [50_000, used], [50_000, opened(6)]] as const;
    const tooSoon = after(...standing, [4 * MINUTE, ended(6)]);
    expect(tooSoon.state.kind).toBe("failed");
    const { state } = after(...standing, [50_000 + RESTARTS.withinMs, ended(6)]);
    expect(state).toMatchObject({ kind: "reconnecting", attempt: 1 });
  });

  test("is reset for a server that was closed by the user", () => {
    const { state } = after(
      ...flap(5),
      [50_000, { type: "stopped" }],
      [50_000, used],
      [50_000, opened(6)],
      [50_001, ended(6)],
    );
    expect(state).toMatchObject({ kind: "reconnecting", attempt: 1 });
  });
});

test("events of an earlier start are ignored", () => {
  const life = after([0, used], [0, { type: "stopped" }], [0, used]);
  expect(desiredRun(life)).toBe(2);
  const context = { server: "files", now: 1, idleStopMs: undefined };
  for (const event of [opened(1), ended(1), failed(1, new Error("late")), { type: "asked", run: 1 } as const])
    expect(next(life, event, context)).toBe(life);
});
