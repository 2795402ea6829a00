import type { ToolsOptions } from "./host-api.ts";

/** The arguments of `host.tools`: options, or a server and options. */
export type ToolsArguments = readonly [
  serverOrOptions?: string | ToolsOptions | undefined,
  options?: ToolsOptions | undefined,
];

/** Finds the server and the options in the arguments. */
export function readToolsArguments([first, second]: ToolsArguments): {
  readonly server: string | undefined;
  readonly options: ToolsOptions;
} {
  if (typeof first === "object") return { server: undefined, options: first };
  return { server: first, options: second ?? {} };
}
