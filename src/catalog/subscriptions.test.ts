import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { createFakeConnection, type FakeConnection } from "../../test/support/fake-connection.ts";
import { HostError } from "../model/index.ts";
import { createManualClock } from "../testing/index.ts";
import { createResourceSubscriptions, type ResourceSubscriptions } from "./subscriptions.ts";

const URI = "note://a";

interface World {
  readonly subscriptions: ResourceSubscriptions;
  readonly told: string[];
  readonly complaints: unknown[];
  listen(connection: FakeConnection, uri?: string): Promise<() => Promise<void>>;
}

function createWorld(clock = createManualClock(), dropsNothing = false): World {
  const told: string[] = [];
  const complaints: unknown[] = [];
  const onListenerError = (error: unknown): void => void complaints.push(error);
  const subscriptions = createResourceSubscriptions({ clock, onListenerError, dropsNothing });
  return {
    subscriptions,
    told,
    complaints,
    listen: (connection, uri = URI) =>
      subscriptions.subscribe(connection, { uri, timeoutMs: 1_000, listener: (at) => told.push(at) }),
  };
}

function connect(subscriptions: ResourceSubscriptions): FakeConnection {
  const connection = createFakeConnection(() => ({}));
  subscriptions.follow(connection);
  return connection;
}

const updated = (connection: FakeConnection, uri: string): void =>
  connection.notify("notifications/resources/updated", { uri });

describe("a resource subscription", () => {
  test("reports changes of the resource and its parts only", async () => {
    const { subscriptions, listen, told } = createWorld();
    const connection = connect(subscriptions);
    await listen(connection);
    for (const uri of ["note://a", "note://a/b", "note://ab", "note://b"]) updated(connection, uri);
    expect([told, connection.asked]).toEqual([["note://a", "note://a/b"], ["resources/subscribe"]]);
  });

  test("1.9 of a gateway gets every update that may concern it", async () => {
    const { subscriptions, listen, told } = createWorld(createManualClock(), true);
    const connection = connect(subscriptions);
    const heard: string[] = [];
    await listen(connection);
    const listener = (uri: string): void => void heard.push(uri);
    await subscriptions.subscribe(connection, { uri: "note://a/b", timeoutMs: 1_000, listener });
    // The exact resource only, then a part, a prefix, and a name that was not subscribed to.
    for (const uri of ["note://a/b", "note://a/c", "note://ab", "other://x"]) updated(connection, uri);
    expect([told, heard]).toEqual([
      ["note://a/c", "note://ab", "other://x"],
      ["note://a/b", "other://x"],
    ]);
  });

  test("exists once at the server, and ends with the last listener", async () => {
    const { subscriptions, listen, told } = createWorld();
    const connection = connect(subscriptions);
    const [leave, leaveToo] = await Promise.all([listen(connection), listen(connection)]);
    await leave();
    await leave();
    updated(connection, URI);
    await leaveToo();
    updated(connection, URI);
    expect([told, connection.asked]).toEqual([[URI], ["resources/subscribe", "resources/unsubscribe"]]);
  });

  test("is renewed on the next connection and reported as changed", async () => {
    const { subscriptions, listen, told } = createWorld();
    await listen(connect(subscriptions));
    const next = connect(subscriptions);
    await vi.waitFor(() => expect(told).toEqual([URI]));
    updated(next, URI);
    expect([told, next.asked]).toEqual([[URI, URI], ["resources/subscribe"]]);
  });

  test("that the server refuses is rejected", async () => {
    const { subscriptions, listen, told } = createWorld();
    const refusing = createFakeConnection(() => Promise.reject(new HostError("REQUEST_REFUSED", "no")));
    subscriptions.follow(refusing);
    await expect(listen(refusing)).rejects.toMatchObject({ code: "REQUEST_REFUSED" });
    const next = connect(subscriptions);
    updated(next, URI);
    expect([told, next.asked]).toEqual([[], []]);
  });

  test("that the next connection refuses can be requested again", async () => {
    const { subscriptions, listen, told, complaints } = createWorld();
    await listen(connect(subscriptions));
    let refusals = 1;
    const next = createFakeConnection(() => {
      refusals -= 1;
      return refusals < 0 ? {} : Promise.reject(new HostError("REQUEST_REFUSED", "not yet"));
    });
    subscriptions.follow(next);
    await vi.waitFor(() => expect(complaints).toHaveLength(1));
    await listen(next);
    updated(next, URI);
    expect([told, next.asked]).toEqual([
      [URI, URI],
      ["resources/subscribe", "resources/subscribe"],
    ]);
  });

  test("calls all listeners even if one throws", async () => {
    const { subscriptions, listen, told, complaints } = createWorld();
    const connection = connect(subscriptions);
    await subscriptions.subscribe(connection, {
      uri: URI,
      timeoutMs: 1_000,
      listener: () => {
        throw new Error("not today");
      },
    });
    await listen(connection);
    updated(connection, URI);
    expect([told, complaints]).toEqual([[URI], [new Error("not today")]]);
  });
});

describe("in the modern era", () => {
  /** Creates streams that stay open until the test ends them. Each is acknowledged when it opens. */
  function modern(granted: object = { resourceSubscriptions: [URI] }) {
    const drops: (() => void)[] = [];
    const signals = new Set<AbortSignal>();
    const base = createFakeConnection(() => {
      queueMicrotask(() =>
        base.notify("notifications/subscriptions/acknowledged", { notifications: { ...granted } }),
      );
      return new Promise((resolve) => drops.push(() => resolve({})));
    });
    const connection: FakeConnection = {
      ...base,
      facts: { ...base.facts, era: "modern" },
      request(method, params, options) {
        if (options.signal !== undefined) signals.add(options.signal);
        return base.request(method, params, options);
      },
    };
    return { connection, drops, signals };
  }

  test("2.20 a subscription is a stream, which is reopened after a delay when it ends, and reported as changed", async () => {
    const clock = createManualClock();
    const { subscriptions, listen, told } = createWorld(clock);
    const { connection, drops } = modern();
    subscriptions.follow(connection);
    await listen(connection);
    updated(connection, URI);
    expect(told).toEqual([URI]);
    drops[0]?.();
    await vi.waitFor(() => {
      clock.advance(1_000);
      expect(connection.asked).toEqual(["subscriptions/listen", "subscriptions/listen"]);
    });
    expect(told).toEqual([URI, URI]); // the resource may have changed in the meantime
  });

  test("a stream that ends repeatedly leaks nothing", async () => {
    const clock = createManualClock();
    const { subscriptions, listen } = createWorld(clock);
    const { connection, drops, signals } = modern();
    subscriptions.follow(connection);
    await listen(connection);
    for (let opened = 1; opened <= 5; opened += 1) {
      drops[opened - 1]?.();
      await vi.waitFor(() => {
        clock.advance(30_000);
        expect(connection.asked).toHaveLength(opened + 1);
      });
    }
    expect([...signals].map((signal) => getEventListeners(signal, "abort").length)).toEqual([0]);
  });

  test("a server without subscriptions rejects the subscription", async () => {
    const { listen } = createWorld();
    await expect(listen(modern({}).connection)).rejects.toMatchObject({
      code: "REQUEST_REFUSED",
      message: '"files" does not support resource subscriptions',
    });
  });

  test("a server that never acknowledges the subscription times out", async () => {
    const clock = createManualClock();
    const { listen } = createWorld(clock);
    const started = listen(modern({ toolsListChanged: true }).connection);
    clock.advance(1_000);
    await expect(started).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
  });
});
