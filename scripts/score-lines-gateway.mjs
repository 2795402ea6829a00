/** The lines of the gateway and the daemon. See `score-lines.mjs`. */
export const GATEWAY_THEMES = [
  {
    theme: "Gateway",
    lines: [
      {
        line: "generated scripts that do the same directly and through the gateway",
        goal: 800,
        tests: ["test/gateway/differential.score.ts"],
      },
      {
        line: "upstream faults behind the gateway, with a healthy neighbour that stays unaffected",
        goal: 300,
        tests: ["test/gateway/faults.test.ts"],
      },
      {
        line: "what must not grow in a gateway with 100 clients and 30 servers, in ten minutes",
        goal: 5,
        tests: ["test/gateway/soak.score.ts"],
      },
      {
        line: "uses of the gateway by other programs: tools, resources and prompts",
        goal: 6,
        tests: ["test/gateway/programs.score.ts"],
      },
      {
        line: "hundreds of random operations of two people of a team, none of which reached the other",
        goal: 5,
        tests: ["test/team/isolation.score.ts"],
      },
      {
        line: "outages of a team's database under load: paused for a minute, failed over to a standby, with a full disk",
        goal: 3,
        tests: ["test/team/outages.score.ts"],
      },
      {
        line: "kills of a gateway under load (kill -9): no safe request lost or doubled, no session lost",
        goal: 50,
        tests: ["test/cluster/cluster.score.ts"],
      },
      {
        line: "rolling restarts of three gateways with 200 clients: nothing lost, doubled or interrupted, no session lost",
        goal: 20,
        tests: ["test/cluster/cluster.score.ts"],
      },
      {
        line: "gateways stopped, cut off, with a wrong clock, or behind HAProxy: nothing lost or doubled, no session lost",
        goal: 4,
        tests: ["test/cluster/cluster.score.ts"],
      },
      {
        line: "renewals of a sign-in that three gateways need at once: only one for each token",
        goal: 100,
        tests: ["test/cluster/renewals.test.ts"],
      },
      {
        line: "server scenarios of the official suite through the gateway, or failing for the reason that is recorded",
        goal: 134,
        tests: ["test/gateway/conformance.score.ts"],
      },
    ],
  },
  {
    theme: "Daemon",
    lines: [
      {
        line: "combinations of start, stop, kill and upgrade: never two daemons, nothing left",
        goal: 2_400,
        tests: ["test/daemon/combinations.test.ts"],
      },
      {
        line: "kills of the daemon under 100 calls: repeatable ones succeed, no other is executed twice",
        goal: 100,
        tests: ["test/daemon/killed-calls.test.ts"],
      },
      {
        line: "calls of 15 sessions with 34 servers each, within the limits of memory and processes",
        goal: 510,
        tests: ["test/daemon/many-sessions.score.ts"],
      },
      {
        line: "memory of twenty agents with ten servers each: at most a fifth of that without a daemon",
        goal: 1,
        tests: ["test/daemon/many-sessions.score.ts"],
      },
    ],
  },
];
