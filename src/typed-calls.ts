import type { CallOptions, JsonValue, ToolDefinition, ToolResult } from "./model/index.ts";
import type { GivenArguments } from "./operations/index.ts";

/** Options for `host.call`. */
export interface HostCallOptions extends CallOptions {
  /** The person to call the tool for: uses that person's sign-ins, secrets and approvals. Default: the host's own user. */
  readonly principal?: string | undefined;
}

/** Servers' tools, for typed calls. Empty, until a file that `plugboard generate types` wrote adds to it. */
export interface ServerTools {}

/** The name of a server: one with known tools, or any other. */
// oxlint-disable-next-line typescript/no-redundant-type-constituents -- generated files add keys
export type ServerName = Extract<keyof ServerTools, string> | (string & {});

/** The names of a server's tools, if they are known. */
export type ToolName<Server extends string> = Server extends keyof ServerTools
  ? Extract<keyof ServerTools[Server], string>
  : string;

/** The arguments and options of a call. The arguments are optional if the tool requires none, or is not known. */
export type CallParameters<Server extends string, Tool extends string> = [
  Member<Server, Tool, "input">,
] extends [infer Input extends object]
  ? {} extends Input
    ? [args?: TypedArguments<Input>, options?: HostCallOptions]
    : [args: TypedArguments<Input>, options?: HostCallOptions]
  : [args?: GivenArguments, options?: HostCallOptions];

/** The result of a call. `structured` has the type of the tool's output schema, if it is known. */
export type CallResult<Server extends string, Tool extends string> = ToolResult<
  [Member<Server, Tool, "output">] extends [undefined] ? JsonValue : Member<Server, Tool, "output">
>;

/** Arguments for a call, or a function that creates them from the tool's definition. */
type TypedArguments<Input> = Input | ((tool: ToolDefinition) => Input | Promise<Input>);

/** A member of a tool's entry in `ServerTools`; `undefined` if there is none. */
type Member<Server, Tool, Name extends "input" | "output"> = Server extends keyof ServerTools
  ? Tool extends keyof ServerTools[Server]
    ? ServerTools[Server][Tool] extends { readonly [Key in Name]: infer Value }
      ? Value
      : undefined
    : undefined
  : undefined;

type TypedCall = <Server extends ServerName, Tool extends ToolName<Server>>(
  server: Server,
  tool: Tool,
  ...rest: CallParameters<Server, Tool>
) => Promise<CallResult<Server, Tool>>;

/** Gives a call the types of known tools. They come from the tools' schemas, which are checked for every call and result. */
export function withToolTypes(
  call: (
    server: string,
    tool: string,
    args?: GivenArguments,
    options?: HostCallOptions,
  ) => Promise<ToolResult>,
): TypedCall {
  return call as TypedCall;
}
