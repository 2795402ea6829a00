import { readFile } from "node:fs/promises";
import { expect, vi } from "vitest";
import {
  createHost,
  type Host,
  type HostError,
  type HostEvent,
  type HostOptions,
  isHostError,
} from "../../src/index.ts";
import type { Sandbox } from "../support/sandbox.ts";

/** Creates a host that sees only the sandbox. */
export function hostIn(sandbox: Sandbox, options: HostOptions = {}): Promise<Host> {
  return createHost({ cwd: sandbox.project, env: sandbox.env(), ...options });
}

/** Waits for every server's tools, however busy the machine is. By default, listing tools waits two seconds. */
export const PATIENTLY: { readonly waitMs: number } = { waitMs: Number.POSITIVE_INFINITY };

/** Returns every event that the host publishes from now on, except those that begin and end a call. */
export function eventsOf(host: Host): HostEvent[] {
  const events: HostEvent[] = [];
  host.subscribe((event) => {
    if (event.type !== "call.started" && event.type !== "call.finished") events.push(event);
  });
  return events;
}

/** The parts of a failure that a caller sees. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly server?: string;
}

/** Returns the error that a promise rejects with, as a plain value. Anything but a `HostError` fails the test. */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error = await hostErrorOf(promise);
  const { code, message, hint, server } = error;
  return {
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(server !== undefined && { server }),
  };
}

export async function hostErrorOf(promise: Promise<unknown>): Promise<HostError> {
  const error = await promise.then(
    (value) => expect.fail(`it succeeded with ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (!isHostError(error)) throw error;
  return error;
}

/** Repeats an expectation until it holds. These tests wait in no other way. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 15_000, interval: 20 });
}

/** Returns the text of a file once there is any. The file may exist before it is written. */
export function eventuallyReads(file: string): Promise<string> {
  return eventually(async () => {
    const text = await readFile(file, "utf8");
    expect(text).not.toBe("");
    return text;
  });
}

/** Returns whether a process with this id is running. A zombie does not count. */
export async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return !/^\d+ \(.*\) Z/s.test(state);
}
