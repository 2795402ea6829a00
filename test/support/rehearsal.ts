import { setTimeout as delay } from "node:timers/promises";
import { createStyle } from "../../src/surfaces/shared/render/style.ts";
import type { LineHandler } from "../../src/surfaces/tui/line-handler.ts";
import { createScreen } from "../../src/surfaces/tui/screen/create-screen.ts";
import type { Screen } from "../../src/surfaces/tui/screen.ts";
import { completeWith } from "../../src/surfaces/tui/shell/complete-with.ts";
import { createLineRunner } from "../../src/surfaces/tui/shell/line-runner.ts";

// The screen without a host. Each typed word performs one of the screen actions that line handlers use.

const style = createStyle(process.env["NO_COLOR"] === "");
let leave: (code: number) => void = () => {};
const left = new Promise<number>((resolve) => {
  leave = resolve;
});
const runner = createLineRunner({
  onBegin: (line) => screen.print(`> ${line}`, { foldAfter: 6 }),
  onError: (error) => screen.print(style.bad(`! ${String(error)}`)),
  onUnknown: (line) => screen.print(`unknown ${line.length}`),
  onChange: (waiting) => screen.setWaiting(waiting),
});
const screen = createScreen(style, {
  placeholder: "type a word",
  onLine: runner.submit,
  onEscape: runner.cancel,
  onInterrupt: runner.cancel,
  onLeave: (how) => leave(how === "asked" ? 0 : 130),
  complete: (line, cursor, signal) => completeWith([handler], line, cursor, signal),
});

const WORDS = ["/apple", "/apricot", "/banana"];

const deeds: Readonly<Record<string, (screen: Screen, signal: AbortSignal) => unknown>> = {
  lines: () =>
    screen.print(Array.from({ length: 40 }, (_, i) => `line ${i + 1}`).join("\n"), { foldAfter: 5 }),
  throw() {
    throw new Error("thrown by a handler");
  },
  crash: () =>
    setTimeout(() => {
      throw new Error("thrown by nobody's handler");
    }),
  reject: () => void Promise.reject(new Error("rejected by nobody's handler")),
  exit: () => process.exit(7),
  async wait(_, signal) {
    const block = screen.openBlock();
    block.show(["working", style.dim("on it")]);
    await delay(600_000, undefined, { signal }).catch(() => {});
    block.end("called off");
  },
  async ask({ dialogs }, signal) {
    const colour = await dialogs.choose({
      title: "Which colour?",
      choices: ["red", "green", "blue"].map((value) => ({ value, label: value })),
      signal,
    });
    const name = await dialogs.askText({ title: "Which name?", signal });
    screen.print(`answers ${JSON.stringify([colour, name])}`);
  },
  later: () => void setTimeout(() => void askLater(), 300),
  noise: () =>
    screen.print("\u001b[2J\u001b]0;title\u0007loud\u001b[?1049h\u001b[38;5;9m and \u001b[31mred\u001b[39m"),
};

async function askLater(): Promise<void> {
  const answer = await screen.dialogs.choose({
    title: "Is it allowed?",
    choices: [
      { value: true, label: "Yes", key: "y" },
      { value: false, label: "No", key: "n" },
    ],
  });
  screen.print(`allowed ${JSON.stringify(answer)}`);
}

const handler: LineHandler = {
  accepts: (line) => deeds[line] !== undefined,
  async run(line, signal) {
    await deeds[line]?.(screen, signal);
  },
  async complete(line, cursor) {
    const items = WORDS.filter((word) => word.startsWith(line.slice(0, cursor))).map((text) => ({ text }));
    return line.startsWith("/") && items.length > 0 ? { from: 0, items } : undefined;
  },
};

screen.setStatus("all is well");
screen.setAside("aside");
runner.start([handler]);
process.once("SIGTERM", () => leave(143));
const code = await left;
screen.close();
process.exitCode = code;
