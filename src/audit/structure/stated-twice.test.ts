import { describe, expect, it } from 'vitest'
import { auditReports } from '../audit.js'

/** The same setting, cell or total in two places of one report; and what looks like it but is of two things. */
const rulesIn = (text: string): readonly string[] =>
  (auditReports([{ file: 'r.md', text }])[0]?.findings ?? [])
    .filter(({ severity }) => severity !== 'note')
    .map(({ rule, lines }) => `${rule} ${lines.join(' ')}`)

const yaml = (...lines: readonly string[]): string => ['```yaml', ...lines, '```', ''].join('\n')
const command = (flags: string): string => `\`\`\`bash\npython fit.py ${flags}\n\`\`\`\n`
const HEAD = '## 训练配置\n\n| 项 | 值 | 备注 |\n|---|---|---|\n'

describe('a setting that is given twice', () => {
  it.each([
    [
      'a table and a snippet',
      `${HEAD}| 学习率 | 3e-6 | 常数 |\n| KL 系数 | 0.05 | |\n| 随机种子 | 11 | |\n\n## 附录甲\n\n${yaml('lr: 3.0e-6', 'kl_coef: 0.005', 'seed: 11')}`,
      '6 13',
    ],
    [
      'a program and a snippet of one section',
      `## Plan\n\n\`\`\`python\nself.max_turns = 40\n\`\`\`\n\n${yaml('max_turns: 60')}`,
      '4 8',
    ],
    [
      'a list and a command',
      `## Settings\n\n- warmup_steps: 40\n- dropout: 0.1\n- top_k: 30\n\n## Use\n\n${command('--warmup-steps 40 --dropout 0.2 --top-k 30')}`,
      '4 10',
    ],
  ])('is found between %s', (_, text, lines) => {
    expect(rulesIn(text)).toEqual([`setting-twice ${lines}`])
  })

  it.each([
    [
      'two commands are two runs',
      `## Use\n\n${command('--lr 1e-5 --rank 8 --seed 3')}\n${command('--lr 2e-5 --rank 8 --seed 3')}`,
    ],
    [
      'a line names another run',
      `## Settings\n\n- top_k: 30\n\n## Use\n\nFor the short run:\n\n${command('--top-k 60')}`,
    ],
    ['several values are tried', `## Settings\n\n- top_k: 30\n\n${yaml('top_k: 60')}\n${command('--top-k 90')}`],
    [
      'more than one differs',
      `## Settings\n\n- warmup_steps: 40\n- dropout: 0.1\n- top_k: 30\n- rounds: 5\n\n## Use\n\n${command('--warmup-steps 40 --dropout 0.2 --top-k 60 --rounds 5')}`,
    ],
    [
      'it is a default',
      `| Parameter | Default |\n|---|---|\n| top_k | 30 |\n| rounds | 5 |\n| dropout | 0.1 |\n\n## Use\n\n${command('--top-k 60 --rounds 5 --dropout 0.1')}`,
    ],
  ])('is left alone where %s', (_, text) => {
    expect(rulesIn(text)).toEqual([])
  })
})

const SITES =
  '## Sites\n\n| Site | Recall | Delay |\n|---|---|---|\n| harbour | 71.25 | 14.8 |\n| airport | 68.40 | 19.3 |\n| depot | 74.05 | 11.6 |\n\n## Again\n\n'
const again = (...rows: readonly string[]): string =>
  `${SITES}| Site | Recall | Delay |\n|---|---|---|\n${rows.join('\n')}`

describe('a table that repeats another', () => {
  it('is held against it where one cell differs, also with rows for columns', () => {
    expect(rulesIn(again('| harbour | 71.25 | 14.8 |', '| airport | 68.40 | 13.9 |'))).toEqual(['restated 6 14'])
    const turned =
      '| | harbour | airport | depot |\n|---|---|---|---|\n| Recall | 71.25 | 64.80 | 74.05 |\n| Delay | 14.8 | 19.3 | 11.6 |'
    expect(rulesIn(SITES + turned)).toEqual(['restated 6 13'])
  })

  it('is left alone where too much differs, for then it was measured again', () => {
    expect(rulesIn(again('| harbour | 71.25 | 14.8 |', '| airport | 66.10 | 20.2 |'))).toEqual([])
  })
})

const DAYS = '| Day | Flights |\n|---|---|\n| Mon | 310 |\n| Tue | 275 |\n| Wed | 248 |\n'
const KINDS = '## Kinds of recipes\n\n| Kind | Count |\n|---|---|\n| soup | 31 |\n| bread | 44 |\n| salad | 27 |\n'
const shift = (hours: number): string => `### Shift ${hours}\n\n- Length: ${hours} rounds\n\n`

describe('a total whose parts stand elsewhere', () => {
  it.each([
    ['its label is the column', `- Total flights: 925\n\n${DAYS}`, 'total-elsewhere 1 3'],
    [
      'it is said twice over a column that counts',
      `We cooked 120 recipes.\n\n${KINDS}\nThe 120 recipes took a week.`,
      'total-elsewhere 1 5',
    ],
    [
      'each section gives its part',
      `## North\n\n${[12, 15, 21].map(shift).join('')}Total: 58 rounds in three shifts.`,
      'total-elsewhere 5 15',
    ],
  ])('is found where %s', (_, text, found) => {
    expect(rulesIn(text)).toEqual([found])
  })

  it.each([
    ['it is their sum', `- Total flights: 833\n\n${DAYS}`],
    ['two tables share it', `- Total flights: 1666\n\n${DAYS}\nNext week:\n\n${DAYS}`],
    ['the table shows only some', `- Total flights: 925\n\n## Selected days\n\n${DAYS}`],
    ['it is said once', `We cooked 120 recipes.\n\n${KINDS}`],
    [
      'the sections give what it says',
      `## North\n\n${[12, 15, 21].map(shift).join('')}Total: 48 rounds in three shifts.`,
    ],
  ])('is left alone where %s', (_, text) => {
    expect(rulesIn(text)).toEqual([])
  })
})
