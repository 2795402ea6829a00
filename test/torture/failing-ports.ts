import type { Keychain, Ports } from "../../src/platform/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { createFailingClock } from "./failing-clock.ts";
import { failingFiles } from "./failing-files.ts";
import { failingHttp } from "./failing-http.ts";
import { failingProcesses } from "./failing-processes.ts";
import { type Calls, type Fate, type Fault, failure } from "./fate.ts";

export interface FailingPorts {
  readonly ports: Partial<Ports>;
  /** The first call that failed. Not set if there were fewer calls. */
  failed(): string | undefined;
  calls(): Calls;
  /** The world works again. */
  heal(): void;
  /** Timers that keep the program alive. */
  timers(): number;
}

/** The real ports, except that one call fails in a realistic way. */
export function createFailingPorts(
  { at, lasting }: Fault,
  {
    keychain,
    browser,
    timePasses = 1,
  }: { keychain: Keychain; browser?: Ports["browser"]; timePasses?: number },
): FailingPorts {
  const real = nodePorts();
  const calls = { all: 0, lasting: 0 };
  let failed: { readonly what: string; readonly kind: string | undefined } | undefined;
  let isWhole = false;
  const fate: Fate = {
    isDue(what, kind) {
      if (isWhole) return false;
      calls.all += 1;
      if (kind !== undefined) calls.lasting += 1;
      if (lasting && kind === undefined) return false;
      if (failed !== undefined) return lasting && kind === failed.kind;
      const isNow = (lasting ? calls.lasting : calls.all) === at;
      if (isNow) failed = { what, kind };
      return isNow;
    },
    pick: (choices) => choices[at % choices.length] ?? choices[0],
  };
  const refuse = (what: string, code: string): Promise<never> => Promise.reject(failure(code, what));
  const { clock, timers } = createFailingClock(real.clock, fate, timePasses);
  return {
    calls: () => ({ ...calls }),
    failed: () => failed?.what,
    heal: () => void (isWhole = true),
    timers,
    ports: {
      files: failingFiles(real.files, fate),
      clock,
      processes: failingProcesses(real.processes, fate),
      http: failingHttp(real.http, fate),
      keychain: {
        read: (name) =>
          fate.isDue("keychain.read", "keychain") ? refuse("keychain.read", "EIO") : keychain.read(name),
        write: (name, text) =>
          fate.isDue("keychain.write", "keychain")
            ? refuse("keychain.write", "EIO")
            : keychain.write(name, text),
        remove: (name) =>
          fate.isDue("keychain.remove", "keychain")
            ? refuse("keychain.remove", "EIO")
            : keychain.remove(name),
      },
      browser: {
        async open(url) {
          if (!fate.isDue("browser.open", "browser")) return browser?.open(url) ?? false;
          return fate.pick([false, undefined]) ?? refuse("browser.open", "ENOENT");
        },
      },
      loopback: {
        async listen(port, answer) {
          if (fate.isDue("loopback.listen", "loopback"))
            return refuse("loopback.listen", fate.pick(["EADDRINUSE", "EACCES", "EMFILE"]));
          return real.loopback.listen(port, answer);
        },
      },
    },
  };
}
