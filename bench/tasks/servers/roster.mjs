/** Roster: employees and their absences. */
import { added, byId, checkDate, choice, matching, object, text, tool } from "../define.mjs";

export function createData() {
  return {
    people: [
      { id: "emp_1", name: "Ana Silva", email: "ana@team.example", team: "payments", isOnCall: true },
      { id: "emp_2", name: "Bo Chen", email: "bo@team.example", team: "search", isOnCall: false },
      { id: "emp_3", name: "Carla Rossi", email: "carla@team.example", team: "payments", isOnCall: false },
    ],
    absences: [],
    equipment: [],
  };
}

export function createTools(data) {
  const employee = text("Id of the employee, such as emp_1");
  return {
    find_employee: tool(
      "Find employees by name, email or team.",
      { query: text("Part of it") },
      ({ query }) => matching(data.people, query, "name", "email", "team"),
    ),
    who_is_on_call: tool("Say who is on call for a team.", { team: text("Name of the team") }, ({ team }) =>
      data.people.filter((each) => each.team === team && each.isOnCall),
    ),
    add_employee: tool(
      "Add a new employee.",
      { name: text("Full name"), email: text("Work email"), team: text("Name of the team") },
      (facts) => added(data.people, "emp", { ...facts, isOnCall: false }),
    ),
    request_time_off: tool(
      "Request time off for an employee.",
      {
        employeeId: employee,
        period: object("First and last day", {
          from: text("As YYYY-MM-DD"),
          to: text("As YYYY-MM-DD"),
        }),
        kind: choice("Why", "vacation", "sick", "parental"),
      },
      ({ employeeId, period, kind }) => {
        checkDate("period.from", period.from);
        checkDate("period.to", period.to);
        return added(data.absences, "abs", { employee: byId(data.people, employeeId).id, ...period, kind });
      },
    ),
    change_team: tool(
      "Move an employee to another team.",
      { employeeId: employee, team: text("Name of the new team") },
      ({ employeeId, team }) => Object.assign(byId(data.people, employeeId), { team }),
    ),
    order_equipment: tool(
      "Order equipment for an employee.",
      { employeeId: employee, item: choice("What", "laptop", "monitor", "badge", "headset") },
      ({ employeeId, item }) =>
        added(data.equipment, "eqp", { employee: byId(data.people, employeeId).id, item }),
    ),
  };
}
