/**
 * Properties play the same cases in every run, so that what a run says is about the change it tests.
 * `SEED=n npx vitest run --config test/vitest.config.ts` plays others.
 */
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.SEED ?? 1) });
