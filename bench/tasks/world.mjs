/** The ten scripted servers of the tasks, each with its own data. */
import * as beacon from "./servers/beacon.mjs";
import * as crate from "./servers/crate.mjs";
import * as daybook from "./servers/daybook.mjs";
import * as depot from "./servers/depot.mjs";
import * as harbor from "./servers/harbor.mjs";
import * as ledgerly from "./servers/ledgerly.mjs";
import * as postbox from "./servers/postbox.mjs";
import * as relay from "./servers/relay.mjs";
import * as roster from "./servers/roster.mjs";
import * as stacks from "./servers/stacks.mjs";

const servers = { beacon, crate, daybook, depot, harbor, ledgerly, postbox, relay, roster, stacks };

/** Returns the scripts of the servers. `reset` gives them new data and returns it, by server. */
export function createWorld() {
  const data = {};
  const scripts = {};
  for (const [name, { createData, createTools }] of Object.entries(servers)) {
    data[name] = createData();
    scripts[name] = { name, version: "1.0.0", tools: createTools(data[name]) };
  }
  const reset = () => {
    for (const [name, { createData }] of Object.entries(servers)) Object.assign(data[name], createData());
    return data;
  };
  return { scripts, reset };
}
