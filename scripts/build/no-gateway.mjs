/** Replaces the AI SDK's gateway in the bundle. Plugboard always passes model objects, never names that the gateway would look up. */
export const gateway = undefined;

export function createGateway() {
  throw new Error("The gateway is not part of Plugboard.");
}

export class GatewayError extends Error {
  static isInstance() {
    return false;
  }
}

export class GatewayAuthenticationError extends GatewayError {}
