/** The tasks about software and its operation. `tasks.mjs` describes the form. */

export const operationsTasks = [
  {
    id: "report-bug",
    steps: [
      {
        say: "See which projects there are in Harbor.",
        queries: ["harbor list projects", "show all projects"],
        tool: "harbor/list_projects",
        learn: { project: /"(prj_\w+)","name":"Mobile app"/ },
      },
      {
        say: 'Report a bug for the mobile app in Harbor: "Photos are upside down", cosmetic, labelled camera.',
        queries: ["harbor report bug", "create bug ticket in tracker"],
        tool: "harbor/create_issue",
        facts: {
          projectId: "{project}",
          title: "Photos are upside down",
          severity: { exact: "s4", plain: "cosmetic" },
          labels: { exact: ["camera"], plain: "camera" },
        },
      },
    ],
    result: ({ harbor }) => harbor.issues.slice(4),
    expected: [
      {
        id: "iss_104",
        project: "prj_app",
        status: "open",
        labels: ["camera"],
        title: "Photos are upside down",
        severity: "s4",
      },
    ],
  },
  {
    id: "close-duplicate",
    steps: [
      {
        say: "Look for the open Harbor issue about the slow product search.",
        queries: ["harbor find issue", "search open issues"],
        tool: "harbor/search_issues",
        facts: { query: "product search" },
        learn: { issue: /"(iss_\d+)"/ },
      },
      {
        say: "Close that Harbor issue as a duplicate.",
        queries: ["harbor close issue", "mark issue as duplicate"],
        tool: "harbor/close_issue",
        facts: { issueId: "{issue}", reason: "duplicate" },
      },
    ],
    result: ({ harbor }) =>
      harbor.issues.map(({ id, status, reason }) => [id, status, reason ?? ""].join(" ")),
    expected: ["iss_1 open ", "iss_2 closed duplicate", "iss_3 open ", "iss_4 closed "],
  },
  {
    id: "plan-sprint",
    steps: [
      {
        say: "Find the open issue about rotating the phone in Harbor.",
        queries: ["harbor find open issue", "search tracker issues"],
        tool: "harbor/search_issues",
        facts: { query: "rotating", status: "open" },
        learn: { issue: /"(iss_\d+)"/, project: /"(prj_\w+)"/ },
      },
      {
        say: "Find the sprints of its project.",
        queries: ["find sprints of project", "list sprints"],
        tool: "harbor/list_sprints",
        facts: { projectId: "{project}" },
        learn: { sprint: /"(spr_\d+)"/ },
      },
      {
        say: "Plan the issue for that sprint in Harbor.",
        queries: ["harbor plan issue sprint", "assign issue to sprint"],
        tool: "harbor/add_to_sprint",
        facts: { sprintId: "{sprint}", issueIds: { exact: ["{issue}"], plain: "{issue}" } },
      },
    ],
    result: ({ harbor }) => harbor.sprints[0].issues,
    expected: ["iss_3"],
  },
  {
    id: "incident",
    steps: [
      {
        say: "Check which Beacon alerts are firing for the payments service.",
        queries: ["beacon check firing alerts", "list alerts for service"],
        tool: "beacon/list_alerts",
        facts: { service: "payments", state: { exact: "firing", plain: "firing" } },
        learn: { alert: /"(alr_\d+)"/ },
      },
      {
        say: 'Open a Beacon incident "Card payments fail" that affects some users, with this alert.',
        queries: ["beacon open incident", "create incident"],
        tool: "beacon/open_incident",
        facts: {
          title: "Card payments fail",
          impact: { exact: "some_users", plain: "some users" },
          alertIds: { exact: ["{alert}"], plain: "{alert}" },
        },
        learn: { incident: /"(inc_\d+)"/ },
      },
      {
        say: "Acknowledge the alert in Beacon.",
        queries: ["beacon acknowledge alert", "ack alert"],
        tool: "beacon/acknowledge_alert",
        facts: { alertId: "{alert}" },
      },
    ],
    result: ({ beacon }) => [beacon.incidents, beacon.alerts[0].state],
    expected: [
      [
        {
          id: "inc_100",
          state: "open",
          updates: [],
          title: "Card payments fail",
          impact: "some_users",
          alertIds: ["alr_31"],
        },
      ],
      "acknowledged",
    ],
  },
  {
    id: "rotate-key",
    steps: [
      {
        say: "Look for E-4012 in the payments logs in Beacon.",
        queries: ["beacon look in logs", "search service logs"],
        tool: "beacon/search_logs",
        facts: { service: "payments", query: "E-4012" },
        learn: { cause: /(key expired)/ },
      },
      {
        say: "Find the runbook about E-4012 in Stacks.",
        queries: ["stacks find runbook", "search documents"],
        tool: "stacks/find_documents",
        facts: { query: "E-4012" },
        learn: { runbook: /"(doc_\d+)"/ },
      },
      {
        say: "Read it in Stacks.",
        queries: ["stacks read runbook", "get document text"],
        tool: "stacks/read_document",
        facts: { documentId: "{runbook}" },
        learn: { variable: /rotate (\w+)/ },
      },
      {
        say: "In Crate, set the variable that it names to k-2026 for payments.",
        queries: ["crate set variable", "update environment variable of service"],
        tool: "crate/set_variable",
        facts: {
          service: "payments",
          variable: { exact: { name: "{variable}", value: "k-2026" }, plain: "{variable}=k-2026" },
        },
      },
    ],
    result: ({ crate }) => crate.variables,
    expected: [{ id: "var_1", service: "payments", name: "GATEWAY_KEY", value: "k-2026" }],
  },
  {
    id: "deploy",
    steps: [
      {
        say: "List the Crate builds of payments.",
        queries: ["crate list builds", "builds of service"],
        tool: "crate/list_builds",
        facts: { service: "payments" },
        learn: { build: /"(bld_\d+)"[^}]*"passed"/ },
      },
      {
        say: "Deploy the one that passed to production with Crate.",
        queries: ["crate deploy build to production", "deploy build"],
        tool: "crate/deploy",
        facts: { buildId: "{build}", environment: "production" },
      },
    ],
    result: ({ crate }) => crate.deployments.slice(2).map(({ build, environment }) => [build, environment]),
    expected: [["bld_70", "production"]],
  },
  {
    id: "roll-back",
    steps: [
      {
        say: "Check what Crate has deployed for payments in staging.",
        queries: ["crate check what is deployed", "list deployments by environment"],
        tool: "crate/list_deployments",
        facts: { service: "payments", environment: "staging" },
        learn: { deployment: /"(dep_\d+)"/ },
      },
      {
        say: "Undo that Crate deployment.",
        queries: ["crate undo deployment", "revert deployment"],
        tool: "crate/roll_back",
        facts: { deploymentId: "{deployment}" },
      },
      {
        say: 'Tell the ops channel in Relay: "payments rolled back in staging".',
        queries: ["relay tell channel", "send message to channel"],
        tool: "relay/post_message",
        facts: { channelId: "ch_ops", body: "payments rolled back in staging" },
      },
    ],
    result: ({ crate, relay }) => [crate.deployments.map(({ state }) => state), relay.posts.slice(2)],
    expected: [
      ["live", "rolled_back"],
      [{ id: "pst_102", channel: "ch_ops", body: "payments rolled back in staging" }],
    ],
  },
  {
    id: "freeze",
    steps: [
      {
        say: "Find out who is on call for payments in Roster.",
        queries: ["roster who is on call", "get on-call engineer for team"],
        tool: "roster/who_is_on_call",
        facts: { team: "payments" },
        learn: { email: /"email":"([^"]+)"/ },
      },
      {
        say: 'Freeze deployments of payments in Crate because of "audit".',
        queries: ["crate freeze deployments", "block deploys"],
        tool: "crate/freeze_deployments",
        facts: { service: "payments", reason: "audit" },
      },
      {
        say: 'Tell that person privately in Relay: "payments is frozen".',
        queries: ["relay tell person privately", "send private message"],
        tool: "relay/send_direct_message",
        facts: { emails: { exact: ["{email}"], plain: "{email}" }, body: "payments is frozen" },
      },
    ],
    result: ({ crate, relay }) => [crate.freezes, relay.direct],
    expected: [
      [{ id: "frz_100", service: "payments", reason: "audit" }],
      [{ id: "dm_100", emails: ["ana@team.example"], body: "payments is frozen" }],
    ],
  },
  {
    id: "monitor",
    steps: [
      {
        say: "Have Beacon watch the p99 latency of search, with an alert above 2.",
        queries: ["beacon watch latency", "create alert for metric threshold"],
        tool: "beacon/create_monitor",
        facts: {
          service: "search",
          metric: { exact: "latency_p99", plain: "p99 latency" },
          threshold: { exact: 2, plain: "2" },
        },
      },
      {
        say: "Mute Beacon alerts of search for 30 minutes.",
        queries: ["beacon mute alerts", "silence alerts for service"],
        tool: "beacon/silence_service",
        facts: { service: "search", minutes: { exact: 30, plain: "30" } },
      },
    ],
    result: ({ beacon }) => [beacon.monitors, beacon.silences],
    expected: [
      [{ id: "mon_100", service: "search", metric: "latency_p99", threshold: 2 }],
      [{ id: "sil_100", service: "search", minutes: 30 }],
    ],
  },
  {
    id: "runbook",
    steps: [
      {
        say: "Find the on-call runbook for payments in Stacks.",
        queries: ["stacks find on-call runbook", "search documents"],
        tool: "stacks/find_documents",
        facts: { query: "runbook" },
        learn: { document: /"(doc_\d+)"/ },
      },
      {
        say: 'Add "E-5000: call the bank." to the end of that Stacks document.',
        queries: ["stacks add text to document", "append to document"],
        tool: "stacks/append_to_document",
        facts: { documentId: "{document}", body: "E-5000: call the bank." },
      },
      {
        say: "Share it in Stacks with bo@team.example, who may edit it.",
        queries: ["stacks share document", "give person edit access to document"],
        tool: "stacks/share_document",
        facts: {
          documentId: "{document}",
          emails: { exact: ["bo@team.example"], plain: "bo@team.example" },
          role: { exact: "editor", plain: "edit" },
        },
      },
    ],
    result: ({ stacks }) => [stacks.documents[2].body, stacks.shares],
    expected: [
      "E-4012: rotate GATEWAY_KEY.\nE-5000: call the bank.",
      [{ id: "shr_100", document: "doc_3", emails: ["bo@team.example"], role: "editor" }],
    ],
  },
];
