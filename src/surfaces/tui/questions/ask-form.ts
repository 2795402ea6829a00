import {
  checkFormValue,
  type ElicitationAnswer,
  type ElicitationRequest,
  type FormField,
  type FormValue,
  type JsonValue,
} from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { Answer, Dialogs } from "../dialogs.ts";
import type { Screen } from "../screen.ts";
import { describeLimits } from "./describe-limits.ts";
import { quoted, serverText } from "./server-text.ts";

const MOST_MESSAGE = 4_000;
const MOST_SHOWN = 200;

type FormRequest = Extract<ElicitationRequest, { mode: "form" }>;
type Answers = ReadonlyMap<string, FormValue>;

/** Asks for values, one after the other. Resolves with `undefined` if the user cancels. */
export async function askFields(
  dialogs: Dialogs,
  fields: readonly FormField[],
  signal: AbortSignal,
): Promise<Answers | undefined> {
  const answers = new Map<string, FormValue>();
  for (let place = 0; ; ) {
    const field = fields[place];
    if (field === undefined) return answers;
    const before = answers.get(field.name);
    const given = await askField(dialogs, field, before, `${place + 1}/${fields.length}`, signal);
    if (given.kind === "cancel") return undefined;
    if (given.kind === "back") place = Math.max(0, place - 1);
    else {
      if (given.value !== undefined) answers.set(field.name, given.value);
      place += 1;
    }
  }
}

/** Asks the fields of a server's form, with a review before sending. Esc answers `cancel`. */
export async function askForm(
  screen: Screen,
  { server, message, fields }: FormRequest,
  signal: AbortSignal,
): Promise<ElicitationAnswer> {
  const { style, dialogs } = screen;
  const name = safeLine(server);
  screen.print(
    `${style.warn("?")} ${style.bold(name)} asks for information\n${quoted(message, MOST_MESSAGE)}`,
  );
  const answers = new Map<string, FormValue>();
  for (let place = -1; ; ) {
    const field = fields[place];
    if (place === -1 || field === undefined) {
      const isReview = place >= 0;
      const said = await dialogs.choose({
        title: isReview
          ? `Send this to ${name}?`
          : `"${name}" needs some information (${fields.length === 1 ? "1 field" : `${fields.length} fields`})`,
        lines: isReview ? review(fields, answers) : [],
        choices: [
          isReview ? { value: "on", label: "Send", key: "s" } : { value: "on", label: "Answer", key: "a" },
          { value: "decline", label: "Decline", note: "sends a refusal to the server", key: "d" },
        ] as const,
        canGoBack: isReview,
        isUnexpected: !isReview,
        signal,
      });
      if (said.kind === "cancel") return { action: "cancel" };
      if (said.kind === "back") place -= 1;
      else if (said.value === "decline") return { action: "decline" };
      else if (isReview) return { action: "accept", content: Object.fromEntries(answers) };
      else place = 0;
      continue;
    }
    const given = await askField(
      dialogs,
      field,
      answers.get(field.name),
      `${place + 1}/${fields.length}`,
      signal,
    );
    if (given.kind === "cancel") return { action: "cancel" };
    if (given.kind === "back") place -= 1;
    else {
      if (given.value === undefined) answers.delete(field.name);
      else answers.set(field.name, given.value);
      place += 1;
    }
  }
}

/** Asks one field. The value `undefined` means that the user skipped it. */
export async function askField(
  dialogs: Dialogs,
  field: FormField,
  before: FormValue | undefined,
  count: string,
  signal: AbortSignal,
): Promise<Answer<FormValue | undefined>> {
  const { kind, options = [], required, description } = field;
  const limits = describeLimits(field);
  const question = {
    title: `${labelOf(field)} (${count}${required ? "" : ", optional"})`,
    lines: [
      ...(description === undefined ? [] : serverText(description, MOST_MESSAGE).split("\n")),
      ...(limits === undefined ? [] : [limits]),
    ],
    canGoBack: true,
    signal,
  };
  const start: JsonValue | undefined = before ?? field.default;
  const skipChoice = required || field.default !== undefined ? [] : [{ value: undefined, label: "Skip" }];
  switch (kind) {
    case "boolean":
      return dialogs.choose<FormValue | undefined>({
        ...question,
        choices: [
          { value: true, label: "Yes", key: "y" },
          { value: false, label: "No", key: "n" },
          ...skipChoice,
        ],
        ...(typeof start === "boolean" && { initial: start }),
      });
    case "choice":
      return dialogs.choose<FormValue | undefined>({
        ...question,
        choices: [...options.map(({ value, title }) => ({ value, label: safeLine(title) })), ...skipChoice],
        ...(typeof start === "string" && { initial: start }),
      });
    case "choices": {
      const chosen = Array.isArray(start) ? (start as readonly string[]) : [];
      const said = await dialogs.chooseMany<string>({
        ...question,
        choices: options.map(({ value, title }) => ({ value, label: safeLine(title) })),
        initial: chosen,
        check: (values) => (isNothing(field, values) ? undefined : complaint(field, [...values])),
      });
      if (said.kind !== "value") return said;
      return { kind: "value", value: isNothing(field, said.value) ? undefined : said.value };
    }
    default: {
      const said = await dialogs.askText({
        ...question,
        ...((typeof start === "string" || typeof start === "number") && { initial: String(start) }),
        check(text) {
          const value = valueOf(field, text);
          if (value !== undefined) return complaint(field, value);
          return required ? `${labelOf(field)} is required.` : undefined;
        },
      });
      return said.kind === "value" ? { kind: "value", value: valueOf(field, said.value) } : said;
    }
  }
}

/** Returns whether an optional field without a default has no selection. */
function isNothing({ required, default: fallback }: FormField, values: readonly string[]): boolean {
  return values.length === 0 && !required && fallback === undefined;
}

/** Converts the typed text. An empty text means no answer, unless it replaces a default. */
function valueOf({ kind, default: fallback }: FormField, text: string): FormValue | undefined {
  if (kind !== "text") return text.trim() === "" ? undefined : Number(text.trim());
  return text === "" && fallback === undefined ? undefined : text;
}

function complaint(field: FormField, value: JsonValue): string | undefined {
  const wrong = checkFormValue(field, value);
  return wrong && `${labelOf(field)} ${wrong}.`;
}

function review(fields: readonly FormField[], answers: Answers): string[] {
  return fields.map((field) => {
    const value = answers.get(field.name) ?? field.default;
    const text =
      value === undefined ? "(skipped)" : typeof value === "string" ? value : JSON.stringify(value);
    return `${labelOf(field)}: ${serverText(text, MOST_SHOWN)}`;
  });
}

function labelOf({ name, title }: FormField): string {
  return serverText(safeLine(title ?? name), MOST_SHOWN);
}
