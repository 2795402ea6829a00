import { type ChildProcess, spawn } from "node:child_process";
import { ownMark, retireServerMark } from "./marked-processes.ts";
import { LONGEST_READ, PS_COLUMNS, PS_ENVIRONMENT } from "./process-table.ts";
import { ownPath } from "./system-program.ts";

/**
 * A shell script that ends the servers if this process is killed. It waits for the end of its input, which the system
 * closes when this process ends for any reason. The first input line is the mark. Each later line is the list of
 * tracked processes (id:start time) and replaces the previous one.
 *
 * At the end of the input, the script ends all marked and tracked processes and their descendants. Servers first get a
 * moment to notice that their own input was closed, then SIGTERM, then SIGKILL. The line "over" with the mark of the
 * servers means that no process should be left: the script scans once more and kills what it finds.
 *
 * - It signals a process only if the start time still matches, so that it never signals a process that reuses an id.
 * - It signals the whole group if the process leads one.
 * - A process can keep starting a copy of itself and exit. So every marked process is killed as soon as it is found,
 *   for up to 30 seconds. The ids that the system assigns next are read repeatedly, because reading is faster than
 *   starting a process.
 * - The mark is not an argument of awk, because `ps` shows arguments.
 * - A process controls the size of its environment, and its name can contain line feeds. A search for the mark is
 *   stopped after one second of CPU time; then its own input does not match. After that, only the start of each
 *   environment is read.
 * - Lists of processes are passed through pipes, because an argument is limited to 128 KB.
 */
export const REAPER_SCRIPT: string = `
read -r mark || exit 0
known= over= slow=
while read -r line; do
  case $line in
    "over "*) over=1 mark=\${line#over } known= ; break ;;
    *) known=$line ;;
  esac
done
[ -n "$mark" ] || exit 0
search() {
  (
    ulimit -t 1
    ulimit -v 500000
    exec grep -lsF $buffered -e "$mark" "$@" -
  ) <<END
$mark
END
}
search_starts() {
  batch= count=0
  for file in /proc/[0-9]*/environ end; do
    [ "$file" = end ] || batch="$batch $file"
    count=$((count + 1))
    [ $count -lt 20 ] && [ "$file" != end ] && continue
    if head -c ${LONGEST_READ} $batch | grep -qsF -e "$mark"; then
      for file in $batch; do
        head -c ${LONGEST_READ} "$file" | grep -qsF -e "$mark" && echo "$file"
      done
    fi
    batch= count=0
  done
}
marked_in_proc() {
  if [ -z "$slow" ]; then
    files=$(search /proc/[0-9]*/environ)
    case $files in *"(standard input)") ;; *) slow=1 ;; esac
  fi
  [ -z "$slow" ] || files=$(search_starts)
  marked=
  for file in $files; do
    pid=\${file#/proc/}
    pid=\${pid%/environ}
    case $pid in *[!0-9]*) ;; *) marked="$marked $pid" ;; esac
  done
}
marked_by_ps() {
  {
    echo "$mark"
    ps -AEww -o pid= -o command= || ps -axeww -o pid= -o command=
  } | awk 'NR == 1 { mark = $0; next } index($0, mark) { print substr($0, 1, 20) + 0; fflush() }'
}
descendants() {
  {
    printf 'known %s\\n' $known
    printf 'marked %s\\n' $marked
    echo table
    "$@"
  } | awk '
    function take(pid) {
      if (pid in taken) return
      taken[pid]
      queue[count++] = pid
    }
    function add(pid, parent, start) {
      entry[pid] = pid ":" start
      sibling[pid] = first[parent]
      first[parent] = pid
      if (pid in is_marked || entry[pid] in is_known) take(pid)
    }
    !in_table {
      if ($1 == "table") in_table = 1
      if ($1 == "known") is_known[$2]
      if ($1 == "marked") is_marked[$2]
      next
    }
    '"$columns"'
    END {
      for (i = 0; i < count; i++) {
        printf " %s", entry[queue[i]]
        for (pid = first[queue[i]]; pid != ""; pid = sibling[pid]) take(pid)
      }
    }'
}
look_in_proc() {
  marked_in_proc
  columns='{
    text = text $0 " "
    rest = text
    sub(/.*\\)/, "", rest)
    if (split(rest, field, " ") < 40) {
      if (++lines > 16) text = lines = ""
      next
    }
    if (field[1] != "Z" || field[18] > 1) add(text + 0, field[2], field[20])
    text = lines = ""
  }'
  known=$(descendants cat /proc/[0-9]*/stat)
}
ps_table() {
  ${Object.entries(PS_ENVIRONMENT)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ")} ps -axo ${PS_COLUMNS}
}
look_with_ps() {
  marked=$(marked_by_ps)
  columns='$3 !~ /^Z/ { add($1, $2, $4 "_" $5 "_" $6 "_" $7 "_" $8) }'
  known=$(descendants ps_table)
}
look() {
  if [ -r /proc/self/environ ]; then look_in_proc; else look_with_ps; fi
}
signal() {
  look
  for entry in $known; do
    pid=\${entry%%:*}
    kill -s "$1" -- "-$pid" && [ "$1" != KILL ] || kill -s "$1" "$pid"
  done
}
gone() {
  for turn in $1; do
    look
    [ -z "$known" ] && return 0
    sleep 0.1 || sleep 1
  done
}
kill_each() {
  found=1
  while read -r pid; do
    pid=\${pid#/proc/}
    pid=\${pid%/environ}
    case $pid in *[!0-9]*) continue ;; esac
    kill -s KILL -- "-$pid"
    kill -s KILL "$pid"
    found=0
  done
  return $found
}
kill_marked_in_proc() {
  read -r last last last last last </proc/loadavg
  next= pid=$((last - 2))
  while [ $pid -lt $((last + 30)) ]; do
    next="$next /proc/$pid/environ"
    pid=$((pid + 1))
  done
  next="$next $next $next $next $next $next $next $next"
  if [ -n "$slow" ]; then
    { search $next $next; search_starts; } | kill_each
  else
    search $next $next /proc/[0-9]*/environ $next $next | kill_each
  fi
}
kill_marked() {
  if [ -r /proc/self/environ ]; then kill_marked_in_proc; else marked_by_ps | kill_each; fi
}
buffered=--line-buffered
echo x | grep -qs $buffered x || buffered=
if [ -n "$over" ]; then
  kill_marked || { look; [ -n "$known" ] || exit 0; }
else
  gone "1 2"
  signal TERM
  gone "1 2 3 4 5 6 7 8"
fi
until=$(($(date +%s) + 30))
empty=0 turns="1 2 3 4 5"
[ -r /proc/self/environ ] || turns=1
while [ $empty -lt 5 ] && [ "$(date +%s)" -lt "$until" ]; do
  signal KILL
  empty=$((empty + 1))
  [ -n "$known" ] && empty=0
  for turn in $turns; do kill_marked && empty=0; done
  [ $empty -gt 0 ] && { sleep 0.1 || sleep 1; }
done
`;

