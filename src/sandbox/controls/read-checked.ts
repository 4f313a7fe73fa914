/** Reads a member that is written in a form of its own, which its schema has let through. */
export const readChecked = <T>(read: (text: string) => T | undefined, text: string): T => {
  const value = read(text);
  if (value !== undefined) return value;
  throw new Error(`The schema let through '${text}', which cannot be read.`);
};
