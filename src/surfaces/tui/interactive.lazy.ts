import { setTimeout as delay } from "node:timers/promises";
import { type Host, VERSION } from "../../index.ts";
import type { CommandContext, ExitCode } from "../shared/command.ts";
import { displayContextOf } from "../shared/display-context.ts";
import { renderError } from "../shared/render/error.ts";
import { shortenPaths } from "../shared/render/place.ts";
import { type ChatParts, createChatParts } from "./chat/index.ts";
import type { LineHandler } from "./line-handler.ts";
import { createMcpHandler } from "./mcp/mcp-handler.ts";
import { createQuestions } from "./questions/questions.ts";
import { createScreen } from "./screen/create-screen.ts";
import { createLinearScreen } from "./screen/linear-screen.ts";
import { announceStates } from "./shell/announce-states.ts";
import { completeWith } from "./shell/complete-with.ts";
import { createLineRunner } from "./shell/line-runner.ts";
import { createShellLine } from "./shell/run-shell-line.ts";
import { createShellLines } from "./shell/shell-lines.ts";
import { trackStatus } from "./shell/status-line.ts";

/** Longer input is collapsed when it is echoed. */
const ECHO_ROWS = 12;

/** How long quitting waits for a cancelled turn to be saved. */
const SAVE_MS = 1_000;

const NOTHING_YET =
  "No servers are configured yet. Plugboard starts its built-in demo server. To add your own: /mcp add\n";

/** Runs interactive mode until the user quits. The prompt appears immediately; servers connect in the background. */
export async function runInteractive(context: CommandContext): Promise<ExitCode> {
  const { style, signal } = context;
  context.expectInterrupt();
  const isLinear = context.flags["linear"] === true;
  let setHandlers: (handlers: readonly LineHandler[]) => void = () => {};
  const handlersReady = new Promise<readonly LineHandler[]>((resolve) => {
    setHandlers = resolve;
  });
  let leave: (how: "asked" | "interrupted") => void = () => {};
  const left = new Promise<"asked" | "interrupted">((resolve) => {
    leave = resolve;
  });
  const runner = createLineRunner({
    // The terminal already shows the line in linear mode.
    onBegin: (line) =>
      isLinear ||
      screen.print(`\n${style.name("›")} ${style.bold(line.replaceAll("\n", "\n  "))}`, {
        foldAfter: ECHO_ROWS,
      }),
    onError: (error) => screen.print(renderError(error, style, { verb: "", program: "/mcp" })),
    onUnknown: () => screen.print(style.dim("Plugboard cannot process this line. Type /help for help.")),
    onChange: (waiting) => screen.setWaiting(waiting),
  });
  const openScreen = isLinear ? createLinearScreen : createScreen;
  const screen = openScreen(style, {
    placeholder: "Type a message, or /help for help",
    onLine: runner.submit,
    queue: runner.queue,
    onEscape() {
      screen.putBack(runner.takeBack());
      runner.cancel();
    },
    onInterrupt: runner.cancel,
    onLeave: leave,
    // A Tab that is pressed before the host is open completes when it is.
    complete: async (line, cursor, stop) => completeWith(await handlersReady, line, cursor, stop),
  });
  const stops: (() => void)[] = [() => screen.close()];
  const onSignal = (): void => leave("interrupted");
  signal.addEventListener("abort", onSignal, { once: true });
  try {
    screen.print(banner(context));
    const display = { ...displayContextOf(context), program: "/mcp" };
    const { cwd, home } = display;
    const questions = createQuestions(screen, {
      host: () => host,
      complete: (request, stop) => chat.complete(request, stop),
      cwd,
      home,
    });
    const options = { quiet: true, ...questions } as const;
    const found = await context.openHost(options);
    const isEmpty = found.servers().length === 0;
    const host: Host = isEmpty ? await context.openHost({ ...options, demo: true }) : found;
    if (isEmpty) screen.print(style.dim(NOTHING_YET));
    host.config.watch();
    const mcp = createMcpHandler({ host, screen, hostOptions: { cwd }, canBrowse: !isLinear });
    const { model } = context.flags;
    const chat: ChatParts = createChatParts({
      host,
      screen,
      env: process.env,
      folder: cwd,
      model: typeof model === "string" ? model : undefined,
    });
    screen.setAside(chat.models.name() ?? "no model");
    stops.unshift(
      announceStates(host, screen, display, mcp.tells),
      mcp.stop,
      trackStatus(host, style, screen.setStatus),
    );
    const others: readonly LineHandler[] = [mcp, createShellLine(screen, cwd), ...chat.handlers];
    const own = createShellLines(screen, others, { clear: screen.clear, leave: () => leave("asked") });
    const handlers = [own, ...others];
    setHandlers(handlers);
    const { continue: continues, resume } = context.flags;
    if (continues === true || resume === true) await chat.resume(resume === true ? "choose" : "last", signal);
    runner.start(handlers);
    void host.connectAll();
    const how = await left;
    runner.cancel();
    await Promise.race([chat.settled(), delay(SAVE_MS, undefined, { ref: false })]);
    return how === "asked" ? 0 : 130;
  } finally {
    for (const stop of stops) stop();
    signal.removeEventListener("abort", onSignal);
  }
}

function banner(context: CommandContext): string {
  const { home, cwd } = displayContextOf(context);
  const { style } = context;
  return `\n${style.name("▪")} ${style.bold("Plugboard")} ${style.dim(`${VERSION} · ${cwd === home ? "~" : shortenPaths(cwd, { home, cwd: "", program: "" })}`)}\n\n`;
}
