import type { HostScope } from "../host-scope.ts";
import type { HostResources } from "./resources-api.ts";
import { withOffers } from "./with-offers.ts";

export function createResources({ workspace, whileOpen }: HostScope): HostResources {
  return {
    list: (server, options) =>
      whileOpen(
        () => withOffers(({ listResources }) => listResources(workspace, { server, ...options })),
        options,
      ),
    templates: (server, options) =>
      whileOpen(
        () =>
          withOffers(({ listResourceTemplates }) => listResourceTemplates(workspace, { server, ...options })),
        options,
      ),
    read: (server, uri, { signal } = {}) =>
      whileOpen(() => withOffers(({ readResource }) => readResource(workspace, server, uri, { signal }))),
    subscribe: (server, uri, listener, { signal } = {}) =>
      whileOpen(() =>
        withOffers(({ subscribeResource }) =>
          subscribeResource(workspace, server, uri, (changed) => listener(changed), signal),
        ),
      ),
    complete: (server, template, argument, { signal } = {}) =>
      whileOpen(() =>
        withOffers(({ completeArgument }) =>
          completeArgument(workspace, server, { type: "ref/resource", uri: template }, argument, signal),
        ),
      ),
  };
}
