import type { Severity } from '../logs/model/finding.js'

/**
 * Every rule: what kind of fault it names, how grave it is unless the case says otherwise, and an example that is found
 * beside one that is not. The docs, `--rules` and the tests are made of this table.
 */
interface KnownRule {
  readonly kind: string
  readonly severity: Severity
  /** What it means, in a sentence. */
  readonly help: { readonly en: string; readonly zh: string }
  readonly example?: {
    readonly faulty: string
    readonly sound: string
    readonly beside?: string
  }
  /** Only where it is asked for. */
  readonly isOnRequest?: boolean
}

// biome-ignore format: a table is read by its lines
export const KNOWN_RULES = {
  'cross-estimate': { kind: 'cross-report', severity: 'error', help: { en: 'An estimate in one report was measured in another that was given with it.', zh: '一份报告中的估计值，在同时给出的另一份报告中有实测值。' }, example: { faulty: '| Step | A |\n|---|---|\n| 5 | 1.812 |\n| 10 | 1.934 |\n| 15 | 1.755 |\n| 20 | 1.5 (estimated) |', sound: '| Step | A |\n|---|---|\n| 5 | 1.812 |\n| 10 | 1.934 |\n| 15 | 1.755 |\n| 20 | 1.9 (estimated) |', beside: '| Step | run A |\n|---|---|\n| 5 | 1.812 |\n| 10 | 1.934 |\n| 15 | 1.755 |\n| 20 | 1.909 |' } },
  'data-invented': { kind: 'data', severity: 'error', help: { en: 'A table bears the names of runs, and agrees with nothing in their logs.', zh: '表中写了 run 的名字，数值却与其日志都不相符。' } },
  'data-untraced': { kind: 'data', severity: 'error', help: { en: 'No log vouches for a figure of a section that must be traced (--strict).', zh: '要求可追溯的章节（--strict）中，有数字找不到日志来源。' } },
  'data-value': { kind: 'data', severity: 'error', help: { en: 'The log has another figure than the report.', zh: '日志中的数值与报告不同。' } },
  'data-verdict': { kind: 'data', severity: 'warning', help: { en: 'klens compare gives another answer on the logged runs.', zh: '对日志中的 run，klens compare 给出不同的判定。' } },
  'difference-column': { kind: 'arithmetic', severity: 'error', help: { en: 'A cell of a difference column is not the difference that at least four other cells are.', zh: '差异列中有一格与至少四个其他格的算法不符。' }, example: { faulty: '| task | before | after | change |\n|---|---|---|---|\n| a | 10.0 | 12.5 | +2.5 |\n| b | 20.0 | 21.0 | +1.0 |\n| c | 30.0 | 34.0 | +5.0 |\n| d | 18.0 | 17.2 | -0.8 |\n| e | 22.0 | 25.1 | +3.1 |', sound: '| task | before | after | change |\n|---|---|---|---|\n| a | 10.0 | 12.5 | +2.5 |\n| b | 20.0 | 21.0 | +1.0 |\n| c | 30.0 | 34.0 | +4.0 |\n| d | 18.0 | 17.2 | -0.8 |\n| e | 22.0 | 25.1 | +3.1 |' } },
  'difference-row': { kind: 'arithmetic', severity: 'error', help: { en: 'A cell of a difference row is not the difference that at least four other cells are.', zh: '差异行中有一格与至少四个其他格的算法不符。' }, example: { faulty: '| 条件 | 甲 | 乙 | 丙 | 丁 | 戊 |\n|---|---|---|---|---|---|\n| 旧 | 41.0% | 38.5% | 44.0% | 29.5% | 33.0% |\n| 新 | 52.0% | 41.0% | 47.5% | 36.0% | 35.5% |\n| 提升 | +13.0% | +2.5% | +3.5% | +6.5% | +2.5% |', sound: '| 条件 | 甲 | 乙 | 丙 | 丁 | 戊 |\n|---|---|---|---|---|---|\n| 旧 | 41.0% | 38.5% | 44.0% | 29.5% | 33.0% |\n| 新 | 52.0% | 41.0% | 47.5% | 36.0% | 35.5% |\n| 提升 | +11.0% | +2.5% | +3.5% | +6.5% | +2.5% |' } },
  'identical-rows': { kind: 'copied', severity: 'warning', help: { en: 'Two values of one setting have identical results, digit by digit.', zh: '同一设置的两个取值，结果逐位相同。' }, example: { faulty: '| beta | Val A | Val B | Val C |\n|---|---|---|---|\n| 0.10 | 51.33% | 50.27% | 49.84% |\n| 0.20 | 51.33% | 50.27% | 49.84% |\n| 0.30 | 50.02% | 49.11% | 48.90% |', sound: '| beta | Val A | Val B | Val C |\n|---|---|---|---|\n| 0.10 | 51.33% | 50.27% | 49.84% |\n| 0.20 | 51.33% | 50.31% | 49.84% |\n| 0.30 | 50.02% | 49.11% | 48.90% |' } },
  'linear-fill': { kind: 'invented', severity: 'warning', help: { en: 'Values that are marked as estimates lie on a straight line.', zh: '标为估计的数值恰好落在一条直线上。' }, example: { faulty: '| Step | old | new |\n|---|---|---|\n| 5 | 1.80 | 1.71 |\n| 10 | 1.85 (estimated) | 1.93 |\n| 15 | 1.90 (estimated) | 1.66 |\n| 20 | 1.95 (estimated) | 1.81 |\n| 25 | 2.00 (estimated) | 1.92 |', sound: '| Step | old | new |\n|---|---|---|\n| 5 | 1.80 | 1.71 |\n| 10 | 1.87 | 1.93 |\n| 15 | 1.79 | 1.66 |\n| 20 | 1.99 | 1.81 |\n| 25 | 1.95 | 1.92 |' } },
  'loss-identity': { kind: 'arithmetic', severity: 'error', help: { en: 'Total loss = policy loss + coefficient × KL holds in the other rows, and not in this one.', zh: '总损失 = 策略损失 + 系数 × KL，其他行都成立，这一行不成立。' }, example: { faulty: '| beta | KL | Train Loss | PPO Loss |\n|---|---|---|---|\n| 0.10 | 0.0500 | 0.0150 | 0.0100 |\n| 0.20 | 0.0400 | 0.0180 | 0.0100 |\n| 0.30 | 0.0300 | 0.0190 | 0.0100 |\n| 0.40 | 0.0300 | 0.0190 | 0.0100 |', sound: '| beta | KL | Train Loss | PPO Loss |\n|---|---|---|---|\n| 0.10 | 0.0500 | 0.0150 | 0.0100 |\n| 0.20 | 0.0400 | 0.0180 | 0.0100 |\n| 0.30 | 0.0300 | 0.0190 | 0.0100 |\n| 0.40 | 0.0300 | 0.0220 | 0.0100 |' } },
  'mean-impossible': { kind: 'impossible', severity: 'error', help: { en: 'A mean does not lie inside its own range.', zh: '平均值不在它自己的范围之内。' }, example: { faulty: 'Entropy: 0.412 (mean, range 0.412-1.307)', sound: 'Entropy: 0.812 (mean, range 0.412-1.307)' } },
  'percent-base': { kind: 'arithmetic', severity: 'warning', help: { en: 'A percentage of a → b is taken of b instead of a.', zh: 'a → b 的百分比以 b 而不是 a 为基数。' }, example: { faulty: '显存从 80.0 降至 60.0，下降 33.3%。', sound: '显存从 80.0 降至 60.0，下降 25.0%。' } },
  'percent-change': { kind: 'arithmetic', severity: 'error', help: { en: 'The percentage beside a → b is not their change.', zh: 'a → b 旁的百分比不是两者的变化。' }, example: { faulty: 'Accuracy rose from 40.0% to 50.0% (+15%).', sound: 'Accuracy rose from 40.0% to 50.0% (+25%).' } },
  'sampling-error': { kind: 'resolution', severity: 'warning', help: { en: 'A gain is smaller than the sampling noise of so many samples.', zh: '提升小于这些样本数的抽样误差。' }, example: { faulty: 'On 200 questions the new prompt has a better accuracy (+0.5%).', sound: 'On 200 questions the new prompt has a better accuracy (+14.5%).' } },
  'sign-contradicted': { kind: 'contradiction', severity: 'error', help: { en: 'The verb says the opposite of a → b.', zh: '动词与 a → b 的方向相反。' }, example: { faulty: '每步时间从 180s 增至 140s。', sound: '每步时间从 180s 降至 140s。' } },
  'stated-difference': { kind: 'arithmetic', severity: 'error', help: { en: 'The difference beside a → b is not their difference.', zh: 'a → b 旁的差值不是两者之差。' }, example: { faulty: '奖励 0.520 → 0.610（Δ +0.080）。', sound: '奖励 0.520 → 0.610（Δ +0.090）。' } },
  'timeline': { kind: 'timeline', severity: 'error', help: { en: 'A duration is not the span between the two times beside it.', zh: '时长与旁边两个时刻的间隔不符。' }, example: { faulty: 'Second run (10:15-10:47): runtime 52 minutes.', sound: 'Second run (10:15-10:47): runtime 32 minutes.' } },
  'wrong-equation': { kind: 'arithmetic', severity: 'error', help: { en: 'A sum, product or mean that is written out has another result.', zh: '写出的加、乘或平均算式，结果不对。' }, example: { faulty: '有效批大小：4 × 8 = 36', sound: '有效批大小：4 × 8 = 32' } },
  'wrong-mean': { kind: 'arithmetic', severity: 'error', help: { en: 'A row of means has a cell that is not the mean, while another cell is.', zh: '平均行中有一格不是平均值，而其他格是。' }, example: { faulty: '| task | A | B |\n|---|---|---|\n| x | 10.0 | 20.0 |\n| y | 20.0 | 40.0 |\n| mean | 15.0 | 35.0 |', sound: '| task | A | B |\n|---|---|---|\n| x | 10.0 | 20.0 |\n| y | 20.0 | 40.0 |\n| mean | 15.0 | 30.0 |' } },
  'wrong-multiple': { kind: 'arithmetic', severity: 'error', help: { en: 'The factor beside a → b is not their ratio.', zh: 'a → b 旁的倍数不是两者之比。' }, example: { faulty: 'Throughput: 1200 vs 300 tokens = 6x faster.', sound: 'Throughput: 1200 vs 300 tokens = 4x faster.' } },
  'wrong-share': { kind: 'arithmetic', severity: 'error', help: { en: 'k/n (p %): the percentage is not that share.', zh: 'k/n (p %)：百分比不是这个比例。' }, example: { faulty: '12/80 (25.0%) of the tasks were solved.', sound: '12/80 (15.0%) of the tasks were solved.' } },
  'wrong-sum': { kind: 'arithmetic', severity: 'error', help: { en: 'A row of totals has a cell that is not the sum, while another cell is.', zh: '合计行中有一格不是总和，而其他格是。' }, example: { faulty: '| split | A | B |\n|---|---|---|\n| x | 100 | 200 |\n| y | 210 | 430 |\n| total | 310 | 650 |', sound: '| split | A | B |\n|---|---|---|\n| x | 100 | 200 |\n| y | 210 | 430 |\n| total | 310 | 630 |' } },
  'untested-words': { kind: 'untested', severity: 'note', help: { en: 'Words that need a test or a criterion, listed on request (--checklist).', zh: '需要检验或判据的用词，按需列出（--checklist）。' }, example: { faulty: 'The new reward is significantly better than the old one.', sound: 'The new reward scores 0.4 points more than the old one.' }, isOnRequest: true },
} as const satisfies Record<string, KnownRule>

export type RuleId = keyof typeof KNOWN_RULES

export const isRuleId = (id: string): id is RuleId => Object.hasOwn(KNOWN_RULES, id)

/** What kind of fault it is: scripts group by it. */
export type FaultKind = (typeof KNOWN_RULES)[RuleId]['kind']

/** A rule that has an example, as `--rules`, the docs and the tests know it. */
export type RuleCard = KnownRule &
  Pick<Required<KnownRule>, 'example'> & { readonly id: string; readonly kind: FaultKind }
