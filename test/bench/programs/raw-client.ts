/** The floor of single sends: one socket per lane, request text written by hand, the answer read to its length. */
import { connect, type Socket } from "node:net";
import { recipient, signed, timedSends } from "./timed-sends.ts";

const { hostname, port } = new URL(process.argv[2] ?? "");
const idle: Socket[] = [];

const request = (index: number): string => {
  const body = `{"message":{"to":"${recipient(index)}","from":"0200000000","text":"hello"}}`;
  return `POST /messages/v4/send HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: ${signed()}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
};

const complete = (text: string): boolean => {
  const head = text.indexOf("\r\n\r\n");
  return head >= 0 && text.length >= head + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1]);
};

await timedSends(async (index) => {
  const socket = idle.pop() ?? connect(Number(port), hostname).setNoDelay();
  await new Promise<void>((resolve, reject) => {
    const chunks: string[] = [];
    const read = (chunk: Buffer): void => {
      chunks.push(chunk.toString("latin1"));
      if (!complete(chunks.join(""))) return;
      socket.off("data", read).off("error", reject);
      resolve();
    };
    socket.on("data", read).on("error", reject).write(request(index));
  });
  idle.push(socket);
});
for (const socket of idle) socket.destroy();
