import { absoluteFolders } from "../folder-lists.ts";

interface OwnProgram {
  readonly command: string;
  readonly options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv };
}

/**
 * A program of the system that is started for our own needs. The working folder must not choose it: Windows looks for a bare name
 * there first, other systems do if PATH has relative folders.
 */
export function ownProgram(name: string, platform: string = process.platform): OwnProgram {
  if (platform === "win32") {
    const root = process.env["SystemRoot"] ?? "C:\\Windows";
    return { command: `${root}\\System32\\${name}.exe`, options: { cwd: root, env: process.env } };
  }
  return { command: name, options: { cwd: "/", env: { ...process.env, PATH: ownPath() } } };
}

export function ownPath(): string {
  return absoluteFolders(process.env["PATH"] ?? "") || "/usr/bin:/bin";
}
