/* oxlint-disable unicorn/no-thenable -- the rules of a policy have a member with this name */
/** Part `team`: what policy, tokens and audit of a team add to a call, compared with the gateway of one user. */
import { connectClient } from "./gateway/clients.mjs";
import { gateways } from "./gateway/contestants.mjs";
import { withGateway } from "./gateway/run-gateway.mjs";
import { atMost, goals } from "./goals.mjs";
import { measureInRounds, percentile, reportOf } from "./measure.mjs";
import { digits, times } from "./print.mjs";
import { startDatabase } from "./team/start-database.mjs";
import { startIdentity } from "./team/start-identity.mjs";
import { cpuOf, runOnNode, startNode, startTinyServer } from "./team/start-nodes.mjs";

const RULES = 100;
const PEOPLE = 1_000;
const COUNTS = { warmUp: 1_000, calls: 3_000 };
const QUICK = { warmUp: 200, calls: 500 };
const UNLIMITED = { requestsPerSecond: 1e5, burst: 1e5 };

/**
 * Measures calls of one client to each gateway in turn, so that what else runs on the machine affects all equally. Every run starts new
 * gateways.
 */
export async function measureTeam({ rounds, isQuick, announce }) {
  const counts = isQuick ? QUICK : COUNTS;
  const [database, identity, tiny] = await Promise.all([startDatabase(), startIdentity(), startTinyServer()]);
  const run = {
    id: "run",
    label: "all gateways in turn",
    async sample() {
      const opened = [];
      try {
        for (const open of [openDirect, openLocal, openSmall, openTeam])
          opened.push(await open({ database, identity, tiny }));
        return await callInTurn(opened, counts);
      } finally {
        for (const { client, stop } of opened) {
          client.close();
          await stop?.();
        }
      }
    },
  };
  try {
    await addPeople(database.url, identity.issuer);
    return describe([run], await measureInRounds([run], rounds, announce));
  } finally {
    tiny.stop();
    identity.stop();
    await database.stop();
  }
}

const openDirect = async ({ tiny }) => ({ id: "direct", client: await connectClient({ url: tiny.url }) });

async function openLocal({ tiny }) {
  const local = gateways.find(({ id }) => id === "plugboard");
  const opened = new Promise((resolve, reject) => {
    const start = () => ({ tiny: tiny.url });
    const use = ({ client, pid }) =>
      new Promise((done) => resolve({ id: "local", client, pid, stop: async () => done() }));
    withGateway(local, { node: process.execPath, start }, use).catch(reject);
  });
  return opened;
}

/** A team's gateway without a database, with the smallest policy. */
async function openSmall({ tiny }) {
  const node = await start({ tiny }, { policy: { rules: [{ who: ["*"], then: "allow" }] } });
  const words = ["token", "create", "--person", "ada", "--name", "bench", "--expires", "1d"];
  return connectTo("small", node, await runOnNode(node, words));
}

async function openTeam({ tiny, identity, database }) {
  const node = await start(
    { tiny },
    {
      access: { oauth: { issuer: identity.issuer } },
      policy: { rules: [...RULES_BEFORE, { who: ["group:staff"], servers: ["tiny"], then: "allow" }] },
      database: { url: database.url },
      keys: [{ id: "bench", variable: "TEAM_KEY" }],
    },
  );
  return connectTo("team", node, identity.tokenFor("person-500", node.url));
}

/** Rules that fit neither the person nor the tool. */
const RULES_BEFORE = Array.from({ length: RULES - 1 }, (_, index) => ({
  who: [`group:group-${index}`, `person:person-${index}`, "group:staff"],
  servers: ["tiny", `server-${index}`],
  tools: [`tool-${index}-*`],
  then: index % 2 === 0 ? "deny" : "allow",
}));

const start = ({ tiny }, config) =>
  startNode(() => ({
    servers: { tiny: { type: "http", url: tiny.url, protocol: "legacy" } },
    limits: UNLIMITED,
    ...config,
  }));

async function connectTo(id, { url, pid, stop }, token) {
  const client = await connectClient({ url, headers: { authorization: `Bearer ${token}` } });
  return { id, client, pid, stop };
}

