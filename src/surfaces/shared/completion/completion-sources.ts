import type { Host, JsonObject } from "../../../index.ts";
import { isObject } from "../json-object.ts";
import { stateLabel } from "../render/state.ts";
import type { CompletionSources, Items } from "./complete-words.ts";

const CACHED = { connect: false } as const;
const MOST_ARGUMENTS = 200;

/** Returns the names that the host knows without contacting a server. */
export function completionSources(host: Host): CompletionSources {
  return {
    servers: () =>
      host.servers().map(({ name, state, source }) => ({ name, note: stateLabel(state), tool: source.tool })),
    tools: async (server) => (await host.tools(server, CACHED)).map(({ tool }) => tool),
    async toolArguments(server, tool) {
      const found = (await host.tools(server, CACHED)).find((each) => each.tool === tool);
      return found === undefined ? [] : argumentsOf(found.inputSchema);
    },
    resources: async (server) => (await host.resources.list(server, CACHED)).map(({ uri }) => uri),
    prompts: async (server) =>
      (await host.prompts.list(server, CACHED)).map(({ name, arguments: keys }) => ({
        name,
        keys: keys.map((argument) => argument.name).filter(isKey),
      })),
    fields: async (server) =>
      (await host.config.explain(server)).fields.flatMap(({ field, value }) =>
        isObject(value)
          ? [field, ...Object.keys(value).flatMap((name) => (isKey(name) ? `${field}.${name}` : []))]
          : [field],
      ),
    profiles: () => host.config.profiles().map(({ name }) => name),
    secrets: () => host.secrets.list().catch(() => []),
  };
}

/** The name `a=@notes` would complete to an argument that sends the file `notes=`, which the server chose. */
function isKey(name: string): boolean {
  return /^[\w.-]+$/.test(name);
}

function argumentsOf({ properties }: JsonObject): Items {
  if (!isObject(properties)) return [];
  return Object.entries(properties)
    .slice(0, MOST_ARGUMENTS)
    .flatMap(([key, schema]) => {
      if (!isKey(key)) return [];
      const { description, enum: choices, type } = isObject(schema) ? schema : {};
      const note = typeof description === "string" ? description : typeof type === "string" ? type : "";
      const values = Array.isArray(choices) ? choices : type === "boolean" ? ["true", "false"] : [];
      // `key=@file` would send the content of a file that the server chose.
      const texts = values
        .filter((value): value is string => typeof value === "string" && !value.startsWith("@"))
        .slice(0, MOST_ARGUMENTS);
      return texts.length === 0
        ? [{ text: `${key}=`, note }]
        : texts.map((value) => ({ text: `${key}=${value}`, note }));
    });
}
