/** Mistakes that let a retry and another machine send the same rows, or say that they did. */
import type { Break } from "./breaks.ts";

const fields = "src/send/claims/group-fields.ts";

export const retryBreaks: readonly Break[] = [
  {
    id: "retry of a part",
    what: "a group with rows of the list passes for the own numbers of another run's canary",
    edits: [
      {
        file: "src/send/claims/rivals.ts",
        find: '  customField(group, "msg.in") === claim?.id &&\n',
        put: "",
      },
    ],
  },
  {
    id: "retry of a plan",
    what: "all groups of the retried run count as its own, though a plan gives several machines one run",
    edits: [
      {
        file: fields,
        find: "retriedRuns.some(({ sent }) => sent.includes(group.groupId))",
        put: 'retriedRuns.some(({ run }) => run === customField(group, "msg.run"))',
      },
    ],
  },
  {
    id: "retry of a list",
    what: "two retries of one list, by two machines where it had failed, do not know of each other",
    edits: [
      {
        file: fields,
        find: "(isOfSameRun || isOfSameList)",
        put: "(isOfSameRun || (isOfSameList && rows === own.rows))",
      },
    ],
    elsewhere: {
      test: "test/faults/retry-elsewhere.test.ts: the list fails on two machines, and is retried on both",
      because:
        "the group of the first machine has to fail, and then that of the second one, before either is retried: chance seldom brings that about",
    },
  },
  {
    id: "retry in doubt",
    what: "a group in doubt that was deleted for a list, which was then retried, stays in doubt",
    edits: [
      {
        file: "src/send/protocol/claims.ts",
        find: 'return [...taking, ...gone, stop("refused")];',
        put: 'return [stop("refused")];',
      },
    ],
  },
  {
    id: "refused twice",
    what: "a row that was refused in two groups was sent twice",
    edits: [
      {
        file: "src/send/protocol/state.ts",
        find: "countAlsoTaken(state, group) - refused)",
        put: "countAlsoTaken(state, group) - refused * 0)",
      },
    ],
    elsewhere: {
      test: "test/faults/retry-elsewhere.test.ts: a row that was refused in a group of its own and in one of another run",
      because:
        "one machine has to cut the list so that a refused row is alone in a group, and stop behind that: seed 20,400 was the first",
    },
  },
];
