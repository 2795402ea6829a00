import type { HostScope } from "../host-scope.ts";
import type { HostPrompts } from "./prompts-api.ts";
import { withOffers } from "./with-offers.ts";

export function createPrompts({ workspace, whileOpen }: HostScope): HostPrompts {
  return {
    list: (server, options) =>
      whileOpen(
        () => withOffers(({ listPrompts }) => listPrompts(workspace, { server, ...options })),
        options,
      ),
    get: (server, prompt, args = {}, { signal } = {}) =>
      whileOpen(() => withOffers(({ getPrompt }) => getPrompt(workspace, server, prompt, args, { signal }))),
    complete: (server, name, argument, { signal } = {}) =>
      whileOpen(() =>
        withOffers(({ completeArgument }) =>
          completeArgument(workspace, server, { type: "ref/prompt", name }, argument, signal),
        ),
      ),
  };
}
