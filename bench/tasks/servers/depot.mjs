/** Depot: a warehouse. */
import { added, byId, choice, list, matching, number, object, text, tool } from "../define.mjs";

export function createData() {
  return {
    goods: [
      { id: "sku_boot", name: "Rain boots", stock: 3 },
      { id: "sku_coat", name: "Rain coat", stock: 40 },
      { id: "sku_sock", name: "Wool socks", stock: 0 },
    ],
    orders: [
      { id: "ord_7731", customer: "tom@customer.example", lines: ["sku_coat"], state: "unpaid" },
      { id: "ord_7732", customer: "ida@customer.example", lines: ["sku_boot"], state: "packed" },
    ],
    purchases: [],
    shipments: [],
    returns: [],
  };
}

export function createTools(data) {
  const order = text("Id of the order, such as ord_7731");
  return {
    check_stock: tool(
      "Check how many pieces of a product are in stock.",
      { product: text("Part of the product's name") },
      ({ product }) => matching(data.goods, product, "name"),
    ),
    get_order: tool("Get an order by its id.", { orderId: order }, ({ orderId }) =>
      byId(data.orders, orderId),
    ),
    ship_order: tool(
      "Hand a packed order to a carrier.",
      {
        orderId: order,
        carrier: choice("Who delivers", "dhl", "ups", "post"),
        parcel: object("Size of the parcel", { kilograms: number("Weight"), isFragile: { type: "boolean" } }),
      },
      ({ orderId, carrier, parcel }) => {
        Object.assign(byId(data.orders, orderId), { state: "shipped" });
        return added(data.shipments, "shp", { order: orderId, carrier, ...parcel });
      },
    ),
    cancel_order: tool("Cancel an order that has not been shipped.", { orderId: order }, ({ orderId }) =>
      Object.assign(byId(data.orders, orderId), { state: "cancelled" }),
    ),
    restock: tool(
      "Order more pieces from the supplier.",
      {
        lines: list(
          object("A product", { sku: text("Id of the product"), pieces: number("How many") }),
          "What",
        ),
      },
      ({ lines }) =>
        added(data.purchases, "pur", {
          lines: lines.map(({ sku, pieces }) => ({ sku: byId(data.goods, sku).id, pieces })),
        }),
    ),
    correct_stock: tool(
      "Correct the number of pieces after counting.",
      { sku: text("Id of the product"), pieces: number("How many there are") },
      ({ sku, pieces }) => Object.assign(byId(data.goods, sku), { stock: pieces }),
    ),
    accept_return: tool(
      "Register goods that a customer sent back.",
      { orderId: order, condition: choice("How they look", "new", "used", "broken") },
      (facts) => added(data.returns, "ret", { order: byId(data.orders, facts.orderId).id, ...facts }),
    ),
  };
}
