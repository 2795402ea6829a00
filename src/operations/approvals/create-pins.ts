import type { HostScope } from "../host-scope.ts";
import type { HostPins } from "./pins-api.ts";
import { acceptPins, reviewPins } from "./review-pins.ts";

export function createPins({ workspace, whileOpen }: HostScope): HostPins {
  return {
    review: (server, options) => whileOpen(() => reviewPins(workspace, server), options),
    accept: (server, hash, options) => whileOpen(() => acceptPins(workspace, server, hash), options),
  };
}
