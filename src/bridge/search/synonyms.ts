import { stem } from "./search-words.ts";

/**
 * Synonyms: the words that tools use, and after the colon the words that people use. Two words joined by a hyphen are one expression.
 * The words before the colon are synonyms of each other; those after it are synonyms of the words before it.
 */
const GROUPS = `
create add new: make insert open register provision generate start begin set-up file report write compose draft raise log jot propose build produce establish introduce another one-more
delete remove: erase drop destroy discard trash purge clear wipe rid get-rid forget throw throw-away throw-out eliminate unlink take-away kill clean cut strip scrap
clean: leftover junk tidy sweep unwanted cruft
update edit: modify change alter patch set revise rename adjust correct fix amend rewrite tweak replace put swap touch refresh
read retrieve fetch get: load view show display see open inspect look look-at print tell peek examine check-out download bring copy pull obtain return grab know
list: enumerate every everything browse index overview which show display inside contents available everybody everyone people exist there outline
search find: query lookup look-up locate discover grep look hunt seek filter wildcard match meet track-down
write: save store put persist dump record keep document
edit: replace substitute swap
send post: submit publish deliver dispatch share announce tell write announcement say broadcast
push: publish send upload upstream deliver hand hand-over
pull fetch: bring bring-in upstream sync download refresh
message chat: dm notify notification text ping email mail letter announcement post conversation team line
email mail: message letter inbox correspondence
channel: room conversation group chat
history log: past earlier recent lately recently previous said happened ago audit trail timeline journal
thread discussion: conversation topic argument debate
reply: answer respond react response
reaction emoji: thumbs thumb like smiley heart upvote
note comment: remark annotation reply feedback answer opinion
profile user: person account bio
user member: person people account colleague coworker teammate contact everybody everyone who staff belong employee participant
team group organization: workspace org company department crew squad
file document: doc text attachment content data source sources sheet paper
directory folder: dir path location
working tree: sources version side
info detail metadata: size big large old age date how-big length properties facts about touched modified when
describe detail: explain about tell
size: big large bytes small smaller space
compress gzip: smaller zip shrink pack archive squeeze reduce
move: rename transfer relocate shift pull
rename: retitle relabel call
drag: pull slide shift move
copy duplicate clone fork: replicate mirror copies own
repository project: repo codebase code sources version-control
init: begin start version-control
clone: download checkout machine
remote: hosted host origin server upstream elsewhere
commit: revision changeset version snapshot record save checkpoint check-in modification
stage staging: ready prepare mark
branch: line-of development ref head lines variant line
checkout switch: jump change go different other
merge: combine join integrate unite unify pull-request
pull: merge-request
request: proposal propose inclusion contribution proposed modification
multiple many: several at-once together simultaneously bulk batch
rebase: replay
reset revert undo: back previous latest restore roll-back rollback
reflog: lost gone recover
stash: aside put-aside shelve unfinished later park
worktree: parallel side-by copies
tag label: mark release version sticker name category
release version tag: ship
status: state touched recorded uncommitted pending dirty condition okay health green passing progress
diff difference: compare comparison changed between versions revisions delta
blame: author wrote responsible whom
review approve: okay consent agree accept sign-off permit confirm ok bless decision
resolve: settle solve close fix
issue: ticket bug defect story problem report incident complaint
task todo: reminder job chore errand remember await waiting pending duty
complete done close: finish tick tick-off resolve check-off off
milestone: goal sprint deadline target
pipeline: build ci workflow run
job: build step run
build: compile ci pipeline
retry rerun: restart again repeat broken redo
cancel stop: halt kill terminate abort end quit interrupt early
output log trace: print printed said say stdout console
test: check verify validate suite spec checks
lint validate: check correct syntax verify
flaky: unreliable unstable intermittent
deploy release: ship rollout publish online live launch
rollout: back previous version before undo rollback
environment: stage staging production
label: tag category
calendar event: schedule agenda meeting appointment booking
schedule: nightly night every recurring cron regularly periodically timer
date time: day clock when now today hour
navigate: visit browse go open goto website site url surf
page: website web site webpage tab url
web: internet online website net world
back: return earlier previous
tab page: window
click: press tap push button hit touch
key keyboard press: hit escape enter button shortcut
type: enter write text input words
fill form: questionnaire enter complete input survey application fields box
select option: choose pick dropdown menu entry
hover: mouse pointer cursor above
wait: patient patience until pause sleep load loaded
screenshot: capture picture image photo snapshot print screen look
snapshot: capture picture
screencast: film record movie video recording
evaluate script javascript: execute run code snippet program
execute exec run: launch start invoke perform evaluate trigger shell
network request: call traffic fetch http backend api xhr
console: log print error
css style: font color colour look appearance layout heading design
dialog: popup modal alert prompt window
performance trace: slow speed fast lag sluggish loading profile
heap: ram memory leak consumption
lighthouse audit: quality slow seo accessibility
accessibility: blind a11y
emulate: simulate pretend mobile phone
resize: bigger smaller larger dimension viewport phone
upload: attach import send hand hand-in
image: picture photo photograph graphic drawing illustration
video: clip movie film recording footage record
audio: sound voice speech music song
news: headline headlines press journalism happening current
summary summarizer: digest short gist tldr overview brief condense
place: restaurant shop store nearby venue cafe eat spot location hotel bar near pharmacy around here
local place: nearby around eat restaurant near here
detail place: opening hours
direction: drive route way path walk navigate navigation travel trip go car
distance: far away long travel drive miles kilometers trip
elevation: high height altitude tall
geocode address: street latitude longitude gps position coordinate house
reverse geocode: gps position street
coordinate: latitude longitude gps position
weather forecast: temperature rain climate sunny
database: db sql storage
collection table: dataset
row record document: entry entries line item
insert: put add
count: number total many how-many amount
index: speed fast lookup lookups faster
explain: slow why plan reason
schema: structure columns fields shape layout
property field: attribute column
query filter: select ask question statement condition criteria meet
aggregate: group summarize total statistics
drop: wipe
metric statistic stats: measure monitor usage numbers figures
dashboard chart graph: plot visualize diagram
error: exception failure crash bug problem wrong
alert alarm: incident
money price payment: cost pay charge invoice bill fee subscription
customer client: buyer
company contact deal object: buyer crm client lead business customers
order purchase: buy shop
product: item article goods
translate: language
convert: transform change format turn
sum: plus add addition total calculate compute math arithmetic together
calculate: compute math arithmetic figure
echo: repeat parrot
entity node: person thing concept memory fact someone remember
observation: fact facts remember note know learn
create entity: remember memorize
relation: connect link associate relate relationship edge connection between
association relation: connect
graph knowledge: memory remember know brain recall facts
search node: remember recall know
permission access: role grant rights allowed
allowed: may permitted permission
protect: lock lock-down guard forbid secure
secret: password credential token key
variable: setting parameter value
container pod: docker workload service running
pod: container service
kubernetes cluster: k8s machines
port forward: reach tunnel laptop
scale: more copies replicas bigger grow resize instances
kubectl: cluster service container pod machines runs
server instance: machine vm host computer
process: program app application running
app: program application service
function: lambda code
bucket: s3 storage
page: wiki article entry
notion: wiki notes
move page: article
block: paragraph section text
self whoami: me myself account logged am who identity
sheet spreadsheet: excel cell
slide presentation: deck powerpoint
documentation docs: manual guide reference handbook tutorial howto help api explain learn
library: framework package module sdk dependency software
env: settings
tree: outline hierarchy structure nested
json: machine-readable structured
crawl extract scrape: website site content words copy
research: investigate study explore
workflow: automation process
engagement: interaction contact
star favorite: like
follow subscribe: watch
toggle: switch turn on off enable disable
simulate: fake pretend
archive: shelve retire
assign: give hand delegate
duration time: long
health: alive ping working up
namespace: group scope
artifact: result file product
deployment: rollout release
conflict: clash collision
draft: unfinished provisional
promote: raise advance
trigger: start fire launch
schema: model
stock: quote market share
crypto: coin bitcoin
flight: plane airline
hotel: stay accommodation
mobile device: phone smartphone handset cellphone tablet
uninstall: remove delete get-rid
install: add set-up
crash: dying died hang freeze broke
clipboard: copied copy paste
feature flag: toggle switch experiment
price: cost expensive cheap fee tariff
refund: money-back give-back pay-back reimburse return
invoice receipt: bill
transaction payment: paid purchase sale
subscription: plan membership renewal
balance: money
variant: size version
order: bought buy purchase
stock inventory: left available quantity
discount coupon: sale voucher promo cheaper reduction
cart checkout: basket
voice: speaker narrator
split expand: chop break break-down divide pieces parts
merge: unify
pack: bundle wrap
reset: default original factory
logout: log-out sign-out
login: log-in sign-in
publish: live public
unpublish: take-down offline hide
entry content: article post blog
asset media: picture image photo file
filter rule: automatic automatically always
mailbox setting: vacation away auto-reply
appointment event: meeting date agenda
decline: turn-down refuse reject
accept: agree join
invite: ask guest attend
availability free: busy slot
reminder: remind nudge
attach: hook hook-up mount connect plug
detach: unplug unmount disconnect
reboot restart: stuck frozen
start: power-on turn-on boot wake
stop shutdown: power-off turn-off shut-down
resize: upgrade bigger smaller ram cpu
volume disk: drive storage
firewall: port block inbound traffic
backup: restore copy
machine: box host computer
audit: history changed
back previous: return before
recording: film video capture
map crawl: link url address page
scrape extract: pull grab
itinerary trip: travel journey vacation holiday tour
accommodation: apartment flat room lodging
restaurant: eat dinner lunch food cafe
timezone time: clock noon midnight
ticker quote symbol: stock share
recommendation: advice expert analyst opinion
dividend: payout
holder: owner investor
channel: creator
transcript caption: subtitles
playlist: series songs
fill color: paint highlight shade background
row: line entry
column field: header attribute
formula: calculate
sort: order rank
funnel: step drop
chart graph: plot diagram draw visualize picture
quality grade: rating score
vulnerability security: hole weakness exploit risk safe
dependency: library package
cycle: loop circular
coverage: tested untested
status check: green red passing
failure: fail broke broken
burndown: progress sprint
milestone cycle: sprint iteration
backlog: later
estimate: points effort
priority: urgent important
next: first
scope: smaller bigger reduce
blocked: stuck waiting
role permission: right access
guild server: community
ban kick: throw-out remove block
mute: silence quiet
pin: stick
webhook: callback endpoint
replay retry: again once-more resend
export dump: download save
import: load upload
component: widget ui
registry: library catalog
command: terminal shell
note: memo jot
vault: notes
sim simulator: simulated emulator
`;

