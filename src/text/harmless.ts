/**
 * Characters that no reader sees but that change what is seen: control characters, which a terminal obeys, and those that
 * turn or hide text. They come in names and texts of strangers, and are shown by their number.
 */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

const ANY_UNSEEN = new RegExp(UNSEEN.source)

/** For a terminal: line breaks and tabs are among them. */
export function harmless(text: string): string {
  return ANY_UNSEEN.test(text) ? text.replace(UNSEEN, byNumber) : text
}

/** For documents, and for JSON as it is written: line breaks and tabs stay what they are. */
export function harmlessText(text: string): string {
  return text.replace(UNSEEN, character => (/[\t\n\r]/.test(character) ? character : byNumber(character)))
}

function byNumber(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
