import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Not steps of a walk: types, text functions and access to the system are used everywhere, and the files directly in `src/` only connect
 * the modules.
 */
const isTransparent = (module) => ["model", "platform", "documents"].includes(module) || module.includes(".");

/** Runs writes later, like a timer. A slow walk includes more of them. */
const WRITE_QUEUE = /[\\/]state[\\/]deferred-writes\.ts$/;

/** Calls from outside: the scenario itself, timers, and data that arrives. */
const OUTSIDE = { module: "outside", file: "", caller: undefined };

/**
 * Records which modules a walk passes. A step is a call from one module into another. A step re-enters a module if a function of that
 * module is still running further up, with another module in between.
 */
export function createRecorder() {
  const context = new AsyncLocalStorage();
  let steps;
  let byFile = false;
  const walk = (file, work) => {
    const caller = context.getStore() ?? OUTSIDE;
    const module = moduleOf(file);
    if (steps === undefined || isTransparent(module) || WRITE_QUEUE.test(file)) return work();
    if (byFile ? caller.file === file : caller.module === module) return work();
    const frame = { module, file, caller };
    const step = {
      module,
      file,
      from: caller.module,
      depth: depthOf(caller),
      reenters: caller.module !== module && isRunning(caller, module),
      ms: 0,
    };
    steps.push(step);
    const began = performance.now();
    const finish = () => {
      step.ms = performance.now() - began;
    };
    return context.run(frame, () => {
      let result;
      try {
        result = work();
      } catch (error) {
        finish();
        throw error;
      }
      if (typeof result?.then === "function") result.then(finish, finish);
      else finish();
      return result;
    });
  };
  return {
    walk,
    /** Runs a scenario and returns its steps: the calls between modules, or between files. */
    async record(work, between = "modules") {
      steps = [];
      byFile = between === "files";
      const mine = steps;
      const { setTimeout } = globalThis;
      globalThis.setTimeout = (callback, ...rest) =>
        setTimeout((...args) => context.run(OUTSIDE, callback, ...args), ...rest);
      try {
        await context.run(OUTSIDE, work);
      } finally {
        globalThis.setTimeout = setTimeout;
        steps = undefined;
      }
      return mine;
    },
  };
}

/** The folder in `src/`, or the file if it is directly there. */
function moduleOf(file) {
  return file.split("/")[1];
}

function isRunning(frame, module) {
  for (let at = frame; at !== undefined; at = at.caller) if (at.module === module) return true;
  return false;
}

function depthOf(frame) {
  let depth = 0;
  for (let at = frame.caller; at !== undefined; at = at.caller) depth += 1;
  return depth;
}
