/** What every program that sends one message at a time has in common. */
import { createHmac, randomBytes } from "node:crypto";

/** Sends `count` messages, 16 at once, and prints how many were answered per second. */
export const timedSends = async (send: (index: number) => Promise<void>): Promise<void> => {
  const count = Number(process.argv[3]);
  const next = Array.from({ length: count }, (_, index) => index).values();
  const lane = async (): Promise<void> => {
    for (const index of next) await send(index);
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: 16 }, lane));
  process.stdout.write(String((count / (performance.now() - start)) * 1_000));
};

export const recipient = (index: number): string => `010${String(index).padStart(8, "0")}`;

/** The header of a signed request, in as few steps as it takes. */
export const signed = (): string => {
  const date = new Date().toISOString();
  const salt = randomBytes(16).toString("hex");
  const signature = createHmac("sha256", "SANDBOXSECRET0000000000000000000")
    .update(date + salt)
    .digest("hex");
  return `HMAC-SHA256 apiKey=SANDBOXKEY000001, date=${date}, salt=${salt}, signature=${signature}`;
};
