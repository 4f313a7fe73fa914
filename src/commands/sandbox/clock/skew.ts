import { clockShift } from "./advance.ts";

export default clockShift(
  "skew",
  "how far the signature clock is ahead of real time, such as 15m; 0: not at all",
  "how far the signature clock is ahead of real time, such as 15m",
  ["msg sandbox clock skew 15m", "msg sandbox clock skew -20m", "msg sandbox clock skew 0"],
);
