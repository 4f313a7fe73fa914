/** The person, or the command line, that a second factor is settled with. */

/** `ARS`: a voice call reads the code; `OTP`: it comes by e-mail. */
export const authTypes = ["ARS", "OTP"] as const;
export type AuthType = (typeof authTypes)[number];

/** A code that was sent, as far as the service tells of it. */
export interface CodeDelivery {
  readonly transactionId: string;
  readonly authType: AuthType;
  /** Masked. */
  readonly destination: string;
  readonly codeLength: number;
  readonly dateExpires: string | undefined;
}

/** What the service says of the code that was given last. */
export type CodeRejection =
  | { readonly kind: "wrong"; readonly attemptsLeft: number | undefined }
  | { readonly kind: "expired" };

/** What is told of a code that nobody could type yet. */
export interface SentCode {
  readonly transactionId?: string | undefined;
  readonly destination?: string | undefined;
  readonly dateExpires?: string | undefined;
}

export interface Conversation {
  /** A code that was asked for earlier: it goes with the first request, and nothing is asked. */
  readonly proof:
    | { readonly authType: AuthType; readonly transactionId: string; readonly token: string }
    | undefined;
  /** How the code is to come; undefined where nobody says. */
  readonly means: (offered: readonly AuthType[]) => Promise<AuthType | undefined>;
  /** The code, `again` for another one, undefined where there is nobody to type it. */
  readonly code: (
    delivered: CodeDelivery,
    complaint: CodeRejection | undefined,
  ) => Promise<string | "again" | undefined>;
  /** The service sends another code only after this time; false where nobody waits for it. */
  readonly countdown: (ms: number) => Promise<boolean>;
  /** What finishes the operation later; undefined while no code was sent. */
  readonly todo: (sent: SentCode) => string;
}
