import {
  type ExpansionRules,
  type InputRequest,
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonValue,
  type Transport,
} from "../../model/index.ts";
import {
  COMMON_FIELDS,
  explicit,
  hasText,
  inputsNeeded,
  keepFields,
  noteUnknown,
  own,
  type TransportFacts,
  textsIn,
} from "../map-fields.ts";
import type { MappedEntry } from "../provider.ts";
import { Verdict } from "../verdict.ts";

/** `${env:VAR}`, the folders of a workspace, and what a person is asked for. */
export const VSCODE_EXPANSION: ExpansionRules = { syntaxes: ["env", "folders", "input"], unset: "empty" };

const NAMES = { ...COMMON_FIELDS, envFile: "envFile", oauth: "oauth", sandboxEnabled: "sandbox" };
const KNOWN: ReadonlySet<string> = new Set([...Object.keys(NAMES), "type", "dev", "gallery", "version"]);

export interface VsCodeRules {
  /** What the same file says of values that a person is asked for, by id. */
  readonly inputs: ReadonlyMap<string, JsonObject>;
  /** What is tried for HTTP, in order. */
  readonly candidates?: readonly Transport[];
}

/** One entry by VS Code's rules; `disabled` and its like are kept elsewhere and mean nothing here. */
export function mapVsCodeEntry(entry: JsonObject, { inputs, candidates }: VsCodeRules): MappedEntry {
  const verdict = new Verdict();
  const transport = transportOf(entry, candidates, verdict);
  noteUnknown(entry, KNOWN, verdict);
  const type = transport?.kind ?? own(entry, "type");
  const env = own(entry, "env");
  const fields = {
    ...(type !== undefined && { type }),
    ...keepFields(entry, NAMES),
    ...(isJsonObject(env) && { env: numbersAsTexts(env) }),
  };
  const asked = inputsNeeded(fields).map((id) => inputOf(id, inputs));
  return {
    fields,
    ...(transport && { transport }),
    owner: verdict.result(),
    ...(asked.length > 0 && { inputs: asked }),
  };
}

/** A type is wanted but missed by nobody: a command is stdio, a url is HTTP. */
function transportOf(
  entry: JsonObject,
  candidates: readonly Transport[] | undefined,
  verdict: Verdict,
): TransportFacts | undefined {
  const type = own(entry, "type");
  const command = hasText(entry, "command");
  const url = hasText(entry, "url");
  if (command && url) verdict.note("command-and-url");
  const http = (reason: string): TransportFacts => ({
    kind: "http",
    reason,
    ...(candidates && { candidates }),
  });
  if (type === undefined) {
    if (command) return { kind: "stdio", reason: "it has a command and no type" };
    if (url) return http("it has a url and no type");
    verdict.refuse("missing-command");
    return undefined;
  }
  if (type !== "stdio" && type !== "http" && type !== "sse") {
    verdict.refuse("unknown-type");
    return undefined;
  }
  if (type === "stdio" && !command) verdict.refuse("missing-command");
  if (type !== "stdio" && !url) verdict.refuse("missing-url");
  return type === "http" ? http(`"type": "http"`) : explicit(type, type);
}

/** A variable may be a number, or null to take it away. */
function numbersAsTexts(env: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, typeof value === "number" ? String(value) : value]),
  );
}

const INPUT_TYPES: Readonly<Record<string, NonNullable<InputRequest["type"]>>> = {
  promptString: "string",
  pickString: "pick",
  command: "command",
};

/** `inputs` of a file, by id. */
export function inputsById(value: JsonValue | undefined): Map<string, JsonObject> {
  return new Map(
    itemsOf(value)
      .filter(isJsonObject)
      .flatMap((input): [string, JsonObject][] => {
        const id = own(input, "id");
        return typeof id === "string" ? [[id, input]] : [];
      }),
  );
}

function inputOf(id: string, inputs: ReadonlyMap<string, JsonObject>): InputRequest {
  const declared = inputs.get(id);
  if (declared === undefined) return { id };
  const { type, description, default: preset, password } = declared;
  const kind = typeof type === "string" && Object.hasOwn(INPUT_TYPES, type) ? INPUT_TYPES[type] : undefined;
  const options = optionsIn(own(declared, "options"));
  return {
    id,
    ...(kind && { type: kind }),
    ...(password === true && { secret: true }),
    ...(options.length > 0 && { options }),
    ...(typeof preset === "string" && { default: preset }),
    ...(typeof description === "string" && { description }),
  };
}

/** Texts, or objects with a value. */
function optionsIn(value: JsonValue | undefined): string[] {
  return textsIn(itemsOf(value).map((item) => (isJsonObject(item) ? (own(item, "value") ?? null) : item)));
}
