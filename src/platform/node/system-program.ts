import { absoluteFolders } from "../folder-lists.ts";

interface SystemProgram {
  readonly command: string;
  readonly options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv };
}

/**
 * Returns how to start a system program that Plugboard itself needs. The program must not come from the working folder:
 * Windows looks there first, and other systems do if PATH contains relative folders.
 */
export function systemProgram(name: string, platform: string = process.platform): SystemProgram {
  if (platform === "win32") {
    const root = process.env["SystemRoot"] ?? "C:\\Windows";
    return { command: `${root}\\System32\\${name}.exe`, options: { cwd: root, env: process.env } };
  }
  return { command: name, options: { cwd: "/", env: { ...process.env, PATH: ownPath() } } };
}

/** Returns PATH without relative folders. */
export function ownPath(): string {
  return absoluteFolders(process.env["PATH"] ?? "") || "/usr/bin:/bin";
}
