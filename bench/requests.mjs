/**
 * Search requests, and the acceptable tools for each. `sharing` requests have a word in common with an acceptable
 * tool. `synonyms` requests have no word, in any grammatical form, in common with the name, title, description,
 * parameters or server of any acceptable tool. The benchmark checks both with its own rules and skips requests that violate them.
 *
 * `paraphrases` have no word in common either, and describe the task in a completely different way.
 *
 * Tuning set: `sharing`, `synonyms` and `paraphrases`. The table of synonyms was written with knowledge of the first two. The
 * third was written after the table: 35 % were found at first, then it became part of the tuning set.
 * New requests: `keptSharing`, and `keptSynonyms`, which was written when ranking and table were finished, for tools chosen
 * at random, at most four per server (twelve for the largest). Their failures were never inspected. The result of
 * `keptSharing` was known when the weights were chosen, but did not change them. If you change the
 * ranking, inspect the tuning set only. Once failures of new requests are known, move them to the tuning set and write others.
 */
import { laterParaphrases, laterSharing, laterSynonyms } from "./later-requests.mjs";

const sharing = `
show who last changed each line of a file = git/git_blame gitlab/get_file_blame
take a screenshot of the page = devtools/take_screenshot playwright/browser_take_screenshot
create a new issue in the repository = github/create_issue gitlab/create_issue
merge a pull request = github/merge_pull_request
add an emoji reaction to a slack message = slack/slack_add_reaction
post a message to a channel = slack/slack_post_message
which channels are there in slack = slack/slack_list_channels
directions between two points = maps/maps_directions
convert an address to coordinates = maps/maps_geocode
elevation of a mountain = maps/maps_elevation
search the web for something = brave/brave_web_search brave/brave_llm_context tavily/tavily_search
find news articles = brave/brave_news_search
search for images of cats = brave/brave_image_search
read several files at once = filesystem/read_multiple_files
move or rename a file = filesystem/move_file
directory tree as json = filesystem/directory_tree
create entities in the knowledge graph = memory/create_entities
read the whole graph = memory/read_graph
delete relations between entities = memory/delete_relations
list console messages = devtools/list_console_messages playwright/browser_console_messages
emulate a dark color scheme = playwright/browser_emulate_media devtools/emulate
start a performance trace = devtools/performance_start_trace
heap snapshot = devtools/take_heapsnapshot
fill in a form on the page = devtools/fill_form playwright/browser_fill_form devtools/fill
press the enter key = devtools/press_key playwright/browser_press_key
resize the browser window = devtools/resize_page playwright/browser_resize
upload a file through a web page = devtools/upload_file playwright/browser_file_upload
wait for some text to appear = devtools/wait_for playwright/browser_wait_for
accept the dialog = devtools/handle_dialog playwright/browser_handle_dialog
hover over an element = devtools/hover playwright/browser_hover
stash my current changes = git/git_stash
cherry pick a commit = git/git_cherry_pick
rebase onto main = git/git_rebase
clone a repository = git/git_clone
show the commit history = git/git_log gitlab/list_commits github/list_commits git/git_reflog
status of the working tree = git/git_status
fork the repository = github/fork_repository gitlab/fork_repository
search code on github = github/search_code
files changed in a pull request = github/get_pull_request_files
comment on an issue = github/add_issue_comment gitlab/create_issue_note gitlab/create_note
retry the failed pipeline = gitlab/retry_pipeline
output of a pipeline job = gitlab/get_pipeline_job_output
protect a branch = gitlab/protect_branch
milestones of a group = gitlab/list_group_milestones
approve the merge request = gitlab/approve_merge_request
validate the ci yaml = gitlab/validate_ci_lint gitlab/validate_project_ci_lint
what are my to-do items = gitlab/list_todos
labels of a project = gitlab/list_labels
stop an environment = gitlab/stop_environment
run the pipeline every night on a schedule = gitlab/create_pipeline_schedule
create a page in notion = notion/API-post-page
append blocks to a page = notion/API-patch-block-children
retrieve comments from notion = notion/API-retrieve-a-comment
documentation of a programming library = context7/query-docs context7/resolve-library-id
compress a file with gzip = everything/gzip-file-as-resource
sum of two numbers = everything/get-sum
print the environment variables = everything/get-env
download the artifacts of a job = gitlab/download_job_artifacts
conflicts of a merge request = gitlab/get_merge_request_conflicts
profile of a slack user = slack/slack_get_user_profile slack/slack_get_users
reviews on a pull request = github/get_pull_request_reviews github/get_pull_request_comments github/create_pull_request_review
details about a specific place = maps/maps_place_details
search for videos = brave/brave_video_search
audit accessibility with lighthouse = devtools/lighthouse_audit
network requests of the page = devtools/list_network_requests playwright/browser_network_requests
replace lines in a text file = filesystem/edit_file
count documents in a mongodb collection = mongodb/count
run an aggregation on a collection = mongodb/aggregate
list the databases = mongodb/list-databases
create an index on a collection = mongodb/create-index
scale a kubernetes deployment = kubernetes/kubectl_scale
install a helm chart = kubernetes/install_helm_chart
logs of a pod = kubernetes/kubectl_logs
list the records of a table in airtable = airtable/list_records airtable/search_records
find flaky tests = circleci/find_flaky_tests
`;

