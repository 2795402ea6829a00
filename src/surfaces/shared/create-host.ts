/**
 * The public `createHost`, without its dynamic import. Every command needs the host, so its code belongs in the file that is
 * read at start-up.
 */
export { createHost } from "../../host.ts";
