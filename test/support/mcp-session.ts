import { createHost, type Host, type HostOptions } from "../../src/index.ts";
import { createMcpHandler } from "../../src/surfaces/tui/mcp/mcp-handler.ts";
import { createQuestions, type QuestionsOptions } from "../../src/surfaces/tui/questions/questions.ts";
import type { Sandbox } from "./sandbox.ts";
import { type Asked, createScriptedScreen, type ScriptedScreen } from "./scripted-screen.ts";

export interface McpSession extends AsyncDisposable {
  readonly host: Host;
  readonly screen: ScriptedScreen;
  /** Returns what the line printed, including background work. */
  type(line: string, signal?: AbortSignal): Promise<string>;
  /** The same, without waiting for background work. */
  begin(line: string, signal?: AbortSignal): Promise<void>;
}

export interface McpSessionOptions extends HostOptions {
  /** The user's answer to each question. */
  readonly reply?: (asked: Asked) => unknown;
  readonly complete?: QuestionsOptions["complete"];
}

/** `/mcp` and its questions on a real host, with scripted answers. No browser opens unless `ports` says so. */
export async function openMcpSession(
  sandbox: Sandbox,
  { reply = unexpected, complete, ...options }: McpSessionOptions = {},
): Promise<McpSession> {
  const screen = createScriptedScreen(reply);
  const questions = createQuestions(screen, {
    host: () => host,
    cwd: sandbox.project,
    home: sandbox.home,
    ...(complete && { complete }),
  });
  const hostOptions: HostOptions = {
    cwd: sandbox.project,
    env: sandbox.env(),
    ports: { browser: { open: async () => false } },
    ...questions,
    ...options,
  };
  const host = await createHost(hostOptions);
  const handler = createMcpHandler({ host, screen, hostOptions });
  const begin = (line: string, signal = new AbortController().signal): Promise<void> =>
    handler.run(line, signal);
  return {
    host,
    screen,
    begin,
    async type(line, signal) {
      const before = screen.printed().length;
      await begin(line, signal);
      await handler.settled();
      return screen.printed().slice(before).replace(/^\n/, "");
    },
    [Symbol.asyncDispose]: () => host.close(),
  };
}

function unexpected({ title }: Asked): never {
  throw new Error(`nobody expected: ${title}`);
}
