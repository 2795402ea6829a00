/**
 * The public `createHost`, imported statically. Every command needs the host, so its code belongs in the start-up file.
 */
export { createHost } from "../../host.ts";
