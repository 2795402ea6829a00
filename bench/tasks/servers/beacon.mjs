/** Beacon: monitoring and incidents. */
import { added, byId, choice, list, matching, number, text, tool } from "../define.mjs";

export function createData() {
  return {
    alerts: [
      { id: "alr_31", service: "payments", text: "error rate 12 %", state: "firing" },
      { id: "alr_32", service: "search", text: "latency p99 4 s", state: "firing" },
      { id: "alr_33", service: "payments", text: "certificate expires in 20 days", state: "resolved" },
    ],
    incidents: [],
    silences: [],
    logs: [
      { service: "payments", line: "E-4012 card gateway refused: key expired" },
      { service: "payments", line: "started" },
      { service: "search", line: "cache miss for category shoes" },
    ],
    monitors: [],
  };
}

export function createTools(data) {
  return {
    list_alerts: tool(
      "List alerts of a service.",
      {
        service: text("Name of the service"),
        "state?": choice("Only in this state", "firing", "acknowledged", "resolved"),
      },
      ({ service, state }) =>
        data.alerts.filter(
          (each) => each.service === service && (state === undefined || each.state === state),
        ),
    ),
    acknowledge_alert: tool(
      "Acknowledge an alert, so that it does not page anyone else.",
      { alertId: text("Id of the alert, such as alr_31") },
      ({ alertId }) => Object.assign(byId(data.alerts, alertId), { state: "acknowledged" }),
    ),
    resolve_alert: tool("Mark an alert as resolved.", { alertId: text("Id of the alert") }, ({ alertId }) =>
      Object.assign(byId(data.alerts, alertId), { state: "resolved" }),
    ),
    silence_service: tool(
      "Mute all alerts of a service for a while.",
      { service: text("Name of the service"), minutes: number("For how long") },
      (facts) => added(data.silences, "sil", facts),
    ),
    search_logs: tool(
      "Search the log lines of a service.",
      { service: text("Name of the service"), query: text("Text to look for") },
      ({ service, query }) =>
        matching(
          data.logs.filter((each) => each.service === service),
          query,
          "line",
        ),
    ),
    open_incident: tool(
      "Open an incident.",
      {
        title: text("One line"),
        impact: choice("Who is affected", "none", "some_users", "all_users"),
        "alertIds?": list({ type: "string" }, "Alerts that belong to it"),
      },
      (facts) => added(data.incidents, "inc", { state: "open", updates: [], ...facts }),
    ),
    post_incident_update: tool(
      "Add an update to an incident's timeline.",
      { incidentId: text("Id of the incident"), body: text("What happened") },
      ({ incidentId, body }) => {
        const incident = byId(data.incidents, incidentId);
        incident.updates.push(body);
        return incident;
      },
    ),
    create_monitor: tool(
      "Create a monitor that raises an alert.",
      {
        service: text("Name of the service"),
        metric: choice("What to watch", "error_rate", "latency_p99", "cpu"),
        threshold: number("Alert above this value"),
      },
      (facts) => added(data.monitors, "mon", facts),
    ),
  };
}
