import { type Host, HostError, type InputRequest, type JsonObject, type JsonValue } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext } from "../command.ts";
import { askInput } from "../input/ask-inputs.lazy.ts";
import { renderChoices } from "../render/approval.ts";
import { askWithChoices, readSandbox } from "../sandbox-choice.ts";
import { usageError } from "../usage-error.ts";
import { type AddWords, readExtraFields } from "./add-request.ts";
import type { AddSource } from "./add-source.ts";
import { find } from "./find-source.ts";
import { asPlainTexts, refersToThisMachine } from "./install-link.ts";

/** Builds the entry of a registry server, a website's server, a bundle or an install link, shows the whole launch, and asks. Starts nothing. */
export async function readFromSource(
  context: CommandContext,
  host: Host,
  source: AddSource,
): Promise<AddWords> {
  const { terminal, style } = context;
  const given = typeof context.flags["name"] === "string" ? context.flags["name"] : undefined;
  const { name, server: found, inputs, install } = await find(context, host, source);
  const extras = readExtraFields(context.flags, found["command"] === undefined);
  const server = withoutNamed(found, extras);
  const wanted = given ?? name;
  const wrong = host.config.checkName(wanted);
  if (wrong !== undefined) throw usageError(`Invalid server config: ${wrong}`, "Choose a name with --name.");
  const required = inputs.filter((input) => input.required === true && isUsed(input.id, server));
  const secrets = required.filter(({ secret }) => secret === true);
  const show = (launch: JsonObject): void =>
    terminal.err(`${style.bold("This server would be added:")}\n${describeLaunch(launch)}`);
  const canAsk = context.hostAsks === true || (terminal.canAnswer() && terminal.errIsTty());
  if (required.length > 0 && (context.json || !canAsk)) {
    show(withExtras(server, extras));
    throw new HostError(
      "INTERACTION_REQUIRED",
      `"${wanted}" requires values: ${required.map(({ id }) => safeLine(id)).join(", ")}.`,
      { hint: `Run the command on a terminal${describeOptions(required, server)}.` },
    );
  }
  // The user decides by the launch that is shown, so everything but the secrets is filled in before.
  const texts = new Map<string, Answer>();
  for (const input of required)
    if (input.secret !== true) texts.set(input.id, { text: await ask(context, input), isSecret: false });
  const names = new Map(
    secrets.map(({ id }) => [id, { text: `${wanted}/${id}`, isSecret: true }] satisfies [string, Answer]),
  );
  const filled = withExtras(withoutOptional(fill(asPlainEntry(fill(server, texts)), names), inputs), extras);
  const sandbox = readSandbox(context.flags["sandbox"]);
  const offered =
    sandbox === undefined && filled["command"] !== undefined && filled["sandbox"] === undefined
      ? await host.sandbox.offered()
      : [];
  let launch = filled;
  show(launch);
  if (context.flags["yes"] !== true) {
    if (offered.length > 0) terminal.err(`\n${renderChoices(offered, style).join("\n")}\n\n`);
    const question = `Add it as "${safeLine(wanted)}"?`;
    const answer = context.json ? undefined : await askWithChoices(context, question, offered);
    const chosen = typeof answer === "number" ? offered[answer]?.sandbox : undefined;
    if (chosen !== undefined) launch = { ...launch, sandbox: chosen };
    if (typeof answer !== "number")
      throw new HostError("INTERACTION_REQUIRED", "Nothing was added.", {
        ...(answer === undefined && { hint: "Review the launch, then add --yes." }),
      });
  }
  await install?.();
  for (const input of secrets) await host.secrets.store(`${wanted}/${input.id}`, await ask(context, input));
  return { name: wanted, server: launch, needs: [] };
}

/** Every field, one per line. Nothing is shortened, because the user decides by it. */
function describeLaunch(server: JsonObject): string {
  return Object.entries(server)
    .map(
      ([key, value]) =>
        `  ${key.padEnd(8)} ${safeLine(typeof value === "string" ? value : JSON.stringify(value))}\n`,
    )
    .join("");
}

/** The variables and headers that options name replace those of the source. */
const NAMED = ["env", "headers"] as const;

function withoutNamed(server: JsonObject, extras: JsonObject): JsonObject {
  const kept = NAMED.flatMap((key) => {
    const [own, given] = [server[key], extras[key]];
    if (own === undefined || given === undefined) return [];
    return [
      [
        key,
        Object.fromEntries(
          Object.entries(own as JsonObject).filter(([name]) => !Object.hasOwn(given as JsonObject, name)),
        ),
      ],
    ];
  });
  return { ...server, ...Object.fromEntries(kept) };
}

