/** Verbs that cross rooms, one file each. The command line and `/mcp` call the same ones, through the host. */
export { approveServer, describeApproval } from "./approve-server.ts";
export { callTool } from "./call-tool.ts";
export { connectAll } from "./connect-all.ts";
export type { ServerView } from "./describe-server.ts";
export { describeServer, describeShadowed } from "./describe-server.ts";
export { listAllTools, listInstructions, listServerTools } from "./list-tools.ts";
export { openServer } from "./open-server.ts";
export type { Inventory } from "./read-inventory.ts";
export { readInventory } from "./read-inventory.ts";
export type { ServerTest } from "./test-server.ts";
export { testServer } from "./test-server.ts";
export { useServer } from "./use-server.ts";
export type { Workspace } from "./workspace.ts";
export { stateOf } from "./workspace.ts";
