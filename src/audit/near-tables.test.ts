import { describe, expect, test } from 'vitest'
import { auditReports } from './audit.js'

/**
 * What sentences and columns say about one table near by, true and false, in both languages; and sentences that look
 * like it but speak of something that the table does not hold: those are left alone.
 */
const attacked = (text: string): readonly string[] =>
  (auditReports([{ file: 'r.md', text }])[0]?.findings ?? [])
    .filter(({ severity, kind }) => severity !== 'note' && kind !== 'untested')
    .map(({ rule }) => rule)

const table = (...rows: readonly string[]): string => {
  const [head = '', ...body] = rows.map(row => `| ${row.split(' ; ').join(' | ')} |`)
  return ['## Results', '', head, `|${'---|'.repeat(head.split('|').length - 2)}`, ...body, '', ''].join('\n')
}

const STEPS = table('step ; reward ; KL', '50 ; 0.21 ; 0.006', '100 ; 0.34 ; 0.015', '150 ; 0.47 ; 0.028')
const MODELS = table('Model ; Recall ; RTF', 'Falcon ; 61.4 ; 0.12', 'Heron ; 66.0 ; 0.31', 'Ibis ; 63.2 ; 0.25')
const SITES = table(
  'Site ; Plain ; Cached ; Tuned',
  'north ; 31 ; 36 ; 35',
  'south ; 28 ; 27 ; 33',
  'east ; 40 ; 44 ; 47',
  'west ; 22 ; 25 ; 30',
)
const CHANGES = table(
  '任务 ; 前 ; 后 ; 差',
  '写作 ; 61.0 ; 63.5 ; +2.5',
  '推理 ; 55.2 ; 54.1 ; -1.1',
  '翻译 ; 48.0 ; 50.3 ; +2.3',
  '问答 ; 70.4 ; 71.0 ; +0.6',
)

const TASKS = table(
  '任务 ; 甲案 ; 乙案 ; 丙案',
  '检索 ; 31 ; 38 ; 36',
  '改写 ; 26 ; 33 ; 21',
  '归纳 ; 40 ; 44 ; 47',
  '对话 ; 22 ; 27 ; 30',
)

const DEPTHS = table('depth ; Recall ; Delay', '2 ; 51.0 ; 30', '4 ; 55.5 ; 42', '8 ; 58.0 ; 38')
const HARBOURS = table('Berth ; Dock C ; Dock D', 'Ships ; 40 ; 210', 'Crew at noon 30 ; 12 ; 96', 'Cranes ; 18 ; 24')

interface Case {
  readonly name: string
  readonly on: string
  readonly right: string
  readonly wrong: string
}