function withExtras(server: JsonObject, extras: JsonObject): JsonObject {
  const named = NAMED.flatMap((key) =>
    extras[key] === undefined
      ? []
      : [[key, { ...(server[key] as JsonObject | undefined), ...(extras[key] as JsonObject) }]],
  );
  return { ...server, ...extras, ...Object.fromEntries(named) };
}

/** Returns whether the entry has the placeholder `{id}`, or a variable or header with this name and without a value. */
function isUsed(id: string, server: JsonObject): boolean {
  return isNamed(id, server) || JSON.stringify(server).includes(`{${id}}`);
}

function isNamed(id: string, server: JsonObject): boolean {
  return NAMED.some((key) => (server[key] as JsonObject | undefined)?.[id] === "");
}

/** Returns the options that give the missing values, as the end of a sentence. Empty if one cannot be given as an option. */
function describeOptions(missing: readonly InputRequest[], server: JsonObject): string {
  if (!missing.every(({ id }) => isNamed(id, server))) return "";
  const option = server["command"] === undefined ? "--header" : "--env";
  const words = missing.map(
    ({ id, secret }) => `${option} ${safeLine(id)}=${secret === true ? "env:<NAME>" : "<value>"}`,
  );
  return `, or add ${words.join(" ")}`;
}

async function ask({ terminal, signal }: CommandContext, input: InputRequest): Promise<string> {
  const text = await askInput(terminal, { type: "string", ...input }, signal);
  if (text === undefined || text === "")
    throw usageError(`${safeLine(input.id)} is required. Nothing was added.`);
  return text;
}

/** A typed text is a text. Together with the registry's it must not become a reference either. */
function asPlainEntry(server: JsonObject): JsonObject {
  if (refersToThisMachine(server))
    throw usageError(
      "The launch refers to variables, secrets or commands of this machine. Nothing was added.",
    );
  return Object.fromEntries(
    Object.entries(server).map(([key, value]) => [
      key,
      key === "env" || key === "headers" ? asPlainTexts(value) : value,
    ]),
  );
}

/** Omits the variables, headers and arguments whose optional value was not given. */
function withoutOptional(server: JsonObject, inputs: readonly InputRequest[]): JsonObject {
  const optional = inputs.filter(({ required }) => required !== true).map(({ id }) => id);
  const isUnset = (text: JsonValue): boolean => optional.some((id) => text === `{${id}}`);
  return Object.fromEntries(
    Object.entries(server).map(([key, value]) => {
      if (key === "args" && Array.isArray(value))
        return [key, (value as readonly JsonValue[]).filter((word) => !isUnset(word))];
      if (key !== "env" && key !== "headers") return [key, value];
      const given = Object.entries(value as JsonObject).filter(
        ([name, text]) => !isUnset(text) && !(text === "" && optional.includes(name)),
      );
      return [key, Object.fromEntries(given)];
    }),
  );
}

interface Answer {
  /** The text, or the name of the stored secret. */
  readonly text: string;
  readonly isSecret: boolean;
}

/** Puts the answers in place of `{id}`, and of empty variables and headers. Values are not filled in again. */
function fill(server: JsonObject, answers: ReadonlyMap<string, Answer>): JsonObject {
  const inText = (text: string, canRefer: boolean): string =>
    text.replaceAll(/\{([\w.-]+)\}/g, (whole, id: string) => {
      const answer = answers.get(id);
      if (answer === undefined) return whole;
      if (answer.isSecret && !canRefer)
        throw usageError(
          `${id} is a secret in an argument or the URL, which cannot refer to a stored secret.`,
        );
      return answer.isSecret ? `\${keychain:${answer.text}}` : answer.text;
    });
  const named = (values: JsonValue): JsonObject =>
    Object.fromEntries(
      Object.entries(values as JsonObject).map(([key, value]) => {
        const answer = value === "" ? answers.get(key) : undefined;
        if (answer === undefined) return [key, inText(String(value), true)];
        return [key, answer.isSecret ? `keychain:${answer.text}` : answer.text];
      }),
    );
  return Object.fromEntries(
    Object.entries(server).map(([key, value]) => {
      if (key === "env" || key === "headers") return [key, named(value)];
      if (key === "args" && Array.isArray(value))
        return [key, (value as readonly JsonValue[]).map((word) => inText(String(word), false))];
      return [key, typeof value === "string" ? inText(value, false) : value];
    }),
  );
}
