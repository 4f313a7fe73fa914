import { rechargeSwitch } from "./on.ts";

export default rechargeSwitch("off");