const CASES: readonly Case[] = [
  { name: 'up to a step', on: STEPS, right: 'KL 到 step 100 为止都低于 0.02', wrong: 'KL 到 step 100 为止都低于 0.01' },
  {
    name: 'what goes with a setting',
    on: DEPTHS,
    right: 'Recall rises as the depth grows.',
    wrong: 'Delay falls as the depth grows.',
  },
  { name: '随设置变化', on: DEPTHS, right: 'Recall 随 depth 增加而上升', wrong: 'Recall 随 depth 增加而下降' },
  { name: '越……越……', on: DEPTHS, right: 'depth 越大，Recall 越高', wrong: 'depth 越大，Delay 越小' },
  {
    name: 'a comparison in every row',
    on: SITES,
    right: 'Tuned is above Plain on every site.',
    wrong: 'Tuned is above Cached on every site.',
  },
  { name: '逐行比较', on: TASKS, right: '乙案在四个任务上都高于甲案', wrong: '丙案在四个任务上都高于乙案' },
  {
    name: 'all gains',
    on: CHANGES,
    right: 'Every gain is at least 0.6 points.',
    wrong: 'Every gain is at least 2.0 points.',
  },
  {
    name: 'a whole multiple',
    on: TASKS,
    right: '检索任务上乙案是甲案的 1.2 倍',
    wrong: '检索任务上乙案是甲案的 2.1 倍',
  },
  {
    name: 'a multiple with its digits exchanged',
    on: HARBOURS,
    right: '人员以外，Dock D 的 Ships 是 Dock C 的 5.3 倍',
    wrong: '人员以外，Dock D 的 Ships 是 Dock C 的 3.5 倍',
  },
  {
    name: 'a cell by step and column',
    on: STEPS,
    right: 'At step 100 the KL is 0.015.',
    wrong: 'At step 100 the KL is 0.028.',
  },
  { name: 'a cell by row and column', on: MODELS, right: 'Ibis 的 RTF 为 0.25', wrong: 'Ibis 的 RTF 为 0.31' },
  {
    name: 'where it stands behind a comma',
    on: table('step ; loss', '100 ; 0.612', '200 ; 0.548', '300 ; 0.571'),
    right: 'The lowest loss is 0.548, at step 200.',
    wrong: 'The lowest loss is 0.548, at step 300.',
  },
  {
    name: 'a row named first',
    on: SITES,
    right: 'At south the highest is Tuned.',
    wrong: 'At south the highest is Plain.',
  },
  { name: 'best but for one', on: SITES, right: '除 north 外，Tuned 均最高', wrong: '除 east 外，Tuned 均最高' },
  { name: 'k of n', on: CHANGES, right: '4 个任务里 3 个上升', wrong: '4 个任务里 2 个上升' },
  { name: 'best on k of n', on: SITES, right: 'Tuned is best on 3 of 4 sites', wrong: 'Tuned is best on 2 of 4 sites' },
  { name: '都更高', on: TASKS, right: '乙案在四个任务上都高于甲案', wrong: '丙案在四个任务上都高于甲案' },
  {
    name: 'at least, everywhere',
    on: TASKS,
    right: '每个任务丙案都不少于 21 条',
    wrong: '每个任务丙案都不少于 25 条',
  },
  {
    name: 'a count in a summary table',
    on: SITES,
    right: table('Item ; Value', 'Tuned highest ; 3/4', 'Cached better than Plain ; 3/4'),
    wrong: table('Item ; Value', 'Tuned highest ; 2/4', 'Cached better than Plain ; 3/4'),
  },
  { name: 'no change beyond', on: CHANGES, right: '没有任何任务的变化超过 2.5', wrong: '没有任何任务的变化超过 1.5' },
  {
    name: 'a difference with its unit',
    on: table('Stage ; A (ms) ; B (ms)', 'load ; 41 ; 58', 'run ; 90 ; 74'),
    right: 'At load B (ms) is 17 ms more than A (ms).',
    wrong: 'At load B (ms) is 27 ms more than A (ms).',
  },
  {
    name: 'a multiple',
    on: SITES,
    right: 'At west Tuned has 1.4x as many as Plain.',
    wrong: 'At west Tuned has 2.1x as many as Plain.',
  },
  { name: '倍数', on: SITES, right: 'west 上 Tuned 是 Plain 的 1.4 倍', wrong: 'west 上 Tuned 是 Plain 的 2.1 倍' },
  {
    name: 'two that differ by one',
    on: SITES,
    right: 'At south Cached is slightly lower than Plain (27 vs 28).',
    wrong: 'At south Cached is slightly higher than Plain (27 vs 28).',
  },
]

describe('what is said about a table', () => {
  test.each(CASES)('$name: true is left alone', ({ on, right }) => expect(attacked(on + right)).toEqual([]))
  test.each(CASES)('$name: false is found', ({ on, wrong }) => expect(attacked(on + wrong)).not.toEqual([]))
})

