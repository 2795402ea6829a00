import { toContentPart } from "../../bridge/index.ts";
import {
  HostError,
  isJsonObject,
  isList,
  itemsOf,
  type JsonObject,
  type JsonValue,
  nearest,
  type PromptDefinition,
  type PromptMessage,
  type PromptResult,
  type Server,
  someNames,
} from "../../model/index.ts";
import { type CallContext, isWrapped, withMeta, wrapCall } from "../calls/wrap-call.ts";
import { onServer, unlessCancelled } from "../lifecycle/on-server.ts";
import { useServer } from "../lifecycle/use-server.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";

const MOST_MESSAGES = 1_000;

/** Checks that all required arguments are given, then requests the prompt from its server. */
export function getPrompt(
  workspace: Workspace,
  serverName: string,
  promptName: string,
  args: PromptArguments,
  context: CallContext,
): Promise<PromptResult> {
  if (!isWrapped(workspace)) return requestPrompt(workspace, serverName, promptName, args, context);
  return wrapCall(workspace, {
    kind: "prompt",
    server: serverName,
    tool: promptName,
    context,
    async check() {
      await unlessCancelled(context.signal, () => useServer(workspace, serverName), serverName);
      return args;
    },
    make: (changed) =>
      changed === undefined
        ? requestPrompt(workspace, serverName, promptName, args, context)
        : requestPrompt(workspace, serverName, promptName, toTexts(changed.args), withMeta(context, changed)),
  });
}

type PromptArguments = Readonly<Record<string, string>>;

/** Arguments of prompts are strings. */
function toTexts(args: JsonObject): PromptArguments {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]));
}

function requestPrompt(
  workspace: Workspace,
  serverName: string,
  promptName: string,
  args: PromptArguments,
  { signal, meta }: CallContext,
): Promise<PromptResult> {
  return onServer(workspace, { server: serverName, signal }, async ({ use, connect }) => {
    const prepare = async () => {
      const server = await use();
      checkArguments(await findPrompt(workspace, server, promptName), args, serverName);
      return { connection: await connect(), timeoutMs: server.timeoutMs };
    };
    const { connection, timeoutMs } = await unlessCancelled(signal, prepare, serverName);
    const named = { name: promptName, arguments: args };
    const params = meta === undefined ? named : { ...named, _meta: meta };
    return toResult(await connection.request("prompts/get", params, { timeoutMs, signal }));
  });
}

/** Finds a prompt. If the cached list does not contain it, reads the list from the server, because the prompt may be new. */
async function findPrompt({ catalogs }: Workspace, server: Server, name: string): Promise<PromptDefinition> {
  const subject = catalogSubject(server);
  const hasName = (prompt: PromptDefinition): boolean => prompt.name === name;
  const cached = (await catalogs.peek(subject))?.catalog.prompts.find(hasName);
  if (cached !== undefined) return cached;
  const { prompts } = (await catalogs.refresh(subject)).catalog;
  const prompt = prompts.find(hasName);
  if (prompt !== undefined) return prompt;
  const names = prompts.map((candidate) => candidate.name);
  const close = nearest(name, names);
  let hint = names.length === 0 ? "It offers no prompts." : `It offers ${someNames(names)}.`;
  if (close !== undefined) hint = `Did you mean "${close}"?`;
  const message = `Server "${server.name}" has no prompt "${name}".`;
  throw new HostError("PROMPT_UNKNOWN", message, { server: server.name, hint });
}

/** Throws if a required argument is missing. Arguments that the prompt does not declare are allowed; the server validates them. */
function checkArguments(
  { name, arguments: known }: PromptDefinition,
  args: PromptArguments,
  server: string,
): void {
  const missing = known.filter((argument) => argument.required && args[argument.name] === undefined);
  if (missing.length === 0) return;
  const names = missing.map((argument) => `"${argument.name}"`).join(", ");
  throw new HostError("PROMPT_ARGUMENTS_INVALID", `Prompt "${name}" needs ${names}.`, {
    server,
    hint: `It takes ${known.map((argument) => argument.name).join(", ")}.`,
  });
}

function toResult({ description, messages }: JsonObject): PromptResult {
  const items = itemsOf(messages);
  return {
    ...(typeof description === "string" && { description }),
    messages: firstMessages(items),
  };
}

function firstMessages(items: readonly JsonValue[]): PromptMessage[] {
  const messages: PromptMessage[] = [];
  for (const item of items.slice(0, MOST_MESSAGES)) {
    if (messages.length >= MOST_MESSAGES) break;
    messages.push(...toMessages(item));
  }
  return messages.slice(0, MOST_MESSAGES);
}

/** Splits a message with several parts into one message per part. */
function toMessages(value: JsonValue): PromptMessage[] {
  if (!isJsonObject(value)) return [];
  const { role, content } = value;
  const pieces = isList(content) ? content : [content];
  return pieces
    .slice(0, MOST_MESSAGES)
    .flatMap((piece) =>
      piece === undefined
        ? []
        : [{ role: role === "assistant" ? "assistant" : "user", content: toContentPart(piece) }],
    );
}
