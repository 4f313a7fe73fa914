/** Pages of `msg help <topic>`, by the name of the topic. */
export { default as agents } from "./topics/campaigns/agents.txt";
export { default as approval } from "./topics/campaigns/approval.txt";
export { default as canary } from "./topics/campaigns/canary.txt";
export { default as "many-machines" } from "./topics/campaigns/many-machines.txt";
export { default as plans } from "./topics/campaigns/plans.txt";
export { default as dates } from "./topics/dates.txt";
export { default as environment } from "./topics/environment.txt";
export { default as "exit-codes" } from "./topics/exit-codes.txt";
export { default as filters } from "./topics/filters.txt";
export { default as limits } from "./topics/limits.txt";
export { default as output } from "./topics/output.txt";
export { default as reliability } from "./topics/reliability.txt";
export { default as runs } from "./topics/runs.txt";
export { default as sandbox } from "./topics/sandbox.txt";
export { default as sending } from "./topics/sending.txt";