const synonyms = `
capture a picture of the website = devtools/take_screenshot playwright/browser_take_screenshot
tap something on the site = devtools/click playwright/browser_click
visit a website = devtools/navigate_page playwright/browser_navigate devtools/new_page
complete the questionnaire = devtools/fill_form playwright/browser_fill_form
erase a ticket = gitlab/delete_issue
file a bug report = github/create_issue gitlab/create_issue
report a defect = github/create_issue gitlab/create_issue
leave a remark on a ticket = github/add_issue_comment gitlab/create_issue_note gitlab/create_note
propose my code for inclusion = github/create_pull_request gitlab/create_merge_request
duplicate somebody's codebase = github/fork_repository gitlab/fork_repository
get rid of leftover junk in the checkout = git/git_clean
bring in upstream work = git/git_pull git/git_fetch
hand my work over upstream = git/git_push
undo the latest revision = git/git_reset
put unfinished work aside = git/git_stash
jump over to a different line of development = git/git_checkout git/git_branch
compare two revisions = git/git_diff gitlab/get_branch_diffs
label this revision = git/git_tag
download a codebase onto my machine = git/git_clone
what have I touched and not yet recorded = git/git_status git/git_diff
write an announcement into the team chat = slack/slack_post_message
answer in a conversation = slack/slack_reply_to_thread
who are my colleagues in the chat = slack/slack_get_users
thumbs up for a chat post = slack/slack_add_reaction
what was said lately in the room = slack/slack_get_channel_history
how do I drive to Berlin = maps/maps_directions maps/maps_distance_matrix
how far away is the airport = maps/maps_distance_matrix maps/maps_directions
how high is that mountain = maps/maps_elevation
latitude and longitude of a street = maps/maps_geocode
which street lies at this GPS position = maps/maps_reverse_geocode
somewhere nice to eat = maps/maps_search_places brave/brave_local_search brave/brave_place_search
look something up on the internet = brave/brave_web_search tavily/tavily_search
headlines of the morning = brave/brave_news_search
photos of cats = brave/brave_image_search
movie clips = brave/brave_video_search
make a folder = filesystem/create_directory
view a document = filesystem/read_text_file filesystem/read_file
store a document = filesystem/write_file
locate a document by wildcard = filesystem/search_files
how big is that document = filesystem/get_file_info filesystem/list_directory_with_sizes
show what is inside this folder = filesystem/list_directory filesystem/directory_tree
remember that a person exists = memory/create_entities
connect two people = memory/create_relations
forget a person = memory/delete_entities
what do you remember about Ann = memory/search_nodes memory/open_nodes memory/read_graph
execute something on the site = devtools/evaluate_script playwright/browser_evaluate
which calls did the website make to its backend = devtools/list_network_requests playwright/browser_network_requests
return to the earlier site = playwright/browser_navigate_back devtools/navigate_page
dismiss the popup = devtools/handle_dialog playwright/browser_handle_dialog
film what happens on the site = devtools/screencast_start
where does the RAM go = devtools/take_heapsnapshot
why is the site slow = devtools/performance_start_trace devtools/lighthouse_audit
choose an entry from a menu = playwright/browser_select_option devtools/fill
pull an item over to a different spot = devtools/drag playwright/browser_drag
restart the broken build = gitlab/retry_pipeline gitlab/retry_pipeline_job circleci/rerun_workflow
abort the build = gitlab/cancel_pipeline gitlab/cancel_pipeline_job
what did the build print = gitlab/get_pipeline_job_output circleci/get_build_failure_logs
give my okay to a proposed modification = gitlab/approve_merge_request
who belongs to the team = gitlab/list_group_members gitlab/list_project_members
write a wiki article = notion/API-post-page
what is 3 plus 4 = everything/get-sum
make a document smaller = everything/gzip-file-as-resource
manual of a software module = context7/query-docs context7/resolve-library-id
which account am I = gitlab/whoami notion/API-get-self
everybody in our wiki = notion/API-get-users
find a teammate on the code platform = github/search_users gitlab/get_users
join two lines of development = git/git_merge
start an empty codebase = github/create_repository gitlab/create_repository git/git_init
how many entries are stored = mongodb/count
put a row into the table = mongodb/insert-many airtable/create_record
wipe out a whole table = mongodb/drop-collection
speed up lookups = mongodb/create-index
run more copies of a service = kubernetes/kubectl_scale
go back to the version before = kubernetes/kubectl_rollout
look at what a service printed = kubernetes/kubectl_logs
unreliable checks in the build = circleci/find_flaky_tests
copy the words off a site = tavily/tavily_extract
buyers and their companies = hubspot/hubspot-list-objects
`;

