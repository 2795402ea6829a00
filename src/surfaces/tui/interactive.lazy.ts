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
import { announceStates } from "./shell/announce-states.ts";
import { completeWith } from "./shell/complete-with.ts";
import { createLineRunner } from "./shell/line-runner.ts";
import { createShellLines } from "./shell/shell-lines.ts";
import { trackStatus } from "./shell/status-line.ts";

/** Longer input is collapsed when it is echoed. */
const ECHO_ROWS = 12;

const NOTHING_YET =
  "No servers are configured yet. Plugboard starts its built-in demo server. To add your own: /mcp add\n";

/** Runs interactive mode until the user quits. The prompt appears immediately; servers connect in the background. */
export async function runInteractive(context: CommandContext): Promise<ExitCode> {
  const { style, signal } = context;
  context.expectInterrupt();
  let handlers: readonly LineHandler[] = [];
  let leave: (how: "asked" | "interrupted") => void = () => {};
  const left = new Promise<"asked" | "interrupted">((resolve) => {
    leave = resolve;
  });
  const runner = createLineRunner({
    onBegin: (line) =>
      screen.print(`\n${style.name("›")} ${style.bold(line.replaceAll("\n", "\n  "))}`, {
        foldAfter: ECHO_ROWS,
      }),
    onError: (error) => screen.print(renderError(error, style, { verb: "", program: "/mcp" })),
    onUnknown: () => screen.print(style.dim("Plugboard cannot process this line. Type /help for help.")),
    onChange: (waiting) => screen.setWaiting(waiting),
  });
  const screen = createScreen(style, {
    placeholder: "Type a message, or /help for help",
    onLine: runner.submit,
    onEscape: runner.cancel,
    onInterrupt: runner.cancel,
    onLeave: leave,
    complete: (line, cursor, stop) => completeWith(handlers, line, cursor, stop),
  });
  const stops: (() => void)[] = [() => screen.close()];
  const onSignal = (): void => leave("interrupted");
  signal.addEventListener("abort", onSignal, { once: true });
  try {
    screen.print(banner(context));
    const { cwd, home } = displayContextOf(context);
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
    const mcp = createMcpHandler({ host, screen, hostOptions: { cwd } });
    const { model } = context.flags;
    const chat: ChatParts = createChatParts({
      host,
      screen,
      env: process.env,
      folder: cwd,
      model: typeof model === "string" ? model : undefined,
    });
    screen.setAside(chat.models.name() ?? "no model");
    stops.unshift(announceStates(host, screen, mcp.tells), trackStatus(host, style, screen.setStatus));
    const others: readonly LineHandler[] = [mcp, ...chat.handlers];
    const own = createShellLines(screen, others, { clear: screen.clear, leave: () => leave("asked") });
    handlers = [own, ...others];
    runner.start(handlers);
    void host.connectAll();
    const how = await left;
    runner.cancel();
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
