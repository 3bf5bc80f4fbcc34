/**
 * The letters in which byte-level tokenizers write bytes (GPT-2's): a printable byte is its own Latin-1 character, any
 * other one of the characters from 256 on, so that a vocabulary is readable text. Sorted by letter, as the vocabulary
 * begins.
 */
const isPrintable = (byte: number): boolean =>
  (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae

const all = Array.from({ length: 256 }, (_, byte) => byte)
const hidden = all.filter(byte => !isPrintable(byte))

const LETTER_OF_BYTE: readonly string[] = all.map(byte =>
  String.fromCharCode(isPrintable(byte) ? byte : 256 + hidden.indexOf(byte)),
)
const BYTE_OF_LETTER: ReadonlyMap<string, number> = new Map(LETTER_OF_BYTE.map((letter, byte) => [letter, byte]))

export const BYTE_LETTERS: readonly string[] = LETTER_OF_BYTE.toSorted()

const encoder = new TextEncoder()

/** A text as the letters of its UTF-8 bytes. */
export function lettersOf(text: string): string {
  let letters = ''
  for (const byte of encoder.encode(text)) letters += LETTER_OF_BYTE[byte]
  return letters
}

export function bytesOf(letters: string): Uint8Array {
  return Uint8Array.from(letters, letter => BYTE_OF_LETTER.get(letter) ?? 0)
}
