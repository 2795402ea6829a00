import { spawn } from "node:child_process";

const NOT_FOUND = 127;

/** Shows a text with the user's pager. Resolves with whether the pager could be started. */
export function runPager(pager: string, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(pager, {
      shell: true, // as git and man do, because the variable may contain options
      stdio: ["pipe", "inherit", "inherit"],
      env: { LESS: "FRX", ...process.env },
    });
    // Ctrl-C belongs to the pager.
    const handlers = process.listeners("SIGINT");
    const ignore = (): void => {};
    process.on("SIGINT", ignore);
    for (const handler of handlers) process.removeListener("SIGINT", handler);
    const end = (hasStarted: boolean): void => {
      for (const handler of handlers) process.on("SIGINT", handler);
      process.removeListener("SIGINT", ignore);
      resolve(hasStarted);
    };
    child.once("error", () => end(false));
    child.once("close", (code) => end(code !== NOT_FOUND));
    child.stdin.on("error", () => {}); // the user left the pager early
    child.stdin.end(text);
  });
}
