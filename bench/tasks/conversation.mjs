/**
 * A conversation between a model and its tools. Counts what a model provider would charge without a cache: every turn sends the
 * definitions and everything said before. Each turn makes one call.
 */
import { countDefinitions, countTokens } from "../tokens.mjs";

/** Expected failures: the model cannot continue. The task is not solved. */
export class Stuck extends Error {}

export class Conversation {
  turns = 0;
  calls = 0;
  tokens = 0;
  #tools;
  #definitions;
  #history;

  /** `definitions`: the tokens of the tools' definitions, if they are known. */
  constructor(tools, request, definitions = countDefinitions(tools)) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#definitions = definitions;
    this.#history = countTokens(request);
  }

  /** Returns the tool with this name, if the model has it. */
  tool(name) {
    return this.#tools.get(name);
  }

  /** Calls a tool in one turn. Returns `{ text, isError }`. */
  async use(name, args) {
    this.#turn(JSON.stringify({ name, arguments: args }));
    this.calls += 1;
    const { text, isError } = await this.#tools.get(name).execute(args);
    this.#history += countTokens(text);
    return { text, isError };
  }

  /** Ends the conversation with an answer to the user. */
  finish() {
    this.#turn("Done.");
  }

  #turn(output) {
    const written = countTokens(output);
    this.turns += 1;
    this.tokens += this.#definitions + this.#history + written;
    this.#history += written;
  }
}
