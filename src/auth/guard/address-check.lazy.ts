export { addressClass } from "./address-class.ts";
