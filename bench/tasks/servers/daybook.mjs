/** Daybook: a calendar. */
import { added, byId, list, matching, number, object, text, tool } from "../define.mjs";

export function createData() {
  return {
    events: [
      { id: "evt_1", title: "Design review", start: "2026-03-12T10:00", guests: ["ana@team.example"] },
      { id: "evt_2", title: "Dentist", start: "2026-03-13T08:30", guests: [] },
      { id: "evt_3", title: "Quarterly planning", start: "2026-03-20T09:00", guests: [] },
    ],
    rooms: [
      { id: "room_oak", name: "Oak", seats: 4 },
      { id: "room_elm", name: "Elm", seats: 12 },
    ],
    bookings: [],
  };
}

export function createTools(data) {
  const event = text("Id of the event, such as evt_1");
  const start = text("Local time, as YYYY-MM-DDTHH:MM");
  const checkStart = (time) => {
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(time))
      throw new Error('"start" must be a local time in the form YYYY-MM-DDTHH:MM.');
  };
  return {
    search_events: tool("Search events by title.", { query: text("Words of the title") }, ({ query }) =>
      matching(data.events, query, "title"),
    ),
    create_event: tool(
      "Create an event and invite guests.",
      {
        title: text("What it is"),
        start,
        minutes: number("How long it takes"),
        "guests?": list({ type: "string" }, "Email addresses of guests"),
      },
      (facts) => {
        checkStart(facts.start);
        return added(data.events, "evt", { guests: [], ...facts });
      },
    ),
    reschedule_event: tool("Move an event to another time.", { eventId: event, start }, (facts) => {
      checkStart(facts.start);
      return Object.assign(byId(data.events, facts.eventId), { start: facts.start });
    }),
    cancel_event: tool(
      "Cancel an event and tell its guests.",
      { eventId: event, "message?": text("For the guests") },
      ({ eventId }) => Object.assign(byId(data.events, eventId), { isCancelled: true }),
    ),
    add_guests: tool(
      "Invite more guests to an event.",
      { eventId: event, guests: list({ type: "string" }, "Email addresses") },
      ({ eventId, guests }) => {
        const mine = byId(data.events, eventId);
        mine.guests.push(...guests);
        return mine;
      },
    ),
    find_rooms: tool(
      "Find meeting rooms with enough seats.",
      { seats: number("How many people") },
      ({ seats }) => data.rooms.filter((room) => room.seats >= seats),
    ),
    book_room: tool(
      "Book a meeting room for an event.",
      {
        roomId: text("Id of the room"),
        booking: object(
          "What it is for",
          { eventId: event, setup: text("Seating, such as circle or rows") },
          ["eventId"],
        ),
      },
      ({ roomId, booking }) =>
        added(data.bookings, "bkg", {
          room: byId(data.rooms, roomId).id,
          event: byId(data.events, booking.eventId).id,
        }),
    ),
  };
}
