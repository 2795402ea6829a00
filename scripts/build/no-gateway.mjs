/** Stands for the AI SDK's gateway in the bundle: every model is given as a model, never by a name that it would look up. */
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