const keptSharing = `
list the working trees = git/git_worktree
which remote repositories are set up = git/git_remote
recover a lost commit from the reference logs = git/git_reflog
show details of one commit = git/git_show gitlab/get_commit
initialize a git repository here = git/git_init
commit the staged changes = git/git_commit
stage a file for the next commit = git/git_add
make a branch on github = github/create_branch
search for a user on github = github/search_users
change an existing issue = github/update_issue gitlab/update_issue
open pull requests of a repository = github/list_pull_requests
are the status checks of the pull request green = github/get_pull_request_status
write a single file into the github repository = github/create_or_update_file github/push_files
cancel a running pipeline = gitlab/cancel_pipeline
environments of the project = gitlab/list_environments
what events happened in the project = gitlab/get_project_events gitlab/list_events
new label for the project = gitlab/create_label
protected branches = gitlab/list_protected_branches
mark all todos as done = gitlab/mark_all_todos_done gitlab/mark_todo_done
test report of the pipeline = gitlab/get_pipeline_test_report gitlab/get_pipeline_test_report_summary
resolve a thread on a merge request = gitlab/resolve_merge_request_thread
set the default branch = gitlab/update_default_branch
replies in a slack thread = slack/slack_get_thread_replies slack/slack_reply_to_thread
travel time between several cities = maps/maps_distance_matrix maps/maps_directions
search for places in Rome = maps/maps_search_places brave/brave_place_search brave/brave_local_search
summary of web search results = brave/brave_summarizer
move a page in notion = notion/API-move-page
delete a block = notion/API-delete-a-block
query a data source = notion/API-query-data-source
all users in notion = notion/API-get-users
drop a collection = mongodb/drop-collection
explain how a query is executed = mongodb/explain
export query results from mongodb = mongodb/export
rename a collection = mongodb/rename-collection
statistics of a database = mongodb/db-stats
insert documents into mongodb = mongodb/insert-many
execute a command in a pod = kubernetes/exec_in_pod
forward a port = kubernetes/port_forward
close a browser tab = playwright/browser_tabs playwright/browser_close devtools/close_page
select an option in a dropdown = playwright/browser_select_option devtools/fill
drag one element onto another = devtools/drag playwright/browser_drag
css rules of an element = devtools/get_css_styles
record a screencast = devtools/screencast_start
directories I am allowed to access = filesystem/list_allowed_directories
find files that match a pattern = filesystem/search_files
add an observation to an entity = memory/add_observations
`;

const paraphrases = `
keep two versions of the sources open side by side = git/git_worktree
check in my modifications = git/git_commit
mark sources as ready to be checked in = git/git_add
where is my code hosted = git/git_remote
I lost my work, where did it go = git/git_reflog
put this folder under version control = git/git_init
amend a ticket = github/update_issue gitlab/update_issue
is the proposal green = github/get_pull_request_status
which proposals await a decision = github/list_pull_requests gitlab/list_merge_requests
end the build early = gitlab/cancel_pipeline gitlab/cancel_pipeline_job
a category for tickets = gitlab/create_label
what is waiting for me = gitlab/list_todos
check everything off = gitlab/mark_all_todos_done
settle an argument about the code = gitlab/resolve_merge_request_thread
what did people respond = slack/slack_get_thread_replies
how long is the trip by car = maps/maps_distance_matrix maps/maps_directions
pharmacies around here = maps/maps_search_places brave/brave_local_search brave/brave_place_search
opening hours of a shop = maps/maps_place_details
condense what the internet says = brave/brave_summarizer
relocate an article = notion/API-move-page
throw out a paragraph = notion/API-delete-a-block
entries that meet a condition = notion/API-query-data-source mongodb/find
which tables exist = mongodb/list-collections airtable/list_tables
why is this lookup slow = mongodb/explain
retitle a table = mongodb/rename-collection airtable/update_table
put several entries into a table = mongodb/insert-many
amend the entries that fit = mongodb/update-many
open a shell in a container = kubernetes/exec_in_pod
what runs on my machines = kubernetes/kubectl_get
reach a service from my laptop = kubernetes/port_forward
one more window = playwright/browser_tabs devtools/new_page
which font does this heading have = devtools/get_css_styles
put the mouse above it = devtools/hover playwright/browser_hover
enter words into the box = devtools/type_text playwright/browser_type devtools/fill
hit escape = devtools/press_key playwright/browser_press_key
be patient until it loads = devtools/wait_for playwright/browser_wait_for
make the viewport phone sized = devtools/resize_page playwright/browser_resize devtools/emulate
hand in a CV on a site = devtools/upload_file playwright/browser_file_upload
when was this document last touched = filesystem/get_file_info
which folders may you touch = filesystem/list_allowed_directories
swap a word in a document = filesystem/edit_file
relocate a document = filesystem/move_file
learn a fact about someone = memory/add_observations
which facts do you know = memory/read_graph memory/search_nodes memory/open_nodes
photograph of a sunset = brave/brave_image_search
films about whales = brave/brave_video_search
lock down the main line = gitlab/protect_branch
a machine-readable outline of a folder = filesystem/directory_tree
`;

