/** Harbor: an issue tracker. */
import { added, byId, choice, list, matching, number, text, tool } from "../define.mjs";

export function createData() {
  return {
    projects: [
      { id: "prj_web", name: "Web shop" },
      { id: "prj_app", name: "Mobile app" },
    ],
    issues: [
      { id: "iss_1", project: "prj_web", title: "Checkout button does nothing", status: "open", labels: [] },
      { id: "iss_2", project: "prj_web", title: "Slow product search", status: "open", labels: ["perf"] },
      { id: "iss_3", project: "prj_app", title: "Crash when rotating the phone", status: "open", labels: [] },
      { id: "iss_4", project: "prj_app", title: "Crash on login", status: "closed", labels: [] },
    ],
    comments: [],
    sprints: [{ id: "spr_7", project: "prj_app", name: "Sprint 7", issues: [] }],
  };
}

export function createTools(data) {
  const issue = text("Id of the issue, such as iss_1");
  return {
    list_projects: tool("List all projects of the workspace.", {}, () => data.projects),
    search_issues: tool(
      "Search issues by words in their title. Returns id, title, status and labels.",
      { query: text("Words to look for"), "status?": choice("Only this status", "open", "closed") },
      ({ query, status }) =>
        matching(data.issues, query, "title").filter(
          (each) => status === undefined || each.status === status,
        ),
    ),
    get_issue: tool("Get one issue with its comments.", { issueId: issue }, ({ issueId }) => ({
      ...byId(data.issues, issueId),
      comments: data.comments.filter((each) => each.issueId === issueId),
    })),
    create_issue: tool(
      "Create an issue in a project.",
      {
        projectId: text("Id of the project, such as prj_web"),
        title: text("One line"),
        "body?": text("What is wrong, in Markdown"),
        "severity?": choice("How bad it is: s1 stops users, s4 is cosmetic", "s1", "s2", "s3", "s4"),
        "labels?": list({ type: "string" }, "Labels to set"),
      },
      ({ projectId, ...facts }) =>
        added(data.issues, "iss", {
          project: byId(data.projects, projectId).id,
          status: "open",
          labels: [],
          ...facts,
        }),
    ),
    update_issue: tool(
      "Change the title, severity or labels of an issue. Labels replace the present ones.",
      {
        issueId: issue,
        "title?": text("The new title"),
        "severity?": choice("The new severity", "s1", "s2", "s3", "s4"),
        "labels?": list({ type: "string" }, "All labels of the issue"),
      },
      ({ issueId, ...facts }) => Object.assign(byId(data.issues, issueId), facts),
    ),
    close_issue: tool(
      "Close an issue.",
      { issueId: issue, reason: choice("Why", "done", "duplicate", "wont_fix") },
      ({ issueId, reason }) => Object.assign(byId(data.issues, issueId), { status: "closed", reason }),
    ),
    delete_issue: tool("Delete an issue for ever.", { issueId: issue }, ({ issueId }) => {
      data.issues.splice(data.issues.indexOf(byId(data.issues, issueId)), 1);
      return { deleted: issueId };
    }),
    add_comment: tool(
      "Comment on an issue.",
      { issueId: issue, body: text("The comment, in Markdown") },
      ({ issueId, body }) => added(data.comments, "cmt", { issueId: byId(data.issues, issueId).id, body }),
    ),
    list_sprints: tool(
      "List the sprints of a project.",
      { projectId: text("Id of the project") },
      ({ projectId }) => data.sprints.filter((each) => each.project === projectId),
    ),
    add_to_sprint: tool(
      "Plan issues for a sprint.",
      {
        sprintId: text("Id of the sprint"),
        issueIds: list({ type: "string" }, "The issues to plan"),
        "points?": number("Story points of each"),
      },
      ({ sprintId, issueIds }) => {
        const sprint = byId(data.sprints, sprintId);
        sprint.issues.push(...issueIds.map((id) => byId(data.issues, id).id));
        return sprint;
      },
    ),
  };
}
