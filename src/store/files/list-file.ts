import { updateFile } from "../../documents/index.ts";
import { HostError, isJsonObject, isList, messageOf } from "../../model/index.ts";
import type { Ports } from "../../platform/index.ts";

/** A file with one list. Several processes can change it. */
export interface ListFile<T> {
  readonly path: string;
  read(): Promise<readonly T[]>;
  /** Replaces the list with what `change` returns. The file does not change if that is the same list. */
  update(change: (list: readonly T[]) => readonly T[]): Promise<void>;
}

/** Opens a list. Only this program writes the file, and only its user can, so the items are not checked again. */
export function createListFile<T>(ports: Ports, path: string, onChange: () => void = () => {}): ListFile<T> {
  const parse = (text: string): readonly T[] => {
    try {
      const value: unknown = JSON.parse(text);
      if (isJsonObject(value) && value["version"] === 1 && isList(value["items"]))
        return value["items"] as unknown as readonly T[];
      throw new Error("it does not contain a list of this version");
    } catch (cause) {
      throw new HostError("STATE_UNREADABLE", `${path} cannot be read: ${messageOf(cause)}`, {
        hint: "Restore it from a backup.",
        cause,
      });
    }
  };
  return {
    path,
    async read() {
      const bytes = await ports.files.read(path);
      return bytes === undefined ? [] : parse(new TextDecoder().decode(bytes));
    },
    async update(change) {
      await updateFile(ports, path, (text) => {
        const before = text === undefined ? [] : parse(text);
        const items = change(before);
        return items === before ? undefined : `${JSON.stringify({ version: 1, items })}\n`;
      });
      onChange();
    },
  };
}
