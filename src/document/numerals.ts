/** Small counts as reports write them: "three", 三, 3. */
const NUMERALS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    eleven: 11,
    twelve: 12,
    两: 2,
    二: 2,
    三: 3,
    四: 4,
    五: 5,
    六: 6,
    七: 7,
    八: 8,
    九: 9,
    十: 10,
  }),
)

/** To be put into a pattern. */
export const COUNT = String.raw`\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[两二三四五六七八九十]`

export function countOf(word: string): number | null {
  return NUMERALS.get(word.toLowerCase()) ?? (/^\d+$/.test(word) ? Number(word) : null)
}