describe('columns that follow from others', () => {
  const hours = (last: string): string =>
    table(
      'Stage ; GPUs ; Hours ; GPU-hours',
      'a ; 8 ; 2.5 ; 20.0',
      'b ; 4 ; 6.0 ; 24.0',
      'c ; 16 ; 3.0 ; 48.0',
      `d ; 2 ; 9.0 ; ${last}`,
    )
  const falls = (last: string): string =>
    table(
      '机型 ; 旧 ; 甲 ; 甲减 ; 乙 ; 乙减',
      '一号 ; 83.2 ; 80.1 ; -3.1 ; 77.6 ; -5.6',
      '二号 ; 41.5 ; 40.3 ; -1.2 ; 39.9 ; -1.6',
      `三号 ; 92.0 ; 87.8 ; -4.2 ; 85.3 ; ${last}`,
      '四号 ; 65.7 ; 63.9 ; -1.8 ; 60.2 ; -5.5',
    )
  const rows = (last: string): string =>
    table(
      'Crop ; Plain ; Tuned ; Large',
      'wheat ; 17.4 ; 19.2 ; 20.6',
      'maize ; 58.3 ; 61.7 ; 66.5',
      `barley ; ${last}`,
      'rice ; 24.9 ; 27.0 ; 26.2',
    )
  const arrows = table(
    'Set ; old → new ; diff',
    'a ; 30.0 → 33.5 ; +3.5',
    'b ; 41.2 → 40.0 ; -1.2',
    'c ; 22.0 → 27.1 ; +5.1',
  )
  const winners = (last: string): string =>
    table(
      'Field ; Alpha ; Beta ; Winner',
      'a ; 51.0 ; 53.0 ; Beta',
      'b ; 61.2 ; 60.0 ; Alpha',
      'c ; 44.0 ; 47.1 ; Beta',
      `d ; 40.3 ; 39.0 ; ${last}`,
    )
  const sizes = (last: string): string =>
    table(
      'Field ; Net-small ; Net-large ; Lowest',
      'a ; 5.1 ; 4.4 ; large',
      'b ; 6.2 ; 6.0 ; large',
      `c ; 3.9 ; 4.7 ; ${last}`,
    )

  test.each([
    ['falls under names that say nothing', falls('-6.7'), falls('-7.6')],
    ['a product', hours('18.0'), hours('28.0')],
    ['a row copied from another', rows('36.1 ; 38.8 ; 41.3'), rows('58.3 ; 61.7 ; 66.5')],
    ['winners where nobody says what is good', winners('Alpha'), winners('Beta')],
    ['winners by the end of their names', sizes('small'), sizes('large')],
  ])('%s', (_, right, wrong) => {
    expect(attacked(right)).toEqual([])
    expect(attacked(wrong)).not.toEqual([])
  })

  test('a product, and a difference to arrows in a cell, are left alone', () => {
    expect(attacked(hours('18.0') + arrows)).toEqual([])
  })

  test('the total of a rate is no sum', () => {
    const text = table(
      '日 ; 新增 ; 去重率',
      '一 ; 420 ; 20.0%',
      '二 ; 500 ; 25.0%',
      '三 ; 360 ; 15.0%',
      '合计 ; 1280 ; 20.5%',
    )
    expect(attacked(text)).toEqual([])
  })
})

