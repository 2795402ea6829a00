/** Resources, prompts and completions: everything that servers offer besides tools. */
export { completeArgument } from "./complete-argument.ts";
export { getPrompt } from "./get-prompt.ts";
export { listPrompts, listResources, listResourceTemplates } from "./list-offers.ts";
export { readResource } from "./read-resource.ts";
export { subscribeResource } from "./subscribe-resource.ts";
