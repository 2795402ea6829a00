/** What servers offer beside tools: resources, prompts and completions. Loaded when it is first asked for. */
export { completeArgument } from "./complete-argument.ts";
export { getPrompt } from "./get-prompt.ts";
export { listPrompts, listResources, listResourceTemplates } from "./list-offers.ts";
export { readResource } from "./read-resource.ts";
export { subscribeResource } from "./subscribe-resource.ts";
