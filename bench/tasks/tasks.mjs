/**
 * Twenty tasks with several steps on ten scripted servers. A step has:
 *
 * - `say`: the user's words for it. The words of all steps are the user's request.
 * - `queries`: what a model would search for. The first has the words of the request, the second describes a tool.
 * - `tool`: the right tool, as `server/tool`.
 * - `facts`: what the request and earlier results say, by the name of the parameter. `{name}` stands for a learned value. A fact
 *   whose right form is not obvious is `{ exact, plain, tell? }`: the form that the tool accepts, the form in the user's words, and the text
 *   from which a model learns the right form, if it is not the type or the value itself.
 * - `learn`: patterns for values in the result that later steps need.
 *
 * A task is solved if `result`, read from the servers' data at the end, equals `expected`.
 */
import { officeTasks } from "./tasks-office.mjs";
import { operationsTasks } from "./tasks-operations.mjs";

export const tasks = [...operationsTasks, ...officeTasks];