/** Weights: people's word for a tool's word, two tools' words, and two people's words. */
const [SAID, ALIKE, SIBLING] = [0.85, 0.6, 0.1];

let table: ReadonlyMap<string, ReadonlyMap<string, number>> | undefined;
const NONE: ReadonlyMap<string, number> = new Map();

/** Returns the synonyms of a stem and their weights. An expression is two stems with a space between them. */
export function synonymsOf(words: string): ReadonlyMap<string, number> {
  table ??= readTable();
  return table.get(words) ?? NONE;
}

function readTable(): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const found = new Map<string, Map<string, number>>();
  const relate = (from: string, to: string, weight: number): void => {
    if (from === to) return;
    const known = found.get(from) ?? new Map<string, number>();
    known.set(to, Math.max(known.get(to) ?? 0, weight));
    found.set(from, known);
  };
  for (const line of GROUPS.trim().split("\n")) {
    const [named = [], said = []] = line.split(":").map(stemsOf);
    for (const name of named) {
      for (const other of named) relate(name, other, ALIKE);
      for (const word of said) {
        relate(word, name, SAID);
        relate(name, word, SIBLING);
      }
    }
    for (const word of said) for (const other of said) relate(word, other, SIBLING);
  }
  return found;
}

function stemsOf(words: string): string[] {
  return words
    .trim()
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => word.split("-").map(stem).join(" "));
}
