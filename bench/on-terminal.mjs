/** Runs programs on a pseudo-terminal. */
import { createRequire } from "node:module";

const patienceMs = 60_000;

/** Starts Node, or another runtime, with these arguments on a terminal. `seen` resolves with the time since the start, or since `type`, once the text was written. */
export function startOnTerminal(args, { cwd, env, program = process.execPath }) {
  const { spawn } = createRequire(import.meta.url)("@lydell/node-pty");
  let since = performance.now();
  const terminal = spawn(program, args, {
    name: "xterm-256color",
    cols: 100,
    rows: 30,
    cwd,
    env: { ...env, TERM: "xterm-256color" },
  });
  let output = "";
  let wanted;
  let isOver = false;
  const look = () => {
    if (wanted === undefined || !output.includes(wanted.text)) return;
    wanted.resolve(performance.now() - since);
    wanted = undefined;
  };
  terminal.onData((text) => {
    output += text;
    look();
  });
  const ended = new Promise((resolve) => {
    terminal.onExit(({ exitCode }) => {
      isOver = true;
      wanted?.reject(new Error(`exited with ${exitCode} before it wrote "${wanted.text}"`));
      resolve({ code: exitCode, ms: performance.now() - since });
    });
  });
  return {
    ended,
    type(keys) {
      output = "";
      since = performance.now();
      terminal.write(keys);
    },
    seen(text) {
      return new Promise((resolve, reject) => {
        const alarm = setTimeout(() => reject(new Error(`never wrote "${text}"`)), patienceMs);
        const settle = (done) => (value) => {
          clearTimeout(alarm);
          done(value);
        };
        wanted = { text, resolve: settle(resolve), reject: settle(reject) };
        look();
      });
    },
    /** Quits like a user, and kills the program if that fails. */
    async leave() {
      if (!isOver) terminal.write("\u0015\u0004");
      const alarm = setTimeout(() => terminal.kill("SIGKILL"), 10_000);
      await ended;
      clearTimeout(alarm);
    },
  };
}
