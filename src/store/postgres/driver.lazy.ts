/** The database's driver, in a file of its own: the build may put other code into the files that use it, which must load without the driver. */
export { default } from "pg";
