import { nodePorts } from "../../src/platform/node/index.ts";
import type { Clock, Files, HttpFailure, Ports, RunningProcess } from "../../src/platform/index.ts";

export interface FailingPorts {
  readonly ports: Partial<Ports>;
  /** How often anything outside was asked for something. */
  readonly calls: () => number;
  /** Which call was made to fail. */
  readonly failed: () => string | undefined;
}

const HOUR_MS = 3_600_000;

/**
 * The real world, but for one thing: the `k`-th time that anything outside the program is asked for something, it fails as
 * such a thing can fail. With 0 nothing fails.
 */
export function createFailingPorts(k: number): FailingPorts {
  const real = nodePorts();
  let calls = 0;
  let failed: string | undefined;
  const isDue = (what: string): boolean => {
    calls += 1;
    if (calls !== k) return false;
    failed = what;
    return true;
  };
  const refuse = (what: string, code: string): Promise<never> =>
    Promise.reject(Object.assign(new Error(`${code}: made to fail, ${what}`), { code }));

  /** These two never fail: what cannot be looked at is not there. */
  const failure = (name: string): unknown =>
    name === "list" ? [] : name === "stamp" ? undefined : refuse(`files.${name}`, "EIO");

  const files = Object.fromEntries(
    Object.keys(real.files).map((name) => {
      const method = real.files[name as keyof Files].bind(real.files) as (
        ...args: unknown[]
      ) => Promise<unknown>;
      const wrapped = async (...args: unknown[]): Promise<unknown> =>
        isDue(`files.${name} ${String(args[0])}`) ? failure(name) : method(...args);
      return [name, wrapped];
    }),
  ) as unknown as Files;

  let lateBy = 0;
  const clock: Clock = {
    now() {
      if (isDue("clock.now: an hour passes")) lateBy += HOUR_MS;
      return real.clock.now() + lateBy;
    },
    after(ms, callback) {
      return real.clock.after(isDue(`clock.after ${ms}: at once`) ? 0 : ms, callback);
    },
  };

  return {
    calls: () => calls,
    failed: () => failed,
    ports: {
      files,
      clock,
      processes: {
        ...real.processes,
        spawn(request) {
          if (isDue(`processes.spawn ${request.command}`))
            return real.processes.spawn({ ...request, command: `${request.command}-that-is-not-there` });
          const running = real.processes.spawn(request);
          return Object.assign(Object.create(running) as RunningProcess, {
            write: (text: string) =>
              isDue("process.write") ? refuse("process.write", "EPIPE") : running.write(text),
          });
        },
      },
      http: {
        close: () => real.http.close(),
        request(request) {
          if (!isDue(`http.request ${request.method} ${request.url.pathname}`))
            return real.http.request(request);
          const facts = { code: "ECONNRESET", sent: true, reused: false };
          const hungUp: HttpFailure = Object.assign(new Error("socket hang up"), facts);
          return Promise.reject(hungUp);
        },
      },
      keychain: {
        // Never this machine's own.
        read: () => refuse(isDue("keychain.read") ? "keychain.read" : "there is none", "ENOENT"),
        write: () => refuse(isDue("keychain.write") ? "keychain.write" : "there is none", "ENOENT"),
      },
      browser: {
        open: () => (isDue("browser.open") ? refuse("browser.open", "ENOENT") : Promise.resolve(false)),
      },
      loopback: {
        listen: (port, answer) =>
          isDue("loopback.listen")
            ? refuse("loopback.listen", "EADDRINUSE")
            : real.loopback.listen(port, answer),
      },
    },
  };
}
