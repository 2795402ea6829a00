/** A key that inserts no text. Characters with Ctrl or Alt are `char`. */
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

/** A keyboard event. */
export type Key =
  | { readonly kind: "text"; readonly text: string }
  /** Pasted text. Line breaks are `\n`. */
  | { readonly kind: "paste"; readonly text: string }
  | {
      readonly kind: "key";
      readonly name: KeyName;
      /** The character of a `char` key, in lower case. */
      readonly char?: string;
      readonly ctrl?: boolean;
      readonly alt?: boolean;
      readonly shift?: boolean;
    };

/** Returns a short name such as `ctrl+a`, `alt+left` or `enter`. Returns an empty string for text and pastes. */
export function keyLabel(key: Key): string {
  if (key.kind !== "key") return "";
  const { name, char = "", ctrl, alt, shift } = key;
  const base = name === "char" ? char : name;
  return `${ctrl ? "ctrl+" : ""}${alt ? "alt+" : ""}${shift ? "shift+" : ""}${base}`;
}
