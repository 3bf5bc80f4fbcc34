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
  ['wrong-sum', 'won=60, drawn=25, lost=15 over 100 games', 'won=60, drawn=25, lost=25 over 100 games'],
  ['wrong-share', 'We opened 18 of 40 (45%).', 'We opened 18 of 40 (54%).'],
  ['timeline', '08:20 开机，17:05 印完 300 步，共 8 小时 45 分', '08:20 开机，17:05 印完 300 步，共 9 小时 45 分'],
  [
    'wrong-sum',
    'Of the tests we looked at 90 cases: 61 pass, 20 fail and 9 hang.',
    '90 cases: 61 pass, 25 fail and 9 hang.',
  ],
  ['wrong-sum', '共抽查 60 份：优 35 份，良 18 份，差 7 份', '共抽查 60 份：优 35 份，良 18 份，差 12 份'],
  [
    'wrong-sum',
    'Copying took 1.5 h and sorting 2.2 h, 3.7 h in total.',
    'Copying took 1.5 h and sorting 2.2 h, 4.7 h in total.',
  ],
  ['wrong-sum', '语料构成：书籍 55%，网页 30%，论文 15%', '语料构成：书籍 55%，网页 30%，论文 25%'],
  [
    'wrong-sum',
    '240 次检查里，正常 150 次，告警 60 次，停机 30 次',
    '240 次检查里，正常 150 次，告警 60 次，停机 50 次',
  ],
  ['wrong-sum', '合格 510 件，失败 84 件，跳过 6 件，合计 600 件', '合格 510 件，失败 84 件，跳过 6 件，合计 640 件'],
  ['wrong-equation', '每个 epoch 1,150 步，4 个 epoch，总步数 4,600', '每个 epoch 1,150 步，4 个 epoch，总步数 4,900'],
  [
    'stated-difference',
    'Hit rate 0.412 → 0.475, a gain of 6.3 points.',
    'Hit rate 0.412 → 0.475, a gain of 8.3 points.',
  ],
  ['wrong-equation', '三个仓库各 450 箱，合计 1,350 箱', '三个仓库各 450 箱，合计 1,850 箱'],
  [
    'wrong-equation',
    'A grid of 6 rates, 2 optimisers and 5 seeds, so 60 jobs.',
    'A grid of 6 rates, 2 optimisers and 5 seeds, so 56 jobs.',
  ],
  [
    'wrong-equation',
    '4 retries at 1.5 h each on a $2.00/h machine: $12',
    '4 retries at 1.5 h each on a $2.00/h machine: $14',
  ],
  ['wrong-equation', '12 块卡训练 5.5 小时，合计 66 卡时', '12 块卡训练 5.5 小时，合计 62 卡时'],
  ['wrong-equation', '每篇 0.6 元，300 篇共花 180 元', '每篇 0.6 元，300 篇共花 210 元'],
  ['wrong-equation', '每步 30 份，420 步刚好看完 12,600 份', '每步 30 份，420 步刚好看完 12,900 份'],
  ['wrong-equation', '每轮 12×5=60 局，250 轮一共 15,000 局', '每轮 12×5=60 局，250 轮一共 16,000 局'],
  ['wrong-equation', '批大小：每卡 6 × 5 卡 = 30', '批大小：每卡 6 × 5 卡 = 40'],
  [
    'wrong-sum',
    'Kept after filtering: round 1 1,210, round 2 1,340, round 3 1,430 → 3,980 notes',
    'Kept after filtering: round 1 1,210, round 2 1,340, round 3 1,430 → 3,880 notes',
  ],
  ['wrong-mean', 'Retries were 4, 9 and 11, i.e. 8 on average.', 'Retries were 4, 9 and 11, i.e. 9 on average.'],
  ['wrong-mean', '平均命中率 70%（甲 64%、乙 70%、丙 76%）', '平均命中率 75%（甲 64%、乙 70%、丙 76%）'],
  [
    'wrong-mean',
    'The mean of 0.61 (a), 0.65 (b) and 0.72 (c) is 0.66.',
    'The mean of 0.61 (a), 0.65 (b) and 0.72 (c) is 0.69.',
  ],
  ['wrong-mean', '三次耗时 21 / 25 / 29 ms（平均 25 ms）', '三次耗时 21 / 25 / 29 ms（平均 28 ms）'],
  [
    'wrong-multiple',
    'It has 40M weights, a quarter of the 160M of the large one.',
    'It has 40M weights, a third of the 160M of the large one.',
  ],
  [
    'wrong-multiple',
    '甲机每天 30 组，乙机每天 75 组，后者是前者的 2.5 倍',
    '甲机每天 30 组，乙机每天 75 组，后者是前者的 1.5 倍',
  ],
  [
    'percent-change',
    'Recall 0.420 → 0.462 with big-pool = +10.0% over the start.',
    'Recall 0.420 → 0.462 with big-pool = +14.0% over the start.',
  ],
  [
    'percent-change',
    'Drops from 25.0% to 20.0% (-5.0 points, or -20.0% relative).',
    'Drops from 25.0% to 20.0% (-5.0 points, or -30.0% relative).',
  ],
  [
    'percent-change',
    '- Before the cache: 200 calls/min\n- After: 250 calls/min (+25%)',
    '- Before the cache: 200 calls/min\n- After: 250 calls/min (+35%)',
  ],
  [
    'percent-change',
    '- 改造前：200 次/分\n- 改造后：250 次/分（+25%）',
    '- 改造前：200 次/分\n- 改造后：250 次/分（+35%）',
  ],
  [
    'percent-change',
    '覆盖从 25.0% 掉到 20.0%，下降 5.0 个百分点，相对下降 20.0%',
    '覆盖从 25.0% 掉到 20.0%，下降 5.0 个百分点，相对下降 30.0%',
  ],
  ['percent-change', 'Jitter fell 40 % (0.0050 to 0.0030).', 'Jitter fell 55 % (0.0050 to 0.0030).'],
  ['percent-change', '耗电由 0.500 升至 0.575，相对提升 15.0%', '耗电由 0.500 升至 0.575，相对提升 7.5%'],
  ['stated-difference', '甲得 61.5 分，乙得 63.0 分，两者相差 1.5 分', '甲得 61.5 分，乙得 63.0 分，两者相差 2.5 分'],
  [
    'wrong-share',
    'We drew 5,000 cards in total.\n\nTorn: 640 of the drawn cards (12.8%).',
    'We drew 5,000 cards in total.\n\nTorn: 640 of the drawn cards (17.8%).',
  ],
  [
    'wrong-share',
    '| 片区 | 户数 | 已装 |\n|---|---|---|\n| 东 | 300 | 120 |\n| 西 | 200 | 111 |\n| 合计 | 500 | 231 |\n\n合计装好 231 户（46.2%）。',
    '| 片区 | 户数 | 已装 |\n|---|---|---|\n| 东 | 300 | 120 |\n| 西 | 200 | 111 |\n| 合计 | 500 | 231 |\n\n合计装好 231 户（48.2%）。',
  ],
  [
    'wrong-share',
    '共 640 封，其中 400 封（62.5%）已回，其余 240 封未回',
    '共 640 封，其中 400 封（65.2%）已回，其余 240 封未回',
  ],
  ['wrong-share', '复核 60 份，改动 15 份，改动率 25%', '复核 60 份，改动 15 份，改动率 35%'],
  ['timeline', 'Running from 20:15 Tue to 07:45 Wed (11.5 h).', 'Running from 20:15 Tue to 07:45 Wed (13.5 h).'],
  ['timeline', '22:40 启动，次日 03:10 结束，历时 4.5 小时', '22:40 启动，次日 03:10 结束，历时 5.5 小时'],
  [
    'timeline',
    'Annotation went from 2025-03-04 to 2025-03-25, 21 days.',
    'Annotation went from 2025-03-04 to 2025-03-25, 29 days.',
  ],
  ['timeline', '2024年9月20日开始，2024年10月5日结束，相隔 15 天', '2024年9月20日开始，2024年10月5日结束，相隔 19 天'],
  [
    'timeline',
    '标注于 05-02 08:40 开始、13:55 结束，用时 5 小时 15 分',
    '标注于 05-02 08:40 开始、13:55 结束，用时 5 小时 45 分',
  ],
  [
    'timeline',
    'Backup began 21:50 on Jun 3, ended 05:20 on Jun 4, i.e. 7h30m.',
    'Backup began 21:50 on Jun 3, ended 05:20 on Jun 4, i.e. 8h30m.',
  ],
  [
    'timeline',
    '- Start: 2025-06-03 21:50\n- End: 2025-06-04 05:20\n- Elapsed: 7 h 30 min',
    '- Start: 2025-06-03 21:50\n- End: 2025-06-04 05:20\n- Elapsed: 7 h 50 min',
  ],
  [
    'timeline',
    '| Job | From | Until | Took |\n|---|---|---|---|\n| a | 10:00 | 11:30 | 1.5 h |\n| b | 12:00 | 13:00 | 60 min |',
    '| Job | From | Until | Took |\n|---|---|---|---|\n| a | 9:00 | 9:20 | 20 min |\n| b | 10:00 | 11:30 | 1.5 h |\n| c | 12:00 | 13:00 | 90 min |',
  ],
  [
    'timeline',
    'Resumed at step 1,200 and stopped at step 1,900, so 700 more steps.',
    'Resumed at step 1,200 and stopped at step 1,900, so 900 more steps.',
  ],
  [
    'sign-contradicted',
    'Latency went down: 140 ms before the change, 110 ms after it.',
    'Latency went up: 140 ms before the change, 110 ms after it.',
  ],
  [
    'sign-contradicted',
    'The recall of 0.71 falls short of the 0.78 of the teacher.',
    'The recall of 0.71 exceeds the 0.78 of the teacher.',
  ],
  ['sign-contradicted', '夜间 WER 为 9.5%，比白天的 7.2% 更差', '夜间 WER 为 9.5%，比白天的 7.2% 更好'],
  ['sign-contradicted', '甲版用了 8.5 次，乙版 6.1 次，乙版更少', '甲版用了 8.5 次，乙版 6.1 次，乙版更多'],
  [
    'sign-contradicted',
    'Throughput: old 31.0 req/s; new 38.5 req/s, so new is faster.',
    'Throughput: old 31.0 req/s; new 38.5 req/s, so new is slower.',
  ],
  [
    'wrong-share',
    'We watched 4,120 voyages.\n\nLate: 309 in total (7.5% of voyages).',
    'We watched 4,120 voyages.\n\nLate: 309 in total (5.7% of voyages).',
  ],
  ['wrong-equation', '每晚 600 × 4 ÷ 30 = 80 箱', '每晚 600 × 4 ÷ 30 = 90 箱'],
  ['wrong-sum', '41 won, 9 drawn, 30 lost in 80 games.', '41 won, 9 drawn, 35 lost in 80 games.'],
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
30 games per hall, 15 with each referee, 45 visitors.`

test.each(TRUE.trim().split('\n'))('nothing is wrong with: %s', sentence =>
  expect(rulesIn(sentence.replaceAll('\\n', '\n'))).toEqual([]),
)
