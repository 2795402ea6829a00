import {
  type FileUpdate,
  parseJson,
  removeJsonMember,
  setJsonMember,
  updateFiles,
} from "../documents/index.ts";
import { HostError, isJsonObject, type JsonObject, type JsonValue, messageOf } from "../model/index.ts";
import type { Ports } from "../platform/index.ts";

/** A change to a native config file: sets a member, or removes it if the value is `undefined`. */
export interface NativeEdit {
  readonly path: readonly string[];
  readonly value: JsonValue | undefined;
}

/**
 * Returns the changes to make. Called with the current content while the file is locked. If it throws, nothing is
 * changed.
 */
export type DecideEdits = (current: JsonObject) => readonly NativeEdit[];

const BOM = "\ufeff";

/** A native config file, and the changes to make. */
export interface NativeFileEdit {
  readonly file: string;
  readonly decide: DecideEdits;
}

/**
 * Edits a native config file. Keeps comments, order, indentation, line endings and the file mode. If the file does not
 * parse, throws an error with the position and changes nothing.
 */
export function editNativeFile(ports: Ports, file: string, decide: DecideEdits): Promise<void> {
  return editNativeFiles(ports, [{ file, decide }]);
}

/** Edits several native config files together with other files: all of them or none. */
export async function editNativeFiles(
  ports: Ports,
  edits: readonly NativeFileEdit[],
  others: readonly FileUpdate[] = [],
): Promise<void> {
  try {
    await updateFiles(ports, [...edits.map(toUpdate), ...others]);
  } catch (error) {
    if (error instanceof HostError) throw error;
    const [file = ""] = edits.map((edit) => edit.file);
    throw new HostError("CONFIG_UNWRITABLE", `${file} cannot be written: ${messageOf(error)}`, {
      hint: "Check that the folder exists, belongs to you, and has free disk space.",
      cause: error,
    });
  }
}

function toUpdate({ file, decide }: NativeFileEdit): FileUpdate {
  return {
    path: file,
    update(current) {
      const bom = current?.startsWith(BOM) ? BOM : "";
      const text = (current ?? "").slice(bom.length);
      const edits = decide(valueOf(text, file));
      if (edits.length === 0) return undefined;
      return bom + edits.reduce(applyEdit, text.trim() === "" ? "{}\n" : text);
    },
  };
}

function applyEdit(text: string, { path, value }: NativeEdit): string {
  return value === undefined ? removeJsonMember(text, path) : setJsonMember(text, path, value);
}

function valueOf(text: string, file: string): JsonObject {
  if (text.trim() === "") return {};
  const { value, problems } = parseJson(text);
  const [problem] = problems.filter(({ severity }) => severity === "error");
  if (problem !== undefined) {
    const { line, column } = problem.at;
    throw new HostError(
      "CONFIG_INVALID",
      `${file}:${line}:${column} ${problem.message}; it was not changed.`,
      {
        hint: "Fix the file first.",
      },
    );
  }
  if (!isJsonObject(value)) {
    throw new HostError("CONFIG_INVALID", `${file} must contain an object; it was not changed.`);
  }
  return value;
}
