import type { Completion, CompletionArgument, ResourceResult, WaitOptions } from "../../model/index.ts";
import type { ListOptions, ServerResource, ServerResourceTemplate } from "./list-offers.ts";

/** Resources: data that servers offer by URI. */
export interface HostResources {
  /** Lists the resources of one server, or of every server that may run. Cached and refreshed as tools are. */
  list(server?: string, options?: ListOptions): Promise<ServerResource[]>;
  /** Lists URI templates, each of which stands for many resources. */
  templates(server?: string, options?: ListOptions): Promise<ServerResourceTemplate[]>;
  /** Reads a resource from its server. The resource does not have to be in the list. */
  read(server: string, uri: string, options?: WaitOptions): Promise<ResourceResult>;
  /**
   * Calls the listener when the resource changes, and after a reconnection, because it may have changed in the meantime. Resolves
   * with an unsubscribe function.
   */
  subscribe(
    server: string,
    uri: string,
    listener: (uri: string) => void,
    options?: WaitOptions,
  ): Promise<() => Promise<void>>;
  /** Returns the server's suggestions for a variable of a URI template. */
  complete(
    server: string,
    template: string,
    argument: CompletionArgument,
    options?: WaitOptions,
  ): Promise<Completion>;
}
