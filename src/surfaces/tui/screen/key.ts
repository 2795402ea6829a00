/** A key that writes nothing by itself; letters with Ctrl or Alt are `char`. */
export type KeyName =
  | "enter"
  | "tab"
  | "escape"
  | "backspace"
  | "delete"
  | "up"
  | "down"
  | "left"
  | "right"
  | "home"
  | "end"
  | "pageUp"
  | "pageDown"
  | "char";

/** What a person did at the keyboard. */
export type Key =
  | { readonly kind: "text"; readonly text: string }
  /** Pasted as a whole, line ends as `\n`. */
  | { readonly kind: "paste"; readonly text: string }
  | {
      readonly kind: "key";
      readonly name: KeyName;
      /** The letter of a `char`, in lower case. */
      readonly char?: string;
      readonly ctrl?: boolean;
      readonly alt?: boolean;
      readonly shift?: boolean;
    };

/** A short name to switch on: `ctrl+a`, `alt+left`, `shift+tab`, `enter`. Text and pastes have none. */
export function keyLabel(key: Key): string {
  if (key.kind !== "key") return "";
  const { name, char = "", ctrl, alt, shift } = key;
  const base = name === "char" ? char : name;
  return `${ctrl ? "ctrl+" : ""}${alt ? "alt+" : ""}${shift ? "shift+" : ""}${base}`;
}
