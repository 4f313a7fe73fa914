import { templateHiding } from "./hide.ts";

export default templateHiding("unhide");
