import { expect, test } from 'vitest'
import { auditReports } from '../audit.js'

/**
 * What a single sentence says with its own figures: right, and with one figure or word wrong. Below them sentences that
 * look alike and are true, because something was taken away, weighed, done to something else, or is only a part.
 */
function rulesIn(text: string): readonly string[] {
  const [audited] = auditReports([{ file: 'r.md', text }])
  return (audited?.findings ?? []).filter(({ severity }) => severity !== 'note').map(({ rule }) => rule)
}

const PAIRS: readonly (readonly [rule: string, right: string, wrong: string])[] = [
  [
    'percent-change',
    'Kiln A fired 480 pots, kiln B fired 600, so 25% more.',
    'Kiln A fired 480 pots, kiln B fired 600, so 35% more.',
  ],
  ['wrong-equation', '每窑 48 件，9 窑一共 432 件；烧 3 天', '每窑 48 件，9 窑一共 472 件；烧 3 天'],
  ['timeline', 'Steps 230 to 250, 20 steps in all.', 'Steps 230 to 250, 35 steps in all.'],
  ['timeline', '08:20 开机，17:05 停机，历时 8 小时 45 分', '08:20 开机，17:05 停机，历时 9 小时 45 分'],
  ['percent-change', 'Yield 0.500 → 0.650, up 30.0%.', 'Yield 0.500 → 0.650, up 20.0%.'],
  ['sign-contradicted', '平均停留：12.5 → 11.1，变少了', '平均停留：12.5 → 11.1，变多了'],
  ['wrong-multiple', 'The queue doubled: 38.0 → 71.5 jobs.', 'The queue doubled: 38.0 → 117.5 jobs.'],
  ['wrong-multiple', '空转减半：从 80.0 次降到 41.0 次', '空转减半：从 80.0 次降到 61.0 次'],
  ['wrong-share', 'We opened 18 of 40 (45%).', 'We opened 18 of 40 (54%).'],
  ['wrong-sum', '共抽查 60 份：优 35 份，良 18 份，差 7 份', '共抽查 60 份：优 35 份，良 18 份，差 12 份'],
  [
    'wrong-sum',
    'Copying took 1.5 h and sorting 2.2 h, 3.7 h in total.',
    'Copying took 1.5 h and sorting 2.2 h, 4.7 h in total.',
  ],
  ['wrong-equation', '每个 epoch 1,150 步，4 个 epoch，总步数 4,600', '每个 epoch 1,150 步，4 个 epoch，总步数 4,900'],
  [
    'stated-difference',
    'Hit rate 0.412 → 0.475, a gain of 6.3 points.',
    'Hit rate 0.412 → 0.475, a gain of 8.3 points.',
  ],
  [
    'wrong-equation',
    '4 retries at 1.5 h each on a $2.00/h machine: $12',
    '4 retries at 1.5 h each on a $2.00/h machine: $14',
  ],
  ['wrong-equation', '每篇 0.6 元，300 篇共花 180 元', '每篇 0.6 元，300 篇共花 210 元'],
  ['wrong-equation', '每步 30 份，420 步刚好看完 12,600 份', '每步 30 份，420 步刚好看完 12,900 份'],
  ['wrong-equation', '批大小：每卡 6 × 5 卡 = 30', '批大小：每卡 6 × 5 卡 = 40'],
  ['wrong-mean', '三次耗时 21 / 25 / 29 ms（平均 25 ms）', '三次耗时 21 / 25 / 29 ms（平均 28 ms）'],
  [
    'percent-change',
    'Drops from 25.0% to 20.0% (-5.0 points, or -20.0% relative).',
    'Drops from 25.0% to 20.0% (-5.0 points, or -30.0% relative).',
  ],
  [
    'percent-change',
    '覆盖从 25.0% 掉到 20.0%，下降 5.0 个百分点，相对下降 20.0%',
    '覆盖从 25.0% 掉到 20.0%，下降 5.0 个百分点，相对下降 30.0%',
  ],
  ['percent-change', 'Jitter fell 40 % (0.0050 to 0.0030).', 'Jitter fell 55 % (0.0050 to 0.0030).'],
  ['percent-change', '耗电由 0.500 升至 0.575，相对提升 15.0%', '耗电由 0.500 升至 0.575，相对提升 7.5%'],
  [
    'wrong-share',
    'We drew 5,000 cards in total.\n\nTorn: 640 of the drawn cards (12.8%).',
    'We drew 5,000 cards in total.\n\nTorn: 640 of the drawn cards (17.8%).',
  ],
  [
    'wrong-share',
    '共 640 封，其中 400 封（62.5%）已回，其余 240 封未回',
    '共 640 封，其中 400 封（65.2%）已回，其余 240 封未回',
  ],
  ['timeline', 'Running from 20:15 Tue to 07:45 Wed (11.5 h).', 'Running from 20:15 Tue to 07:45 Wed (13.5 h).'],
  [
    'timeline',
    'Annotation went from 2025-03-04 to 2025-03-25, 21 days.',
    'Annotation went from 2025-03-04 to 2025-03-25, 29 days.',
  ],
  [
    'sign-contradicted',
    'The recall of 0.71 falls short of the 0.78 of the teacher.',
    'The recall of 0.71 exceeds the 0.78 of the teacher.',
  ],
  ['sign-contradicted', '夜间 WER 为 9.5%，比白天的 7.2% 更差', '夜间 WER 为 9.5%，比白天的 7.2% 更好'],
  [
    'order-contradicted',
    'Yield: oak (0.71) > elm (0.66) ≈ fir (0.67) > ash (0.58).',
    'Yield: oak (0.71) > elm (0.66) > ash (0.58) > fir (0.67).',
  ],
]

