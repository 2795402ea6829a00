import type { JsonObject, JsonValue, ToolAnnotations, ToolInspection } from "../../../index.ts";
import { safeLine, safeText, truncate } from "../../../terminal.ts";
import { isObject } from "../json-object.ts";
import { isOption, quoteIfNeeded, shellWord } from "../shell-word.ts";
import { listParameters, type Parameter, sampleOf, typeText } from "./parameters.ts";
import type { Style } from "./style.ts";
import { displayWidth } from "./table.ts";
import { wrapIndented } from "./wrap-words.ts";

const LONGEST_DESCRIPTION = 8_000;
/** Longer names move their own line to the right, but not the others. */
const KEY_WIDTH = 16;

interface Surface {
  readonly program: string;
  readonly columns: number;
  /** The end of a command that types its server, such as `-- npx -y pkg`. */
  readonly typed?: string | undefined;
}

/** Renders everything about one tool: signature, arguments, hints, policy, cost, findings and an example call. */
export function renderToolPage(
  { server, definition, answer, rule, tokens, findings }: ToolInspection,
  style: Style,
  { columns, ...surface }: Surface,
): string {
  const parameters = listParameters(definition.inputSchema);
  const description = truncate(safeText(definition.description ?? ""), LONGEST_DESCRIPTION).trim();
  const answers = {
    allow: style.good("allowed"),
    ask: style.warn("requires approval"),
    deny: style.bad("denied"),
  };
  const cost = answer === "deny" ? "none, because no model receives this tool" : `about ${tokens} tokens`;
  const width = Math.min(KEY_WIDTH, Math.max(0, ...parameters.map(({ key }) => displayWidth(key))));
  const row = (name: string, text: string): string[] => {
    const [first = "", ...more] = wrapIndented(text, columns, 9);
    return [`${style.bold(name.padEnd(9))}${first.trimStart()}`, ...more];
  };
  return [
    `${style.bold(safeLine(server))} ${style.dim("·")} ${style.name(safeLine(definition.name))}`,
    ...wrapIndented(signatureOf(definition.name, parameters, definition.outputSchema), columns, 2),
    ...(description === "" ? [] : ["", ...wrapIndented(description, columns, 2)]),
    "",
    style.bold("Arguments"),
    ...(parameters.length === 0
      ? ["  none"]
      : parameters.flatMap((each) => renderParameter(each, width, style, columns))),
    "",
    ...row("Hints", `${hintsOf(definition.annotations)} (from the server, not verified)`),
    ...row("Policy", `${answers[answer]}: ${safeLine(rule)}`),
    ...row("Cost", cost),
    ...row("Review", findings.length === 0 ? "no suspicious text in the definition" : "suspicious text"),
    ...findings.map((what) => `  ${style.warn("!")} ${safeLine(what)}`),
    style.bold("Example"),
    exampleOf(server, definition, parameters, surface),
    "",
  ].join("\n");
}

function signatureOf(name: string, parameters: readonly Parameter[], output: JsonValue | undefined): string {
  const own = parameters.filter(({ isNested }) => !isNested);
  const list = own.map(({ key, type, isRequired }) => `${key}${isRequired ? "" : "?"}: ${type}`);
  const result = output === undefined ? "" : `: ${typeText(output, isObject(output) ? output : {})}`;
  return `${safeLine(name)}(${list.join(", ")})${result}`;
}

function renderParameter(
  { key, type, isRequired, notes, description }: Parameter,
  width: number,
  style: Style,
  columns: number,
): string[] {
  const facts = [type, isRequired ? "required" : "optional", ...notes].join(", ");
  const [first = "", ...more] = wrapIndented(facts, columns, width + 4);
  const padding = " ".repeat(Math.max(0, width - displayWidth(key)));
  return [
    `  ${style.name(key)}${padding}  ${first.trimStart()}`,
    ...more,
    ...(description === "" ? [] : wrapIndented(description, columns, width + 4).map(style.dim)),
  ];
}

const HINTS = [
  ["readOnlyHint", "only reads", "may change data"],
  ["destructiveHint", "may delete or overwrite", "does not delete"],
  ["idempotentHint", "can be repeated", "has a new effect on each call"],
  ["openWorldHint", "uses external systems", "uses no external systems"],
] as const;

function hintsOf(annotations: ToolAnnotations | undefined): string {
  const known = HINTS.flatMap(([hint, yes, no]) => {
    const value = annotations?.[hint];
    return value === undefined ? [] : [value ? yes : no];
  });
  return known.length === 0 ? "none" : known.join(", ");
}

/**
 * Returns a call with all required arguments. Names and values come from the server: they are quoted, and never mean an option or a
 * file of the user.
 */
function exampleOf(
  server: string,
  { name: tool, inputSchema }: ToolInspection["definition"],
  parameters: readonly Parameter[],
  { program, typed }: Omit<Surface, "columns">,
): string {
  const required = parameters.filter(({ isNested, isRequired }) => isRequired && !isNested);
  const takesFolder = /director|folder/i.test(tool); // list_directory(path)
  const words = required.map((parameter) => {
    const argument = argumentFor(parameter, inputSchema);
    const isFile = takesFolder && argument === `${parameter.key}=README.md`;
    return argumentWord(isFile ? `${parameter.key}=.` : argument, parameter);
  });
  const own = typed === undefined ? [shellWord(server)] : [];
  const call = [program, "call", ...own, isOption(tool) ? "<tool>" : quoteIfNeeded(tool, "<tool>"), ...words];
  return `  ${[...call, ...(typed === undefined ? [] : [typed])].join(" ")}`;
}

/** Quotes an argument. A key that `call` would read in another way, such as `--input` or `a=@file`, cannot be typed. */
function argumentWord(argument: string, { key }: Parameter): string {
  const placeholder = "<key=value>";
  return isOption(key) || /[=:]/.test(key) ? placeholder : quoteIfNeeded(argument, placeholder);
}

function argumentFor({ key, schema }: Parameter, root: JsonObject): string {
  const value = sampleOf(schema, root, key);
  const isPlain = typeof value === "string" ? !value.startsWith("@") : typeof value === "number"; // `@` would read a file
  return isPlain || value === true ? `${key}=${String(value)}` : `${key}:=${JSON.stringify(value)}`;
}
