import { setImmediate as nextTurn } from "node:timers/promises";
import type { SamplingAnswer, SamplingContent, SamplingRequest } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { renderError } from "../../shared/render/error.ts";
import type { Screen } from "../screen.ts";
import { quoted, quotedPieces } from "./server-text.ts";

const MOST_SHOWN = 4_000;

/** Requests an answer from a model. Resolves with `undefined` if there is no model. */
export type CompleteSampling = (
  request: SamplingRequest,
  signal: AbortSignal,
) => Promise<SamplingAnswer | undefined>;

/** Answers a server's sampling request. The user approves the request first, and then the answer. */
export async function askSampling(
  screen: Screen,
  request: SamplingRequest,
  complete: CompleteSampling | undefined,
  signal: AbortSignal,
): Promise<SamplingAnswer | undefined> {
  const { style } = screen;
  const server = safeLine(request.server);
  if (complete === undefined) return refuse(screen, server);
  screen.print(`${style.warn("?")} ${style.bold(server)} requests an answer from your model`);
  const asked = describe(request);
  screen.print(quoted(asked, MOST_SHOWN));
  const title = `Allow ${server} to use your model?`;
  if (!(await agrees(screen, title, "Allow", asked, signal))) return undefined;
  const block = screen.openBlock();
  block.show([style.dim(`Waiting for the model's answer to ${server} …`)]);
  let answer: SamplingAnswer | undefined;
  try {
    answer = await complete(request, signal);
  } catch (error) {
    screen.print(renderError(error, style, { verb: "", program: "/mcp" }).trimEnd());
    return undefined;
  } finally {
    block.end();
  }
  if (answer === undefined) return refuse(screen, server);
  const said = [answer.content].flat().map(contentText).join("\n");
  screen.print(
    `${style.dim(`Answer from ${safeLine(answer.model)} for ${server}:`)}\n${quoted(said, MOST_SHOWN)}`,
  );
  return (await agrees(screen, `Send this to ${server}?`, "Send", said, signal)) ? answer : undefined;
}

function refuse(screen: Screen, server: string): undefined {
  const { style } = screen;
  screen.print(
    `${style.warn("!")} ${style.bold(server)} requested an answer from a model, but no model is configured.`,
  );
}

async function agrees(
  screen: Screen,
  title: string,
  yes: string,
  whole: string,
  signal: AbortSignal,
): Promise<boolean> {
  for (let isCut = whole.length > MOST_SHOWN; ; isCut = false) {
    const answer = await screen.dialogs.choose({
      isUnexpected: true,
      title,
      choices: [
        { value: "yes" as const, label: yes, key: "y" },
        { value: "no" as const, label: "Refuse", key: "n" },
        ...(isCut ? [{ value: "all" as const, label: "Show all", key: "s" }] : []),
      ],
      initial: "no" as const,
      signal,
    });
    if (answer.kind !== "value" || answer.value === "no") return false;
    if (answer.value === "yes") return true;
    for (const piece of quotedPieces(whole)) {
      if (signal.aborted) return false;
      screen.print(piece);
      await nextTurn();
    }
  }
}

/** Describes the messages and parameters of the request. */
function describe({
  messages,
  systemPrompt,
  maxTokens,
  modelPreferences,
  tools,
  temperature,
}: SamplingRequest): string {
  const facts = [
    `at most ${maxTokens} tokens`,
    ...(temperature === undefined ? [] : [`temperature ${temperature}`]),
    ...(modelPreferences === undefined ? [] : [`preferences ${JSON.stringify(modelPreferences)}`]),
    ...(tools === undefined ? [] : [`tools ${tools.map(({ name }) => String(name)).join(", ")}`]),
  ];
  return [
    facts.join(" · "),
    ...(systemPrompt === undefined ? [] : [`[system] ${systemPrompt}`]),
    ...messages.map(({ role, content }) => `[${role}] ${content.map(contentText).join("\n")}`),
  ].join("\n");
}

function contentText(content: SamplingContent): string {
  switch (content.type) {
    case "text":
      return content.text;
    case "image":
    case "audio":
      return `[${content.type}: ${content.mimeType}]`;
    case "tool_use":
      return `[calls ${content.name} ${JSON.stringify(content.input)}]`;
    case "tool_result":
      return `[result ${JSON.stringify(content.content)}]`;
  }
}
