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

/** A host that sees the sandbox and nothing else of this machine. */
export function hostIn(sandbox: Sandbox, options: HostOptions = {}): Promise<Host> {
  return createHost({ cwd: sandbox.project, env: sandbox.env(), ...options });
}

/** Waits for every server's tools, however busy the machine is. By default, listing tools waits two seconds. */
export const PATIENTLY: { readonly waitMs: number } = { waitMs: Number.POSITIVE_INFINITY };

/** Everything the host announces from now on. */
export function eventsOf(host: Host): HostEvent[] {
  const events: HostEvent[] = [];
  host.subscribe((event) => events.push(event));
  return events;
}

/** What a caller sees of a failure. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly server?: string;
}

/** The error a promise rejects with, as a plain value; anything but a `HostError` fails the test. */
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

/** Repeats an expectation until it holds; there is no other waiting in these tests. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 15_000, interval: 20 });
}

/** The text of a file once there is any: it may be seen before it is written. */
export function eventuallyReads(file: string): Promise<string> {
  return eventually(async () => {
    const text = await readFile(file, "utf8");
    expect(text).not.toBe("");
    return text;
  });
}

/** Is a process of that id still there? One that nobody has collected yet does not count. */
export async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return !/^\d+ \(.*\) Z/s.test(state);
}
