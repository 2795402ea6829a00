import { setImmediate as nextTurn } from "node:timers/promises";
import { type SamplingAnswer, type SamplingContent, type SamplingRequest, safeLine } from "../../../index.ts";
import { renderError } from "../../cli/render/error.ts";
import type { Screen } from "../screen.ts";
import { quoted, quotedPieces } from "./server-text.ts";

const MOST_SHOWN = 4_000;

/** Has a model answer; `undefined` where there is none. */
export type CompleteSampling = (
  request: SamplingRequest,
  signal: AbortSignal,
) => Promise<SamplingAnswer | undefined>;

/** A server asks for a model's answer. It is made only when the person agrees, and sent only when they have seen it. */
export async function askSampling(
  screen: Screen,
  request: SamplingRequest,
  complete: CompleteSampling | undefined,
  signal: AbortSignal,
): Promise<SamplingAnswer | undefined> {
  const { style } = screen;
  const server = safeLine(request.server);
  if (complete === undefined) return refuse(screen, server);
  screen.print(`${style.warn("?")} ${style.bold(server)} asks your model`);
  const asked = describe(request);
  screen.print(quoted(asked, MOST_SHOWN));
  const title = `Let the model answer ${server}?`;
  if (!(await agrees(screen, title, "Answer", asked, signal))) return undefined;
  const block = screen.openBlock();
  block.show([style.dim(`The model answers ${server} …`)]);
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
    `${style.dim(`${safeLine(answer.model)} would say to ${server}:`)}\n${quoted(said, MOST_SHOWN)}`,
  );
  return (await agrees(screen, `Send this to ${server}?`, "Send", said, signal)) ? answer : undefined;
}

function refuse(screen: Screen, server: string): undefined {
  const { style } = screen;
  screen.print(
    `${style.warn("!")} ${style.bold(server)} asked for a model's answer and was refused: there is no model here.`,
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
        ...(isCut ? [{ value: "all" as const, label: "Show all of it", key: "s" }] : []),
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

/** Everything that would go to the model, and what it is asked to be. */
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
    ...(modelPreferences === undefined ? [] : [`wishes ${JSON.stringify(modelPreferences)}`]),
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
