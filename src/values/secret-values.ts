import { isSecretName, type Launch, looksSecret, Secret } from "../model/index.ts";
import { placeholdersIn } from "./expand.ts";
import { isFolderVariable } from "./folder-variables.ts";
import { dropRelativeFolders } from "./relative-folders.ts";
import type { ServerTexts } from "./server-texts.ts";
import { readSource, sourceOf, UNAPPROVED, type ValueSource, variableValue } from "./value-source.ts";

type Values = Readonly<Record<string, string>>;

/** Programs cannot read such variables. Numbers would also come before the mark by which a server's processes are found. */
// oxlint-disable-next-line no-control-regex
const NOT_A_NAME = /^\d*$|[=\0]/;

/** Resolves env or header values. Omits values that stay unresolved. */
export async function secretValues(
  texts: ServerTexts,
  field: "env" | "headers",
  values: Values,
): Promise<Map<string, Secret>> {
  const filled = new Map<string, Secret>();
  for (const [key, value] of Object.entries(values)) {
    if (field === "env" && NOT_A_NAME.test(key)) {
      texts.complain(
        `env.${key}`,
        "is not passed on: a variable name must not be empty, be a number or contain =",
      );
      continue;
    }
    const found = await secretValue(texts, `${field}.${key}`, key, value);
    const text = field === "env" && found !== undefined ? fixedFolders(texts, key, value, found) : found;
    if (text !== undefined) filled.set(key, new Secret(text));
  }
  return filled;
}

/** Removes folders that became relative to the working folder by expansion. */
function fixedFolders(texts: ServerTexts, key: string, declared: string, filled: string): string | undefined {
  const { server, context } = texts;
  if (server.resolveInProject && server.provenance.tier !== "project") return filled;
  const { expansion } = server.declaration;
  const { text, dropped } = dropRelativeFolders(
    key,
    { declared, filled },
    expansion,
    context.environment.platform,
  );
  if (dropped > 0) texts.complain(`env.${key}`, describeDropped(dropped));
  return text;
}

/** Does not quote the parts, because they are values. */
function describeDropped(count: number): string {
  const parts = count === 1 ? "a folder that is" : `${count} folders that are`;
  return `skips ${parts} empty or relative after expansion, because the working folder would then decide what runs`;
}

/** Reads all values that come from commands, files or the vault, and reports problems with them. */
export async function checkSecretValues(texts: ServerTexts, launch: Launch): Promise<void> {
  if (launch.transport === "in-process") return;
  const [field, values] =
    launch.transport === "stdio" ? (["env", launch.env] as const) : (["headers", launch.headers] as const);
  const { expansion } = texts.server.declaration;
  for (const [key, value] of Object.entries(values)) {
    const source = sourceIn(texts, value);
    if (source !== undefined) await fromSource(texts, `${field}.${key}`, source);
    else if (isUnapprovedName(texts, key, value)) complainUnapproved(texts, `${field}.${key}`);
    else if (isUnsetName(texts, key, value)) complainUnset(texts, `${field}.${key}`);
    else if (placeholdersIn(value, expansion).some(({ secret }) => secret !== undefined))
      texts.fill(`${field}.${key}`, value);
  }
}

/** Only the value as written can be a source or a name. A variable's value is never interpreted again. */
async function secretValue(
  texts: ServerTexts,
  field: string,
  key: string,
  value: string,
): Promise<string | undefined> {
  const source = sourceIn(texts, value);
  if (source !== undefined) return fromSource(texts, field, source);
  if (isUnapprovedName(texts, key, value)) return complainUnapproved(texts, field);
  const named = namedVariable(texts, value);
  if (named !== undefined) {
    if (!isFolderVariable(value, texts.context.environment.platform)) texts.hide(named);
    else texts.plain.add(key);
    return named;
  }
  if (isUnsetName(texts, key, value)) complainUnset(texts, field);
  const { text, shown, complete } = texts.fill(field, value);
  if (shown === text && text !== value && !looksSecret(key, value)) texts.plain.add(key);
  return complete ? text : undefined;
}

function sourceIn({ server }: ServerTexts, value: string): ValueSource | undefined {
  return server.declaration.expansion.secretValues === true ? sourceOf(value) : undefined;
}

async function fromSource(
  texts: ServerTexts,
  field: string,
  source: ValueSource,
): Promise<string | undefined> {
  const { sources } = texts.context;
  const answer =
    sources === undefined
      ? { failed: UNAPPROVED[source.kind] }
      : await readSource(source, sources, texts.commandFolder, (path) => texts.readNamed(path));
  if ("text" in answer) {
    texts.hide(answer.text);
    return answer.text;
  }
  texts.complain(field, answer.failed, "value-dynamic");
  return undefined;
}

/** Returns the variable's value if the value is a variable's name and the format supports that. */
function namedVariable(texts: ServerTexts, value: string): string | undefined {
  return supportsNames(texts) ? variableValue(value, texts.context.environment.variables) : undefined;
}

function supportsNames({ server, context }: ServerTexts): boolean {
  return server.declaration.expansion.secretValues === true && context.sources !== undefined;
}

/** A secret such as `GITHUB_TOKEN` is probably the name of an unset variable. */
function isUnsetName(texts: ServerTexts, key: string, value: string): boolean {
  return looksLikeName(key, value) && supportsNames(texts) && namedVariable(texts, value) === undefined;
}

function looksLikeName(key: string, value: string): boolean {
  return isSecretName(key) && /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(value);
}

/** Does not quote the value, because it may be the secret itself. */
function complainUnset(texts: ServerTexts, field: string): void {
  texts.complain(field, "looks like the name of a variable that is not set, so it is sent unchanged");
}

/** Without an approval, a project gets no variables by name, and its server must not receive the name instead. */
function isUnapprovedName(texts: ServerTexts, key: string, value: string): boolean {
  const { server, context } = texts;
  if (server.declaration.expansion.secretValues !== true || context.sources !== undefined) return false;
  return variableValue(value, context.environment.variables) !== undefined || looksLikeName(key, value);
}

function complainUnapproved(texts: ServerTexts, field: string): undefined {
  texts.complain(
    field,
    "is the name of a variable that is filled in only after you approve the server",
    "value-dynamic",
  );
}
