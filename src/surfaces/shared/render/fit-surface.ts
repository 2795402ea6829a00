import { shellWord } from "../shell-word.ts";

/** The seeds' advice that applies only to interactive mode. */
const WIZARD =
  /(for "([\s\S]*?)", but OAuth[^.]*\.) Use \/mcp add [\s\S]*? \(wizard\) or configure auth manually\./;

/** Replaces advice for interactive mode with the matching commands of the command line. */
export function fitSurface(text: string, program: string): string {
  if (program === "/mcp") return text;
  return text.replace(WIZARD, (_, said: string, server: string) => {
    const name = shellWord(server);
    return `${said} Set "oauth" or a header in its config file, or add it again: ${program} remove ${name}, then ${program} add ${name} --url <url> --token env:<NAME>.`;
  });
}
