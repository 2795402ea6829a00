/** Relay: team chat. */
import { added, byId, list, matching, text, tool } from "../define.mjs";

export function createData() {
  return {
    channels: [
      { id: "ch_ops", name: "ops" },
      { id: "ch_sales", name: "sales" },
      { id: "ch_all", name: "everyone" },
    ],
    posts: [
      { id: "pst_1", channel: "ch_ops", author: "bo", body: "search is slow since noon" },
      { id: "pst_2", channel: "ch_sales", author: "carla", body: "Acacia Foods wants a call" },
    ],
    direct: [],
    reminders: [],
  };
}

export function createTools(data) {
  const channel = text("Id of the channel, such as ch_ops");
  return {
    list_channels: tool("List the channels.", {}, () => data.channels),
    post_message: tool(
      "Post a message to a channel.",
      { channelId: channel, body: text("The message") },
      ({ channelId, body }) => added(data.posts, "pst", { channel: byId(data.channels, channelId).id, body }),
    ),
    send_direct_message: tool(
      "Send a private message to people.",
      { emails: list({ type: "string" }, "Who gets it"), body: text("The message") },
      (facts) => added(data.direct, "dm", facts),
    ),
    search_posts: tool("Search posts in all channels.", { query: text("Words to look for") }, ({ query }) =>
      matching(data.posts, query, "body"),
    ),
    read_channel: tool("Read the latest posts of a channel.", { channelId: channel }, ({ channelId }) =>
      data.posts.filter((each) => each.channel === channelId),
    ),
    create_channel: tool(
      "Create a channel.",
      { name: text("Its name"), "members?": list({ type: "string" }, "Email addresses") },
      ({ name, members = [] }) => added(data.channels, "ch", { name, members }),
    ),
    pin_post: tool(
      "Pin a post to the top of its channel.",
      { postId: text("Id of the post") },
      ({ postId }) => Object.assign(byId(data.posts, postId), { isPinned: true }),
    ),
  };
}
