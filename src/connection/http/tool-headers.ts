import { isJsonObject, type JsonObject, type JsonValue } from "../../model/index.ts";
import { forEachYielding, jsonWeight, SCHEMA_LIMITS } from "../../platform/index.ts";
import { type HeaderParameter, headerParameters, parameterHeaders } from "./request-headers.ts";

/** Tools with longer names are not offered. */
const LONGEST_NAME = 1_024;
/** The limit for the names and marks of one list, in approximate characters. Further tools are not kept. */
const HEAVIEST_LIST = 4 * 1024 * 1024;
/** The weight of a tool or a mark in addition to its texts. */
const ITEM = 64;

type Parameters = Map<string, readonly HeaderParameter[]>;

/** Remembers which arguments of which tool are repeated in headers, from the tool lists that the server sends. */
export class ToolHeaders {
  #parameters: Parameters = new Map();
  /** The previous list, for tools whose page in the new list has not been read yet. */
  #before: Parameters = new Map();
  #weight = 0;

  /** Returns the list without tools that mark their arguments incorrectly, because those must not be called. */
  async learn(result: JsonObject, { isFirstPage }: { readonly isFirstPage: boolean }): Promise<JsonObject> {
    const { tools } = result;
    if (isFirstPage) this.#startList();
    if (!Array.isArray(tools)) return result;
    const kept: JsonValue[] = [];
    await forEachYielding(tools, (tool) => {
      if (this.#learnTool(tool)) kept.push(tool);
      return true;
    });
    return { ...result, tools: kept };
  }

  headersFor(params: JsonObject): Record<string, string> | undefined {
    const { name, arguments: args } = params;
    if (typeof name !== "string") return undefined;
    const parameters = this.#parameters.get(name) ?? this.#before.get(name);
    return parameters && parameterHeaders(parameters, isJsonObject(args) ? args : {});
  }

  #startList(): void {
    this.#before = this.#parameters;
    this.#parameters = new Map();
    this.#weight = 0;
  }

  #learnTool(tool: JsonValue): boolean {
    if (!isJsonObject(tool) || typeof tool["name"] !== "string" || !isJsonObject(tool["inputSchema"]))
      return true;
    // A schema that is too large is not inspected: its tool is quarantined.
    if (typeof jsonWeight(tool["inputSchema"], SCHEMA_LIMITS) !== "number") return true;
    const marks = headerParameters(tool["inputSchema"]);
    if ("wrong" in marks) return false;
    this.#keep(tool["name"], marks.parameters);
    return true;
  }

  #keep(name: string, parameters: readonly HeaderParameter[]): void {
    this.#before.delete(name);
    this.#parameters.delete(name);
    if (parameters.length === 0 || name.length > LONGEST_NAME) return;
    const weight = weightOf(name, parameters);
    if (this.#weight + weight > HEAVIEST_LIST) return;
    this.#weight += weight;
    this.#parameters.set(name, parameters);
  }
}

function weightOf(name: string, parameters: readonly HeaderParameter[]): number {
  let weight = ITEM + name.length;
  for (const { path, header } of parameters) {
    weight += ITEM + header.length;
    for (const key of path) weight += key.length;
  }
  return weight;
}
