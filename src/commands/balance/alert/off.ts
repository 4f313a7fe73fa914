import { alertSwitch } from "./on.ts";

export default alertSwitch("off");
