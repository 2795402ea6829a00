/** A sign-in step was refused. The message follows `OAuth authentication failed: `. */
export class Refusal extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "Refusal";
  }
}

/** The server could not be reached, or did not respond in time. A retry may succeed. */
export class UnreachableError extends Refusal {}
