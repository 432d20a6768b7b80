import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { sha256 } from "../sha256.ts";

export const TOKEN_PREFIX = "ragstone_live_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 190 random bits. */
const SECRET_LENGTH = 32;
/** Holds a CRC-32: 62 ** 6 is more than 2 ** 32. */
const CHECKSUM_LENGTH = 6;
const TOKEN_FORMAT = new RegExp(`^${TOKEN_PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** Generates a token: prefix, secret, and a checksum of both, which detects typos without a database query. */
export function generateToken(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
  return `${TOKEN_PREFIX}${secret}${checksum(TOKEN_PREFIX + secret)}`;
}

/** Whether the text has the format and the checksum of a token. */
export function isToken(text: string): boolean {
  return TOKEN_FORMAT.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** SHA-256, hex: a secret of 190 bits needs no slow hash, and this hash can be looked up. */
export function hashToken(token: string): string {
  return sha256(token);
}

/** The only part of a token that is shown again. */
export function maskToken(last4: string): string {
  return `${TOKEN_PREFIX}************${last4}`;
}

/** CRC-32 in base 62. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
