import { shellWord } from "../shell-word.ts";

/** Advice of the seeds that only interactive mode can follow. */
const WIZARD =
  /(for "([\s\S]*?)", but OAuth[^.]*\.) Use \/mcp add [\s\S]*? \(wizard\) or configure auth manually\./;

/** Replaces advice that names a command of interactive mode by one that the command line has. */
export function fitSurface(text: string, program: string): string {
  if (program === "/mcp") return text;
  return text.replace(WIZARD, (_, said: string, server: string) => {
    const name = shellWord(server);
    return `${said} Set "oauth" or a header in its config file, or add it again: ${program} remove ${name}, then ${program} add ${name} --url <url> --token env:<NAME>.`;
  });
}
