/** The part of the library that is loaded when the first host is created. */
export { createHost } from "./host.ts";
