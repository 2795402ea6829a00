import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Sandbox } from "./sandbox.ts";

const program = fileURLToPath(new URL("../../dist/surfaces/cli/main.cjs", import.meta.url));

/** `script` of util-linux runs a program on its own terminal. */
export const hasTerminal: boolean = /util-linux/.test(
  spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "",
);

export interface Typed {
  readonly screen: string;
  readonly code: number | null;
}

/** Runs the built program on a terminal and types `answer` each time `question` appears on the screen. */
export async function onTerminal(
  sandbox: Sandbox,
  words: string,
  answer: string,
  question = "[y/N]",
  columns = 100,
): Promise<Typed> {
  const command = `stty cols ${columns}; exec "${process.execPath}" "${program}" ${words}`;
  const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    cwd: sandbox.project,
    env: { ...sandbox.env(), TERM: "xterm" },
  });
  let screen = "";
  let asked = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
    for (const questions = screen.split(question).length - 1; asked < questions; asked += 1)
      child.stdin.write(answer);
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { screen: screen.replaceAll("\r\n", "\n"), code };
}
