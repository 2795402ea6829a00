/** Agent tools → what one agent holds: replaced as a whole, frozen between replacements. */
export type { Session, SessionOptions, SessionSnapshot } from "./session.ts";
export { createSession } from "./session.ts";
