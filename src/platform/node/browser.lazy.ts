import { spawn } from "node:child_process";
import { systemProgram } from "./system-program.ts";

/** An opener that runs this long without failing counts as started. */
const GRACE_MS = 1_500;

/** Opens an http or https URL. Uses no shell, so that the URL cannot contain commands. */
export function openInBrowser(url: URL, platform: string = process.platform): Promise<boolean> {
  if (url.protocol !== "https:" && url.protocol !== "http:") return Promise.resolve(false);
  const [name, ...args] = openerFor(platform);
  const { command, options } = systemProgram(name, platform);
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url.href], {
      ...options,
      detached: true,
      stdio: "ignore",
      windowsHide: true,
    });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
    setTimeout(() => resolve(true), GRACE_MS).unref();
    child.unref();
  });
}

function openerFor(platform: string): readonly [string, ...string[]] {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}
