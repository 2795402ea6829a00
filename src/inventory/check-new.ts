import { type JsonObject, NATIVE_EXPANSION, type ServerDeclaration } from "../model/index.ts";
import { interpret } from "./interpret.ts";
import { RESERVED_NAMES } from "./reserved-names.ts";

const NAME = /^[a-zA-Z0-9_.-]+$/;

/** Validates a new server name: the seeds' rules, plus reserved names. Returns an error message, or `undefined` if the name is valid. */
export function checkNewName(name: string): string | undefined {
  if (name === "") return "Server name cannot be empty";
  if (name.length > 100) return "Server name is too long (max 100 characters)";
  if (!NAME.test(name)) return "Server name can only contain letters, numbers, dash, underscore and dot";
  return RESERVED_NAMES.has(name) ? `Server name "${name}" is reserved` : undefined;
}

/** Validates a new entry. Returns everything that would make it unusable or be ignored. */
export function checkNewEntry(name: string, fields: JsonObject): string[] {
  const provenance = { tool: "plugboard", scope: "user", tier: "user", file: "" } as const;
  const declaration: ServerDeclaration = {
    name,
    fields,
    provenance,
    positionOf: () => undefined,
    expansion: NATIVE_EXPANSION,
    problems: [],
  };
  const { problems } = interpret(declaration, { timeoutMs: 1, startupTimeoutMs: 1, toolsTtlMs: 1 });
  return problems
    .filter(({ code }) => code !== "transport-inferred" && code !== "name-invalid")
    .map(({ message }) =>
      message.replace(/^ ?server "[^"]*": /, "").replace(/; (?:it is ignored|\w+ is used)$/, ""),
    );
}
