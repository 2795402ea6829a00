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
  hasString,
  inputIdsIn,
  keepFields,
  noteUnknown,
  ownMember,
  stringsIn,
  type TransportFacts,
} from "../map-fields.ts";
import type { MappedEntry } from "../provider.ts";
import { Verdict } from "../verdict.ts";

/** `${env:VAR}`, workspace folders, and values that the user is asked for. */
export const VSCODE_EXPANSION: ExpansionRules = { syntaxes: ["env", "folders", "input"], unset: "empty" };

const NAMES = { ...COMMON_FIELDS, envFile: "envFile", oauth: "oauth", sandboxEnabled: "sandbox" };
const KNOWN: ReadonlySet<string> = new Set([...Object.keys(NAMES), "type", "dev", "gallery", "version"]);

export interface VsCodeRules {
  /** The declared inputs of the file, by id. */
  readonly inputs: ReadonlyMap<string, JsonObject>;
  /** The transports to try for HTTP, in order. */
  readonly candidates?: readonly Transport[];
}

/** Maps an entry by VS Code's rules. VS Code stores `disabled` elsewhere, so it has no effect here. */
export function mapVsCodeEntry(entry: JsonObject, { inputs, candidates }: VsCodeRules): MappedEntry {
  const verdict = new Verdict();
  const transport = transportOf(entry, candidates, verdict);
  noteUnknown(entry, KNOWN, verdict);
  const type = transport?.kind ?? ownMember(entry, "type");
  const env = ownMember(entry, "env");
  const fields = {
    ...(type !== undefined && { type }),
    ...keepFields(entry, NAMES),
    ...(isJsonObject(env) && { env: numbersAsTexts(env) }),
  };
  const asked = inputIdsIn(fields).map((id) => inputOf(id, inputs));
  return {
    fields,
    ...(transport && { transport }),
    owner: verdict.result(),
    ...(asked.length > 0 && { inputs: asked }),
  };
}

/** The type is optional: a command means stdio, a url means HTTP. */
function transportOf(
  entry: JsonObject,
  candidates: readonly Transport[] | undefined,
  verdict: Verdict,
): TransportFacts | undefined {
  const type = ownMember(entry, "type");
  const command = hasString(entry, "command");
  const url = hasString(entry, "url");
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

/** Converts numbers to strings. A value may also be null, which removes the variable. */
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

/** Returns the `inputs` of a file by id. */
export function inputsById(value: JsonValue | undefined): Map<string, JsonObject> {
  return new Map(
    itemsOf(value)
      .filter(isJsonObject)
      .flatMap((input): [string, JsonObject][] => {
        const id = ownMember(input, "id");
        return typeof id === "string" ? [[id, input]] : [];
      }),
  );
}

function inputOf(id: string, inputs: ReadonlyMap<string, JsonObject>): InputRequest {
  const declared = inputs.get(id);
  if (declared === undefined) return { id };
  const { type, description, default: preset, password } = declared;
  const kind = typeof type === "string" && Object.hasOwn(INPUT_TYPES, type) ? INPUT_TYPES[type] : undefined;
  const options = optionsIn(ownMember(declared, "options"));
  return {
    id,
    ...(kind && { type: kind }),
    ...(password === true && { secret: true }),
    ...(options.length > 0 && { options }),
    ...(typeof preset === "string" && { default: preset }),
    ...(typeof description === "string" && { description }),
  };
}

/** Returns the options, which are strings or objects with a value. */
function optionsIn(value: JsonValue | undefined): string[] {
  return stringsIn(
    itemsOf(value).map((item) => (isJsonObject(item) ? (ownMember(item, "value") ?? null) : item)),
  );
}
