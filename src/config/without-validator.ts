/**
 * Stands in for `ajv` and `ajv-formats` in the built program: `conf` imports them always and uses them
 * with its `schema` option only, which is not used here. They would be most of its load time.
 */

/** Reached only where someone gives `conf` a schema. */
export class Ajv2020 {
  constructor() {
    throw new Error("conf's schema option is not built in: config/profiles.ts checks the settings");
  }
}

const formats = (): void => undefined;

export { formats as default };
