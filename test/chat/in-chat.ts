import type { Host, HostOptions } from "../../src/index.ts";
import { type ChatParts, createChatParts } from "../../src/surfaces/tui/chat/index.ts";
import type { Answer } from "../../src/surfaces/tui/dialogs.ts";
import type { LineHandler } from "../../src/surfaces/tui/line-handler.ts";
import { type ModelServer, startModel } from "../adapters/model-server.ts";
import { hostIn } from "../flow/host-in.ts";
import { createFakeScreen, type FakeScreen } from "../support/fake-screen.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

export interface InChat {
  readonly host: Host;
  readonly model: ModelServer;
  readonly screen: FakeScreen;
  readonly parts: ChatParts;
  /** Types a line and runs the handler that accepts it. */
  enter(line: string, signal?: AbortSignal): Promise<void>;
  /** Returns completions at the end of the line. */
  complete(line: string): Promise<{ from: number; texts: string[] } | undefined>;
}

export interface InChatOptions {
  readonly answers?: readonly Answer<string>[];
  readonly env?: Readonly<Record<string, string>>;
  readonly host?: HostOptions;
  /** The servers that are connected at the start. Default: all. */
  readonly connect?: readonly string[];
}

/** The chat with a scripted model, a fake screen, and two real servers: `tools` and `notes`. */
export async function inChat(
  turns: Parameters<typeof startModel>[0],
  use: (chat: InChat) => Promise<void>,
  { answers = [], env, host: hostOptions = {}, connect }: InChatOptions = {},
): Promise<void> {
  await using sandbox = await createSandbox();
  await using model = await startModel(turns);
  const servers = { tools: stdioServer("tools-server.mjs"), notes: stdioServer("notes-server.mjs") };
  await using host = await hostIn(sandbox, {
    discover: false,
    servers,
    ...hostOptions,
    settings: { approval: "allow", ...hostOptions.settings },
  });
  if (connect === undefined)
    await host.connectAll(); // as interactive mode does
  else for (const name of connect) await host.tools(name);
  const screen = createFakeScreen(answers);
  const parts = createChatParts({
    host,
    screen,
    env: env ?? { OPENAI_API_KEY: "k", OPENAI_BASE_URL: `${model.url}/v1` },
    folder: sandbox.project,
    findsLocalModels: false,
  });
  await use({
    host,
    model,
    screen,
    parts,
    async enter(line, signal = new AbortController().signal) {
      const handler = parts.handlers.find((each) => each.accepts(line));
      if (handler === undefined) throw new Error(`nobody takes ${line}`);
      await handler.run(line, signal);
    },
    complete: (line) => completeWith(parts.handlers, line),
  });
}

async function completeWith(
  handlers: readonly LineHandler[],
  line: string,
): Promise<{ from: number; texts: string[] } | undefined> {
  for (const handler of handlers) {
    const found = await handler.complete?.(line, line.length, new AbortController().signal);
    if (found !== undefined) return { from: found.from, texts: found.items.map(({ text }) => text) };
  }
  return undefined;
}
