/** The checks of `doctor`, in one module because it runs all of them. */
export { checkPackages, repairPackages } from "./check-packages.ts";
export { checkPrograms } from "./check-programs.ts";
export { checkTools } from "./check-tools.ts";
