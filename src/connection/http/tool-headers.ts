import { isJsonObject, isList, type JsonObject, type JsonValue } from "../../model/index.ts";
import { forEachYielding, jsonWeight, SCHEMA_LIMITS } from "../../platform/index.ts";
import { type HeaderParameter, headerParameters, parameterHeaders } from "./request-headers.ts";

/** Learns from tool lists which arguments are repeated in headers. */
export class ToolHeaders {
  readonly #parameters = new Map<string, readonly HeaderParameter[]>();

  /** Returns the list without tools that have invalid marks, which must not be called. */
  async learn(result: JsonObject): Promise<JsonObject> {
    const { tools } = result;
    if (!isList(tools)) return result;
    const kept: JsonValue[] = [];
    await forEachYielding(tools, (tool) => {
      if (this.#learnTool(tool)) kept.push(tool);
      return true;
    });
    return { ...result, tools: kept };
  }

  headersFor(params: JsonObject): Record<string, string> | undefined {
    const { name, arguments: args } = params;
    const parameters = typeof name === "string" ? this.#parameters.get(name) : undefined;
    return parameters && parameterHeaders(parameters, isJsonObject(args) ? args : {});
  }

  #learnTool(tool: JsonValue): boolean {
    if (!isJsonObject(tool) || typeof tool["name"] !== "string" || !isJsonObject(tool["inputSchema"]))
      return true;
    // A schema that is too large is not inspected: its tool is quarantined.
    if (typeof jsonWeight(tool["inputSchema"], SCHEMA_LIMITS) !== "number") return true;
    const marks = headerParameters(tool["inputSchema"]);
    if ("wrong" in marks) return false;
    if (marks.parameters.length > 0) this.#parameters.set(tool["name"], marks.parameters);
    return true;
  }
}
