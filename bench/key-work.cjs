/** Loaded before the program: records the CPU time of each key press, including rendering. */
const { appendFileSync } = require("node:fs");

const file = process.env.KEY_WORK_FILE;
if (file !== undefined && process.stdin.isTTY) {
  delete process.env.KEY_WORK_FILE; // servers must not inherit it
  const { stdin } = process;
  const { emit } = stdin;
  const setImmediateBefore = globalThis.setImmediate;
  let key;
  const timed = (work) => {
    const start = process.cpuUsage();
    const answer = work();
    const { user, system } = process.cpuUsage(start);
    key.ms += (user + system) / 1000;
    return answer;
  };
  globalThis.setImmediate = (callback, ...args) => {
    if (key === undefined) return setImmediateBefore(callback, ...args);
    const own = key;
    own.waiting += 1;
    return setImmediateBefore(() => {
      key = own;
      timed(() => callback(...args));
      key = undefined;
      own.waiting -= 1;
      if (own.waiting === 0) appendFileSync(file, `${own.ms}\n`);
    });
  };
  stdin.emit = function (type, ...args) {
    if (type !== "data") return emit.call(this, type, ...args);
    key = { ms: 0, waiting: 0 };
    const answer = timed(() => emit.call(this, type, ...args));
    key = undefined;
    return answer;
  };
}
