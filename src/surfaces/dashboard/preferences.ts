/** The person's choices in this browser. A browser without storage uses the defaults. */

export type Theme = "system" | "light" | "dark";

const THEME = "plugboard.theme";
const SHORTCUTS = "plugboard.shortcuts";

export function storedTheme(): Theme {
  const value = read(THEME);
  return value === "light" || value === "dark" ? value : "system";
}

/** Applies and stores it. */
export function setTheme(theme: Theme): void {
  write(THEME, theme);
  applyTheme(theme);
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", theme);
}

export const storedShortcuts = (): boolean => read(SHORTCUTS) !== "off";
export const storeShortcuts = (isOn: boolean): void => write(SHORTCUTS, isOn ? "on" : "off");

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // storage is turned off
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It applies until the page is closed.
  }
}
