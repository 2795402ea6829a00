import type { Completion, CompletionArgument, PromptResult, WaitOptions } from "../../model/index.ts";
import type { ListOptions, ServerPrompt } from "./list-offers.ts";

/** Prompts: message templates that servers fill in. */
export interface HostPrompts {
  /** Lists the prompts of one server, or of every server that may run. Cached and refreshed as tools are. */
  list(server?: string, options?: ListOptions): Promise<ServerPrompt[]>;
  /** Returns the prompt's messages. The server fills in the arguments. */
  get(
    server: string,
    prompt: string,
    args?: Readonly<Record<string, string>>,
    options?: WaitOptions,
  ): Promise<PromptResult>;
  /** Returns the server's suggestions for an argument of a prompt. */
  complete(
    server: string,
    prompt: string,
    argument: CompletionArgument,
    options?: WaitOptions,
  ): Promise<Completion>;
}