/** Adds the other people, as if they had signed in. */
async function addPeople(url, issuer) {
  const { default: pg } = await import("pg");
  const node = await startNode(() => ({
    servers: {},
    policy: { rules: [] },
    database: { url },
    keys: [{ id: "bench", variable: "TEAM_KEY" }],
  }));
  await node.stop(); // it has created the tables
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `INSERT INTO plugboard.people (id, issuer, subject, name, groups, role)
    SELECT gen_random_uuid(), $1, 'person-' || n, 'person-' || n, '["staff"]', 'person' FROM generate_series(1, $2) n`,
    [issuer, PEOPLE],
  );
  await client.end();
}

/** Calls the echo tool of every gateway, one call at a time. */
async function callInTurn(opened, { warmUp, calls }) {
  const each = new Map(opened.map(({ id }) => [id, []]));
  const names = new Map();
  for (const { id, client } of opened) {
    const { tools } = await client.request("tools/list", {});
    names.set(id, tools.find((tool) => tool.name.endsWith("echo")).name);
  }
  const cpu = () => new Map(opened.map(({ id, pid }) => [id, pid === undefined ? Number.NaN : cpuOf(pid)]));
  let before = cpu();
  for (let call = 0; call < warmUp + calls; call++) {
    if (call === warmUp) before = cpu();
    for (const { id, client } of opened) {
      const began = performance.now();
      const answer = await client.request("tools/call", {
        name: names.get(id),
        arguments: { text: "hello" },
      });
      if (answer.content?.[0]?.text !== "hello") throw new Error("a wrong result"); // a fast wrong result must not count
      if (call >= warmUp) each.get(id).push((performance.now() - began) * 1_000);
    }
  }
  const after = cpu();
  return Object.fromEntries(
    opened.flatMap(({ id }) => [
      [
        `${id}P50`,
        percentile(
          each.get(id).sort((a, b) => a - b),
          0.5,
        ),
      ],
      [`${id}Cpu`, (after.get(id) - before.get(id)) / calls],
    ]),
  );
}

const LABELS = {
  direct: "no gateway",
  local: "gateway of one user",
  small: "gateway of a team: one rule, static token, files",
  team: `**gateway of a team**: ${RULES} rules, ${PEOPLE.toLocaleString("en-US")} people, JWT, PostgreSQL`,
};

function describe(contestants, results) {
  const samples = results.get("run").samples;
  const middle = (read) => {
    const sorted = samples.map(read).sort((a, b) => a - b);
    return sorted.length === 0 || Number.isNaN(sorted[0]) ? undefined : percentile(sorted, 0.5);
  };
  const addedOf = (sample, id) => sample[`${id}P50`] - sample.directP50;
  const ratio = (id) => middle((sample) => addedOf(sample, id) / addedOf(sample, "local"));
  const cpuRatio = (id) => middle((sample) => sample[`${id}Cpu`] / sample.localCpu);
  return {
    name: "team",
    title: "Policy, tokens and audit of a team",
    head: ["gateway", "p50 µs", "added µs", "vs one user's", "CPU µs per call", "vs one user's"],
    rows: Object.entries(LABELS).map(([id, label]) => [
      label,
      digits(middle((sample) => sample[`${id}P50`])),
      digits(middle((sample) => addedOf(sample, id))),
      id === "direct" ? "–" : times(ratio(id), 1),
      digits(middle((sample) => sample[`${id}Cpu`])),
      id === "direct" ? "–" : times(cpuRatio(id), 1),
    ]),
    notes: [
      `Time added to a call: ${atMost(goals.teamAddedTimesLocal, "× the gateway of one user", ratio("team"))}, the median of ${samples.length} runs.`,
      "One client calls a tiny echo server over Streamable HTTP through each gateway in turn, one call at a time. The last rule is the one that allows the call. CPU is that of the gateway's process; it depends less on what else runs.",
      "The gateway of one user also checks a token, and writes its audit log to files.",
    ],
    ...reportOf(contestants, results),
  };
}