test.each(PAIRS)('%s: %s', (rule, right, wrong) => {
  expect(rulesIn(right)).toEqual([])
  expect(rulesIn(wrong)).toEqual([rule])
})

const TRUE = `
Sales fell in most weeks: 90, 70, 80, 50.
Loans fell week by week: 930, 610, 420.
借阅量逐周上升（310、450、620）。
Ten crates of ripe ones from rows 1–8 (15.0%), of 32 rows.
8 cups give 56 triples.
Eggs 72.1% / milk 79.5% / flour 54.3% → stock_index 1.31 (+0.02 over May).
Harvest 0 -> stock 61% -> 45% with no refill yet.
底价：width=1.0, rate=0.1，三轮均值 67.2
船队所以比去年慢 2.5 小时。
By ripeness 0/3=12, 1/3=9, 3/3=7.
Returned: 531/2,340 (22.7%).
Sales halve with every 70 visits from 140 on.
- 5k → 9k: +4.1%
Queues grew in length; the last four days: 31, 28, 26, 22 guests.
We trained 3 models on 4 sets, 11 runs in total because one diverged.
每题采样 8 次，共 100 题，得到 760 条有效回答。
100 prompts: 40 from A, 35 from B, 30 from C, 5 shared.
数学 65.0、代码 77.4、对话 80.1，按题数平均为 70.3。
各任务通过率分布：简单 60%，中等 30%，困难 12%。
Job queued at 22:10, started at 23:40, ran 80 min.
The run went from 10:00 to 12:00, with 90 min of training.
Ran from 22:00 to 10:00 (36 h).
Labelling began on Jun 3 and ended on Jun 20, of which 9 days were work.
| Job | From | Until | Busy |\n|---|---|---|---|\n| a | 10:00 | 11:30 | 40 min |\n| b | 12:00 | 13:00 | 60 min |
甲队进球数是乙队的两倍，失误反而更少（12 vs 17）。
误差从 2.30 到 1.10，最后 500 步只降了 0.05。
It rose from 0.40 to 0.60 on maps, +12% on charts.
Loss at three points 1,240, 1,310, 1,380 → 1,520 at the end.
They took 14, 18 and 25 steps on average.
We drew 5,000 cards in total, and 400 fewer (17.0%) than last year.
共 640 封，其中 400 封（62.5%）已回，已回的有 100 封（25.0%）退件。
Of the 240 checks, 150 contain a warning, 60 a stop and 50 both.
三层书架，共 1,720 册（含未上架）。\n\n| 层 | 册数 |\n|---|---|\n| 上 | 410 |\n| 中 | 520 |\n| 下 | 395 |
- Before the cache: 200 calls/min\n- After: 250 calls/min (+40% memory)
每步 24 份，训练 375 步，测试集 2,000 份。
Out of 5,000 calls, 640 were long (31.7% of the words).
平均 71.2（最低 65.0，中位 70.1，最高 78.1）。
原有 9,000 件，过滤 1,200 件，去重 300 件，共 7,500 件。
Between January 2023 and June 2024 the team spent 14 months on data.
Layers 10 to 20 (8 layers frozen) are adapted.
The learning rate was lowered: accuracy was 61.2 before and 63.0 after.
降低学习率之后，准确率之前 61.2，之后 63.0。
Loss increased less with the new schedule: 2.31 before, 2.28 after.
Accuracy was higher before the fix (0.62) than after it (0.58).
A lower learning rate works better (0.62 vs 0.58).
It reached 0.62 (0.58 before) in half the steps.
甲组 5.1%，乙组 5.1% 低于基线 2.0%。
甲：72.4%（低于基线 1.5%）
747 lines for 80 runs, and the same note stands there 11 times.
The share of long turns goes from 5 to 18 % and the score falls from 1.49 to 1.19.
Latency rose from 41.5 to 52.5 ms, above 48.0 ms since Monday.
误差从上升 3.2% → 下降 1.4%（改善 4.6 个百分点）
Delay fell in A (0.52 -> 0.48) and crept up in B (0.61 -> 0.64).
少了 730 张，其中柜台贡献 520、网店贡献 250，补印抵消了 40
Refusals fell from 60 to 24 of 500 (-60%).
In the yard 5 of 20 passed, against 61.5% on paper.
5 天里 4 天有货，只有周三缺（当天 13:00 ~ 15:30 停电）
Queue down from 80% → 31.5% — biggest relief of the week
won=60, drawn=25, lost=15 over 100 games
Pipeline: pick 12 -> wash 15 -> pack 11 crates.
Wait < 5 min for 40 guests, > 9 min for 12 and > 20 min for 3.
30 games per hall, 15 with each referee, 45 visitors.
Crates 3 and 5 weigh -0.870 less than said.
水位 0 → 300 步上升 41.2%，泵没有停过。
丙窑漏 8 件，比甲窑少 11 件，下降 57.9%。
漏水量从 3.71 降至最近 400 步的均值 0.8350。
At noon there is still a gain, 31.4 → 28.9.
Two racks of 8 shelves with 4 boxes each, 64 boxes in total.
两个车间各 6 条线，每线 45 人，共 540 人。
共 620 条：数学 300 条，代码 200 条。
Overall 620 notes, 300 from A and 200 from B.
16 GPUs and 3 seeds took 60 GPU-hours in total.`

test.each(TRUE.trim().split('\n'))('nothing is wrong with: %s', sentence =>
  expect(rulesIn(sentence.replaceAll('\\n', '\n'))).toEqual([]),
)
