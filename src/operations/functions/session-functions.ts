import type { ToolNames } from "../../bridge/index.ts";
import type { Connection } from "../../connection/index.ts";
import { declareServer } from "../../discovery/index.ts";
import { interpret } from "../../inventory/index.ts";
import {
  type FunctionTool,
  HostError,
  isJsonObject,
  type JsonObject,
  PROGRAM_NAME,
  type Provenance,
  type Server,
  type ServerDeclaration,
  type ToolDefinition,
} from "../../model/index.ts";
import { withEitherSignal } from "../lifecycle/either-signal.ts";
import { unlessCancelled } from "../lifecycle/on-server.ts";
import type { Workspace } from "../workspace.ts";
import { checkFunction } from "./check-function.ts";
import { jsonSchemaOf } from "./function-schema.ts";
import { runFunction } from "./run-function.ts";

const SOURCE: Provenance = {
  tool: PROGRAM_NAME,
  scope: "program",
  tier: "user",
  file: "host.session({ tools })",
};
/** Every model provider accepts these names. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** A session's functions, in the form of a server, so that they pass the same checks. */
export interface SessionFunctions {
  readonly server: Server;
  /** Returns the functions' definitions, always in the same array. Rejects if a schema cannot be converted. */
  tools(): Promise<readonly ToolDefinition[]>;
  readonly connection: Pick<Connection, "request">;
}

/** The functions that a program passes to a session, by name. */
export type FunctionTools = Readonly<Record<string, FunctionTool>>;

/** Prepares a session's functions and reserves their names. Throws if a name or a field is not valid. */
export function createSessionFunctions(
  workspace: Workspace,
  given: FunctionTools,
  names: ToolNames,
): SessionFunctions {
  const functions = new Map(Object.entries(given));
  for (const [name, tool] of functions) {
    checkFunction(name, tool);
    reserveName(names, name);
  }
  let definitions: Promise<readonly ToolDefinition[]> | undefined;
  return {
    server: asServer(workspace, functions),
    tools() {
      definitions ??= Promise.all([...functions].map(([name, tool]) => define(name, tool)));
      return definitions;
    },
    connection: {
      request(_, { name, arguments: args }, { signal, onProgress = (): void => {} }) {
        const { closeSignal } = workspace;
        const tool = functions.get(String(name));
        if (tool === undefined || closeSignal.aborted)
          return Promise.reject(new HostError("HOST_CLOSED", "This host is closed."));
        return withEitherSignal(workspace, signal, (either) => {
          const context = { signal: either, onProgress };
          const run = (): Promise<JsonObject> =>
            runFunction(String(name), tool, isJsonObject(args) ? args : {}, context);
          return unlessCancelled(either, run, PROGRAM_NAME);
        });
      },
    },
  };
}

function reserveName(names: ToolNames, name: string): void {
  const owner = NAME.test(name) ? names.reserve({ server: PROGRAM_NAME, tool: name }, name) : "invalid";
  if (owner === undefined) return;
  if (typeof owner === "string")
    throw new HostError("USAGE_INVALID", `Invalid tool name "${name}".`, {
      hint: "Use 1 to 64 letters, digits, underscores and dashes, and not the name of one of Plugboard's own tools.",
    });
  const { tool, server } = owner;
  throw new HostError(
    "USAGE_INVALID",
    `The tool name "${name}" is already used by "${tool}" of "${server}".`,
  );
}

/** Functions have no pins, because they change only with the program. */
function asServer(
  { inventory, environment }: Workspace,
  functions: ReadonlyMap<string, FunctionTool>,
): Server {
  const rules = [...functions].flatMap(([name, { approval }]) =>
    approval === undefined ? [] : [[name, approval] as const],
  );
  const approval = rules.length > 0 && { approval: Object.fromEntries(rules) };
  const declaration: ServerDeclaration = {
    ...declareServer(PROGRAM_NAME, { pins: "off", ...approval }, SOURCE),
    transport: { kind: "in-process", reason: "it is the program itself" },
    inProcess: { transport: () => Promise.reject(new Error("a function has no transport")) },
  };
  const defaults = { ...inventory().settings, variables: environment.variables };
  return { ...interpret(declaration, defaults), shadowed: [] };
}

async function define(name: string, tool: FunctionTool): Promise<ToolDefinition> {
  const { title, description, annotations } = tool;
  return {
    name,
    description,
    inputSchema: await jsonSchemaOf(name, tool.inputSchema),
    ...(title !== undefined && { title }),
    ...(annotations !== undefined && { annotations }),
  };
}