describe('what the table does not hold', () => {
  test.each(['小于 1.5 的差异无关紧要', 'Differences below 1.5 do not matter.', '前后对比，提升最大的是写作'])(
    '%s',
    sentence => expect(attacked(CHANGES + sentence)).toEqual([]),
  )

  test.each([
    'On the old split Cached beats Tuned in all four sites.',
    'Cached beats Plain on 3 of 4 sites.',
    'Tuned beats Plain in all four sites.',
    'Cached and Tuned improve on three and four of the four sites.',
    'Tuned gains more than half a point on three of four sites.',
    'Cached should be at least 3 above Plain in every site.',
    'Tuned beats Cached on every site but north.',
    'Tuned beats Cached on all five shores.',
    'Tuned beats Cached on almost every site.',
  ])('%s', sentence => expect(attacked(SITES + sentence)).toEqual([]))

  test('counts of one column beside another', () => {
    const counts = table('统计 ; 乙案 ; 丙案', '比甲案高的任务数 ; 4/4（100%） ; 3/4（75%）')
    expect(attacked(TASKS + counts)).toEqual([])
  })

  test('a rate of three counts is no difference of two', () => {
    const rows = ['a ; 60 ; 29 ; 11 ; 20 ; +15.0%', 'b ; 48 ; 21 ; 9 ; 18 ; +6.3%', 'c ; 44 ; 20 ; 7 ; 17 ; +6.8%']
    expect(
      attacked(table('Course ; Held ; Won ; Level ; Lost ; Net', ...rows, 'd ; 36 ; 14 ; 12 ; 10 ; +11.1%')),
    ).toEqual([])
  })

  test('what holds of the end is not said of the beginning', () => {
    const days = ['1 ; 1.40', '2 ; 1.10', '3 ; 0.00', '4 ; 0.00']
    expect(attacked(`${table('Epoch ; Reward', ...days)}\n\nWith all pumps off, all rewards=0.00.`)).toEqual([])
  })

  test('rows that say themselves that they are the same', () => {
    const text = table('Run ; A ; B ; C ; Note', 'x1 ; 41.2 ; 39.8 ; 44.0 ;', 'y2 ; 41.2 ; 39.8 ; 44.0 ; same as x1')
    expect(attacked(text)).toEqual([])
  })

  test.each([
    'The highest reward is 0.47, at step 150.',
    'No step has a larger KL than step 150.',
    'At step 100 the KL penalty is 0.028.',
    'With dropout the KL at step 100 is 0.028.',
    'After the restart, at step 100 the KL is 0.028.',
    'At step 100 the KL is about 0.02.',
    'At step 100 the KL is above 0.01.',
    '重启后的第 100 步 KL 为 0.028',
    'At step 100 the reference KL is 0.028.',
  ])('%s', sentence => expect(attacked(STEPS + sentence)).toEqual([]))

  test.each([
    'On the whole Delay rises as the depth grows, roughly.',
    'Delay rises with more depth up to 4.',
    'Delay 先随 depth 增加而上升，后下降',
    'Delay should rise as the depth grows.',
    'Delay rises as the width grows.',
  ])('%s', sentence => expect(attacked(DEPTHS + sentence)).toEqual([]))

  test('what is said of a block of output, and of columns called by numbers', () => {
    const output = 'Ships:\n\n```\nDock C   10\nDock D   12\n```\n\nShips of Dock D are 1.2 times those of Dock C.'
    expect(attacked(HARBOURS + output)).toEqual([])
    const sizes = table('Size ; 448 ; 672', 'Delay ; 412 ; 603', 'Pie ; 71.0 ; 70.5')
    expect(attacked(`${sizes}- 448→672: Delay +46.4%\n- Pie: 672 is lower than 448\n`)).toEqual([])
  })

  test.each(['At noon, D has 5 times as many gulls as C.', 'Reward of D rose more than from C to D (+3.0, +9.0).'])(
    '%s',
    sentence => expect(attacked(HARBOURS + sentence)).toEqual([]),
  )

  test.each([
    '最慢的是 Heron',
    'We keep Heron, the model with the best Recall.',
    'Ibis has the second highest Recall.',
    'Recall 第二高的是 Ibis',
    'We tried Ibis first, and Heron has the best Recall.',
    'Recall is second to none.',
    '相比 Ibis，Recall 最高',
    'Best Recall: Ibis and Heron are close.',
    'Heron runs on 3× A100 and has a Recall of 66.0.',
    'Falcon 的 Recall 低于 Ibis，其余都高于 Ibis',
  ])('%s', sentence => expect(attacked(MODELS + sentence)).toEqual([]))
})
