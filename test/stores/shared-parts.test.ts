import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HostOptions } from "../../src/host-api.ts";
import { sourceOf } from "../../src/host-source.ts";
import { createEventHub, Redactor } from "../../src/model/index.ts";
import { programServers, readInventory, type Workspace } from "../../src/operations/index.ts";
import { createPrincipals, type Principals } from "../../src/principals.ts";
import { createEras, createToolNameRecords } from "../../src/state/index.ts";
import { createValueCommands } from "../../src/values/index.ts";
import type { HostParts } from "../../src/wire-workspace.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { startTokenServer } from "../support/token-server.ts";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox();
  return () => sandbox[Symbol.asyncDispose]();
});

let close: () => Promise<void> = async () => {};
afterEach(() => close());

async function openPrincipals(url: string): Promise<Principals> {
  const options: HostOptions = {
    cwd: sandbox.project,
    env: sandbox.env(),
    discover: false,
    onApproval: () => false,
    onCall: () => false,
    onSignIn: () => {},
  };
  const given = programServers({ one: { url, headers: { Authorization: "Bearer token-x-1" } } });
  const source = sourceOf(options, given, new Redactor());
  const inventory = await readInventory(source);
  const { ports, places, environment, later } = source;
  const parts: HostParts = {
    options,
    source,
    isLogged: false,
    admit: undefined,
    recorder: undefined,
    replay: undefined,
    eras: createEras(ports, places, later),
    nameRecords: createToolNameRecords(ports, places),
    commands: createValueCommands(ports, environment),
    withProcessTurn: (_, action) => action((work) => work()),
    calls: { middleware: [], isObserved: () => false, nextId: () => 0 },
    closeSignal: new AbortController().signal,
    onListenerError: () => {},
  };
  const principals = createPrincipals({
    parts,
    events: createEventHub(() => {}),
    whileOpen: (operation) => operation(),
    declared: () => inventory.declared,
  });
  close = async () => {
    await principals.close();
    ports.http.close();
  };
  return principals;
}

/** Returns every part of a workspace, with those of its groups. */
function partsOf({ options, stores, ...rest }: Workspace): Record<string, unknown> {
  return { ...rest, ...options, ...stores };
}

test("two principals share only what stores nothing about a person", async () => {
  const principals = await openPrincipals("http://127.0.0.1:9/mcp");
  const [alice = {}, bob = {}] = ["alice", "bob"].map((name) => partsOf(principals.of(name).workspace));
  const shared = Object.keys(alice).filter((key) => alice[key] === bob[key]);
  // Before you add a name here: a cache in it must not depend on a person's sign-ins, secrets or approvals.
  expect(shared.sort()).toEqual([
    "calls",
    "closeSignal",
    "eager",
    "environment",
    "eras",
    "isLogged",
    "places",
    "recorder",
    "replay",
    "serverLogLevel",
    "trustProject",
  ]);
});

test("a principal is forgotten when no one uses it, and not before", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  await using server = await startTokenServer();
  const principals = await openPrincipals(server.url);
  const seen: WeakRef<object>[] = [];
  const use = async (name: string, isConnected: boolean): Promise<void> => {
    const person = principals.of(name);
    seen.push(new WeakRef(person.workspace));
    await person.whileOpen(async () => {
      await person.workspace.supervisor.connect("one");
    });
    if (!isConnected) await person.owned.close("one");
  };
  await use("kept", true);
  for (let index = 0; index < 20; index += 1) await use(`user${index}`, false);
  const alive = (): number => seen.filter((reference) => reference.deref() !== undefined).length;
  await expect
    .poll(
      () => {
        collect();
        return alive();
      },
      { timeout: 15_000 },
    )
    .toBeLessThanOrEqual(2); // the last one may still be on the stack
  expect(seen[0]?.deref()).toBe(principals.of("kept").workspace);
});
