import {
  type FileUpdate,
  parseJson,
  removeJsonMember,
  setJsonMember,
  updateFiles,
} from "../documents/index.ts";
import { HostError, isJsonObject, type JsonObject, type JsonValue, messageOf } from "../model/index.ts";
import type { Ports } from "../platform/index.ts";

/** One change of a native file: set a member, or remove it where the value is `undefined`. */
export interface NativeEdit {
  readonly path: readonly string[];
  readonly value: JsonValue | undefined;
}

/** Looks at the file as it is under the lock and says what to change; a throw leaves it untouched. */
export type DecideEdits = (current: JsonObject) => readonly NativeEdit[];

const BOM = "\ufeff";

/** A native file, and what to change in it. */
export interface NativeFileEdit {
  readonly file: string;
  readonly decide: DecideEdits;
}

/**
 * Changes a native config file and nothing else in it: comments, order, indentation, line ends and mode stay. A file that
 * does not parse is not touched; the error names the place.
 */
export function editNativeFile(ports: Ports, file: string, decide: DecideEdits): Promise<void> {
  return editNativeFiles(ports, [{ file, decide }]);
}

/** Changes several native files, and other files with them: all of them or none. */
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
      hint: "Check that the folder exists, is yours, and has room.",
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
        hint: "Mend it by hand first.",
      },
    );
  }
  if (!isJsonObject(value)) {
    throw new HostError("CONFIG_INVALID", `${file} must hold an object; it was not changed.`);
  }
  return value;
}
