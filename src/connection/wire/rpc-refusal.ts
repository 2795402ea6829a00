/** The error that a server's request is refused with. */
export class RpcRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
/** From the range that the protocol leaves to implementations. */
export const NOT_NOW = -32000;
/** The user rejected a sampling request. */
export const REJECTED_BY_PERSON = -1;

/** A shared instance, so that a flood of requests does not record a stack trace for each. */
export const TOO_MANY: RpcRefusal = new RpcRefusal(NOT_NOW, "Too many requests. Try again later.");
