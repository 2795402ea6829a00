import type { HostScope } from "../host-scope.ts";
import type { HostPins } from "./pins-api.ts";
import { acceptPins, reviewPins } from "./review-pins.ts";

export function createPins({ workspace, whileOpen }: HostScope): HostPins {
  return {
    review: (server) => whileOpen(() => reviewPins(workspace, server)),
    accept: (server, hash) => whileOpen(() => acceptPins(workspace, server, hash)),
  };
}