const keptSynonyms = `
invoke an instruction inside a docker box = kubernetes/exec_in_pod
drop a remark in our wiki = notion/API-create-a-comment
modify a proposal = gitlab/update_merge_request
punch a button on the keypad = playwright/browser_press_key devtools/press_key
grab a photo of my screen = devtools/take_screenshot playwright/browser_take_screenshot
compute how far several towns are apart = maps/maps_distance_matrix
the way from my house to the station = maps/maps_directions maps/maps_distance_matrix
leave feedback on a proposal = gitlab/create_merge_request_note gitlab/create_merge_request_thread gitlab/create_merge_request_discussion_note github/create_pull_request_review gitlab/create_note
pause until the build is over = gitlab/wait_for_pipeline gitlab/wait_for_job
judge somebody's proposed patch = github/create_pull_request_review
erase a team's target = gitlab/delete_group_milestone
replicate a codebase = git/git_clone github/fork_repository gitlab/fork_repository
begin a fresh codebase = git/git_init github/create_repository gitlab/create_repository
append a row = airtable/create_record mongodb/insert-many
modify the settings of a codebase = gitlab/update_project
enumerate the tables = mongodb/list-collections airtable/list_tables
browse to a site = playwright/browser_navigate devtools/navigate_page devtools/new_page
translate a street into latitude and longitude = maps/maps_geocode
revoke my okay for a proposal = gitlab/unapprove_merge_request
halt the video capture = devtools/screencast_stop
differences in a proposal = gitlab/get_merge_request_diffs gitlab/list_merge_request_diffs gitlab/get_merge_request_file_diff github/get_pull_request_files
repeat a broken build = circleci/rerun_workflow gitlab/retry_pipeline gitlab/retry_pipeline_job
translate latitude and longitude into a street = maps/maps_reverse_geocode
all people in our wiki = notion/API-get-users
erase connections between people = memory/delete_relations
make a spreadsheet = airtable/create_table
locate some source text = github/search_code
structure of a table = mongodb/collection-schema airtable/describe_table
attach a document on a site = devtools/upload_file playwright/browser_file_upload
transfer an article elsewhere = notion/API-move-page
relabel a table = mongodb/rename-collection airtable/update_table
scrape a site = tavily/tavily_crawl tavily/tavily_extract
mark a version = git/git_tag
slide an item to some other position = devtools/drag playwright/browser_drag
movies on a subject = brave/brave_video_search
start a line of development = github/create_branch gitlab/create_branch git/git_branch
a small picture = everything/get-tiny-image
addition of 2 and 5 = everything/get-sum
hierarchy of a folder = filesystem/directory_tree gitlab/get_repository_tree
identify a software package = context7/resolve-library-id
display a document = filesystem/read_file filesystem/read_text_file
erase persons = memory/delete_entities
cafes in the neighbourhood = brave/brave_place_search brave/brave_local_search maps/maps_search_places
show everything you memorized = memory/read_graph
load several documents together = filesystem/read_multiple_files
google a question = tavily/tavily_search brave/brave_web_search
handbook of a framework = context7/query-docs
respond to a conversation = slack/slack_reply_to_thread
what was written in the room earlier = slack/slack_get_channel_history
like a post = slack/slack_add_reaction
memorize persons = memory/create_entities
investigate a subject thoroughly = tavily/tavily_research
who is this colleague = slack/slack_get_user_profile
`;

/** Requests as `{ text, tools, isKept }`. A tool is `server/name`. */
export const requests = {
  sharing: [...read(sharing, false), ...read(keptSharing, true), ...read(laterSharing, true)],
  synonyms: [...read(synonyms, false), ...read(keptSynonyms, true), ...read(laterSynonyms, true)],
  paraphrases: [...read(paraphrases, false), ...read(laterParaphrases, true)],
};

function read(lines, isKept) {
  return lines
    .trim()
    .split("\n")
    .map((line) => {
      const [text, tools] = line.split(" = ");
      return { text, tools: tools.split(" "), isKept };
    });
}
