import { setImmediate as nextTurn } from "node:timers/promises";
import type { AgentTool } from "../../../index.ts";
import { usageError } from "../../shared/usage-error.ts";
import { SchemaTypes } from "./schema-writer.ts";

/** The limit for one file. References can turn small schemas into very large types. */
export const MOST_CHARACTERS = 8_000_000;

/** A server's tools, as far as generated code needs them. */
export interface ServerDefinitions {
  readonly server: string;
  readonly tools: readonly AgentTool[];
}

/** The types of one tool. */
interface ToolTypes {
  readonly input: string;
  /** Omitted if the tool has no output schema. */
  readonly output?: string;
}

/** Writes the types of tools and collects the interfaces that they refer to. */
export class ToolTypeWriter {
  readonly #types = new SchemaTypes();

  get interfaces(): readonly string[] {
    return this.#types.interfaces;
  }

  /** Throws if the types so far are too large for one file. */
  write({ inputSchema, outputSchema }: AgentTool): ToolTypes {
    if (this.#types.written > MOST_CHARACTERS) throw tooLarge();
    const input = this.#types.typeOf(inputSchema);
    return {
      input: input === "unknown" ? "{ [key: string]: unknown }" : input,
      ...(outputSchema !== undefined && { output: this.#types.typeOf(outputSchema) }),
    };
  }
}

/** Writes one tool after another, and lets other work run in between. */
export async function writeTools(
  tools: readonly AgentTool[],
  write: (tool: AgentTool) => string,
): Promise<string[]> {
  const written: string[] = [];
  for (const tool of tools) {
    written.push(write(tool));
    await nextTurn();
  }
  return written;
}

export function tooLarge(): Error {
  return usageError("The tool definitions are too large.", "Name fewer servers.");
}