/** A reaper that keeps being killed is not restarted more often than this. */
const SHORTEST_LIFETIME_MS = 1_000;

/** Process-wide: one reaper watches this process, however many hosts it has. */
let reaper: ChildProcess | undefined;
let isWanted = false;
let lastSent = "";

/**
 * Starts the reaper, so that no server outlives this process, even if it is killed. The reaper does not use Node and
 * blocks nothing.
 */
export function startReaper(): void {
  isWanted = true;
  if (reaper !== undefined) return;
  const child = spawn("/bin/sh", ["-c", REAPER_SCRIPT, "plugboard-reaper"], {
    cwd: "/",
    // The reaper can outlive this process, so it does not inherit its environment.
    env: { PATH: ownPath() },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  reaper = child;
  const startedAt = performance.now();
  const onReaperEnd = (): void => {
    if (reaper !== child) return;
    reaper = undefined;
    const waitMs = startedAt + SHORTEST_LIFETIME_MS - performance.now();
    setTimeout(() => isWanted && startReaper(), Math.max(waitMs, 0)).unref();
  };
  child.once("error", onReaperEnd).once("exit", onReaperEnd);
  child.unref();
  const { stdin }: Partial<Pick<ChildProcess, "stdin">> = child;
  if (!stdin) return; // too many open files; `onReaperEnd` retries a moment later
  stdin.on("error", () => {});
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  stdin.write(lastSent === "" ? `${ownMark()}\n` : `${ownMark()}\n${lastSent}\n`);
}

/** Replaces the list of tracked processes. Sends nothing while the reaper has not read the previous list. */
export function sendToReaper(followed: string): void {
  const input = reaper?.stdin;
  if (followed === lastSent || !input?.writable || input.writableLength > 0) return;
  lastSent = followed;
  input.write(`${followed}\n`);
}

/** Stops the reaper, because all processes have ended as far as this process knows. */
export function stopReaper(): void {
  isWanted = false;
  lastSent = "";
  reaper?.stdin?.end(`over ${retireServerMark()}\n`);
  reaper = undefined;
}
