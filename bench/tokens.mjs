/** Counts tokens exactly as the encoding `o200k_base` does. How a provider wraps definitions around that text is not public. */
import { Tiktoken } from "js-tiktoken/lite";
import o200k from "js-tiktoken/ranks/o200k_base";

const encoding = new Tiktoken(o200k);

export function countTokens(text) {
  return encoding.encode(text, [], []).length; // text from servers never stands for a special token
}

/** The tokens of tool definitions as JSON: name, description and the schema of the arguments. */
export function countDefinitions(tools, count = countTokens) {
  return tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + count(JSON.stringify({ name, description, parameters: inputSchema })),
    0,
  );
}
