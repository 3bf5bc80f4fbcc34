/**
 * Reports that mean harm, each of any length: one character or construct repeated until a reader that looks ahead, looks
 * back or compares each with each would never end.
 */
export type Shape = (length: number) => string

function repeated(unit: string): Shape {
  return length => unit.repeat(Math.ceil(length / unit.length))
}

/** `head`, then as many rows as fit. */
function rows(head: string, row: (index: number) => string, foot = ''): Shape {
  return length => {
    const parts = [head]
    let written = head.length
    for (let index = 0; written < length; index += 1) {
      const next = row(index)
      parts.push(next)
      written += next.length
    }
    return parts.join('') + foot
  }
}

function line(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |\n`
}

function header(names: readonly string[]): string {
  return line(names) + line(names.map(() => '---'))
}

function many(count: number, make: (index: number) => string | number): (string | number)[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

const CURVES = header(['step', 'A', 'B'])

const CHARACTERS = [
  ...[' ', '\n', '\t', '\u3000', '\0', '\ud800', '👍', '7', '|', '(', '{', '-', '*', '`', '>', '#', '。', ': ', '. '],
  ...['1,', '123,456,', '1.', '.5', '1e', '+-±', '1–2 ', '1 = ', '1 + ', '0.5 → ', '(0.5) > b ', '1.2.3.4.', '5% vs '],
  ...[
    '2024-01-01 10:00 ',
    '20240101_101010-',
    'step 1-2 ',
    '第1步',
    'vs. A ',
    'a_b.c/d-',
    '\\textbf{',
    '$a',
    '[a](',
    '<a ',
  ],
  ...['<!-- klens-ignore all: x ', '&lt;&amp', '**a', '> ', '最佳', '没有', '仅仅', 'best highest lowest final all '],
]

export const HOSTILE_SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ...CHARACTERS.map((unit): [string, Shape] => [`${JSON.stringify(unit)} without end`, repeated(unit)]),
  ['a line of pairs of numbers', repeated('word 1.5 vs 2.5 (+3%), ')],
  ['words between numbers that can be read in many ways', repeated(`1.5 vs 2.5 ${'仅'.repeat(30)} 3.5%\n\n`)],
  ['claims, one after the other', repeated('It is best, more stable, converged and significantly better.\n\n')],
  ['denials and their opposites', repeated('没有限制策略的学习能力。限制策略的学习能力。\n\n')],
  ['lines that were wrapped', repeated('this line is longer than fifty characters and it goes on\n')],
  ['HTML and script', repeated('<div><script>alert(1)</script><td>1</td>')],
  ['explained findings', repeated('<!-- klens-ignore all: x -->\n')],
  ['a label of half the file', length => `${'a'.repeat(length / 2)}:\n\n${'- b 1\n'.repeat(length / 12)}`],
  ['a gap of half the file', length => `- Step 5${' '.repeat(length / 2)}a 1\n${'- b 1\n'.repeat(length / 12)}`],
  ['lists inside lists', rows('', index => `${'  '.repeat(index % 400)}- item ${index}:\n`)],
  ['headings', rows('', index => `${'#'.repeat(1 + (index % 6))} Results pending ${index}\n`)],
  ['steps in a list', rows('', index => `- Step ${index}: 1.${index % 97} (+3.${index % 7}%)\n`)],
  ['steps in code', rows('```\n', index => `Step ${index}: 1.${index % 97}\n`)],
  ['one long table', rows(CURVES, index => line([index, (index % 97) / 10, (index % 89) / 10]))],
  ['rows of changes', rows(header(['x', 'y']) + line(['initial', 1]), index => line(['change', index]))],
  ['rows of totals', rows(header(['x', 'y']) + line(['a', 1]) + line(['b', 2]), index => line(['小计', index]))],
  [
    'remarks in rows',
    rows(header(['run', 'KL', 'note']), index => line([`r${index}`, `0.0${index % 97}`, 'KL highest'])),
  ],
  ['rows without cells under many columns', rows(header(many(200, index => `c${index}`).map(String)), () => 'x\n')],
  ['many such tables', rows('', () => `${header(many(50, index => `c${index}`).map(String))}${'|1|\n'.repeat(100)}\n`)],
  [
    'two hundred columns',
    rows(header(many(200, index => `c${index}`).map(String)), row =>
      line(many(200, column => ((row * column) % 97) / 10)),
    ),
  ],
  [
    'columns of differences',
    rows(header(many(60, index => (index % 2 === 0 ? `v${index}` : `diff ${index}`)).map(String)), row =>
      line(many(60, column => ((row * column) % 97) / 10)),
    ),
  ],
  [
    'small tables with a claim each',
    rows('', index => {
      const points = [5, 10, 15, 20].map(step => line([step, `${(index + step) % 7}.1`, '2.2']))
      return `${CURVES}${points.join('')}\nThe best A is ${index % 7}.1, the lowest B 2.2 (step 5).\n\n`
    }),
  ],
  [
    'a table printed again and again',
    repeated(`${CURVES}${[5, 10, 15, 20].map(step => line([step, 1.111 * step, 2.22])).join('')}\n`),
  ],
  [
    'tasks beside tables',
    rows(
      '# Results\n',
      index => `- [x] task ${index % 50}\n\n${header(['x', 'y'])}${line([`task ${index % 50}`, '?'])}\n`,
    ),
  ],
  [
    'settings',
    rows(
      `## Configuration\n\n${header(['setting', 'A', 'B'])}`,
      index => line([`s${index}`, index, index + 1]),
      '\nThe s1 leads to better results.\n',
    ),
  ],
  [
    'losses',
    rows(`## Epoch 1\n\n${header(['KL_BETA', 'KL', 'Train Loss', 'PPO Loss', 'KL loss'])}`, index =>
      line([`0.${index}`, 0.07, 0.017, 0.01, 0.001]),
    ),
  ],
])
