import type { Severity } from '../logs/model/finding.js'

/**
 * Every rule: what kind of fault it names, how grave it is unless the case says otherwise, and an example that is found
 * beside one that is not. The docs, `--rules` and the tests are made of this table.
 */
interface KnownRule {
  readonly kind: string
  readonly severity: Severity
  readonly example?: {
    readonly faulty: string
    readonly sound: string
    readonly beside?: string
    readonly isOnRequest?: boolean
  }
}

// biome-ignore format: a table is read by its lines
export const KNOWN_RULES = {
  'cross-estimate': { kind: 'cross-report', severity: 'error', example: { faulty: '| Step | A |\n|---|---|\n| 5 | 1.812 |\n| 10 | 1.934 |\n| 15 | 1.755 |\n| 20 | 1.5 (estimated) |', sound: '| Step | A |\n|---|---|\n| 5 | 1.812 |\n| 10 | 1.934 |\n| 15 | 1.755 |\n| 20 | 1.9 (estimated) |', beside: '| Step | run A |\n|---|---|\n| 5 | 1.812 |\n| 10 | 1.934 |\n| 15 | 1.755 |\n| 20 | 1.909 |' } },
  'cross-value': { kind: 'cross-report', severity: 'error', example: { faulty: '| Step | A |\n|---|---|\n| 5 | 1.812 |\n| 10 | 1.934 |\n| 15 | 1.755 |\n| 20 | 1.990 |', sound: '| Step | A |\n|---|---|\n| 5 | 1.812 |\n| 10 | 1.934 |\n| 15 | 1.755 |\n| 20 | 1.909 |', beside: '| Step | run A |\n|---|---|\n| 5 | 1.812 |\n| 10 | 1.934 |\n| 15 | 1.755 |\n| 20 | 1.909 |' } },
  'data-invented': { kind: 'data', severity: 'error' },
  'data-value': { kind: 'data', severity: 'error' },
  'data-verdict': { kind: 'data', severity: 'warning' },
  'difference-column': { kind: 'arithmetic', severity: 'error', example: { faulty: '| task | before | after | change |\n|---|---|---|---|\n| a | 10.0 | 12.5 | +2.5 |\n| b | 20.0 | 21.0 | +1.0 |\n| c | 30.0 | 34.0 | +5.0 |\n| d | 18.0 | 17.2 | -0.8 |\n| e | 22.0 | 25.1 | +3.1 |', sound: '| task | before | after | change |\n|---|---|---|---|\n| a | 10.0 | 12.5 | +2.5 |\n| b | 20.0 | 21.0 | +1.0 |\n| c | 30.0 | 34.0 | +4.0 |\n| d | 18.0 | 17.2 | -0.8 |\n| e | 22.0 | 25.1 | +3.1 |' } },
  'difference-row': { kind: 'arithmetic', severity: 'error', example: { faulty: '| 条件 | 甲 | 乙 | 丙 | 丁 | 戊 |\n|---|---|---|---|---|---|\n| 旧 | 41.0% | 38.5% | 44.0% | 29.5% | 33.0% |\n| 新 | 52.0% | 41.0% | 47.5% | 36.0% | 35.5% |\n| 提升 | +13.0% | +2.5% | +3.5% | +6.5% | +2.5% |', sound: '| 条件 | 甲 | 乙 | 丙 | 丁 | 戊 |\n|---|---|---|---|---|---|\n| 旧 | 41.0% | 38.5% | 44.0% | 29.5% | 33.0% |\n| 新 | 52.0% | 41.0% | 47.5% | 36.0% | 35.5% |\n| 提升 | +11.0% | +2.5% | +3.5% | +6.5% | +2.5% |' } },
  'identical-rows': { kind: 'copied', severity: 'warning', example: { faulty: '| beta | Val A | Val B | Val C |\n|---|---|---|---|\n| 0.10 | 51.33% | 50.27% | 49.84% |\n| 0.20 | 51.33% | 50.27% | 49.84% |\n| 0.30 | 50.02% | 49.11% | 48.90% |', sound: '| beta | Val A | Val B | Val C |\n|---|---|---|---|\n| 0.10 | 51.33% | 50.27% | 49.84% |\n| 0.20 | 51.33% | 50.31% | 49.84% |\n| 0.30 | 50.02% | 49.11% | 48.90% |' } },
  'linear-fill': { kind: 'invented', severity: 'warning', example: { faulty: '| Step | old | new |\n|---|---|---|\n| 5 | 1.80 | 1.71 |\n| 10 | 1.85 (estimated) | 1.93 |\n| 15 | 1.90 (estimated) | 1.66 |\n| 20 | 1.95 (estimated) | 1.81 |\n| 25 | 2.00 (estimated) | 1.92 |', sound: '| Step | old | new |\n|---|---|---|\n| 5 | 1.80 | 1.71 |\n| 10 | 1.87 | 1.93 |\n| 15 | 1.79 | 1.66 |\n| 20 | 1.99 | 1.81 |\n| 25 | 1.95 | 1.92 |' } },
  'loss-identity': { kind: 'arithmetic', severity: 'error', example: { faulty: '| beta | KL | Train Loss | PPO Loss |\n|---|---|---|---|\n| 0.10 | 0.0500 | 0.0150 | 0.0100 |\n| 0.20 | 0.0400 | 0.0180 | 0.0100 |\n| 0.30 | 0.0300 | 0.0190 | 0.0100 |\n| 0.40 | 0.0300 | 0.0190 | 0.0100 |', sound: '| beta | KL | Train Loss | PPO Loss |\n|---|---|---|---|\n| 0.10 | 0.0500 | 0.0150 | 0.0100 |\n| 0.20 | 0.0400 | 0.0180 | 0.0100 |\n| 0.30 | 0.0300 | 0.0190 | 0.0100 |\n| 0.40 | 0.0300 | 0.0220 | 0.0100 |' } },
  'mean-impossible': { kind: 'impossible', severity: 'error', example: { faulty: 'Entropy: 0.412 (mean, range 0.412-1.307)', sound: 'Entropy: 0.812 (mean, range 0.412-1.307)' } },
  'percent-base': { kind: 'arithmetic', severity: 'warning', example: { faulty: '显存从 80.0 降至 60.0，下降 33.3%。', sound: '显存从 80.0 降至 60.0，下降 25.0%。' } },
  'percent-change': { kind: 'arithmetic', severity: 'error', example: { faulty: 'Accuracy rose from 40.0% to 50.0% (+15%).', sound: 'Accuracy rose from 40.0% to 50.0% (+25%).' } },
  'sampling-error': { kind: 'resolution', severity: 'warning', example: { faulty: 'On 200 questions the new prompt has a better accuracy (+0.5%).', sound: 'On 200 questions the new prompt has a better accuracy (+14.5%).' } },
  'sign-contradicted': { kind: 'contradiction', severity: 'error', example: { faulty: '每步时间从 180s 增至 140s。', sound: '每步时间从 180s 降至 140s。' } },
  'stated-difference': { kind: 'arithmetic', severity: 'error', example: { faulty: '奖励 0.520 → 0.610（Δ +0.080）。', sound: '奖励 0.520 → 0.610（Δ +0.090）。' } },
  'timeline': { kind: 'timeline', severity: 'error', example: { faulty: 'Second run (10:15-10:47): runtime 52 minutes.', sound: 'Second run (10:15-10:47): runtime 32 minutes.' } },
  'wrong-equation': { kind: 'arithmetic', severity: 'error', example: { faulty: '有效批大小：4 × 8 = 36', sound: '有效批大小：4 × 8 = 32' } },
  'wrong-mean': { kind: 'arithmetic', severity: 'error', example: { faulty: '| task | A | B |\n|---|---|---|\n| x | 10.0 | 20.0 |\n| y | 20.0 | 40.0 |\n| mean | 15.0 | 35.0 |', sound: '| task | A | B |\n|---|---|---|\n| x | 10.0 | 20.0 |\n| y | 20.0 | 40.0 |\n| mean | 15.0 | 30.0 |' } },
  'wrong-multiple': { kind: 'arithmetic', severity: 'error', example: { faulty: 'Throughput: 1200 vs 300 tokens = 6x faster.', sound: 'Throughput: 1200 vs 300 tokens = 4x faster.' } },
  'wrong-share': { kind: 'arithmetic', severity: 'error', example: { faulty: '12/80 (25.0%) of the tasks were solved.', sound: '12/80 (15.0%) of the tasks were solved.' } },
  'wrong-sum': { kind: 'arithmetic', severity: 'error', example: { faulty: '| split | A | B |\n|---|---|---|\n| x | 100 | 200 |\n| y | 210 | 430 |\n| total | 310 | 650 |', sound: '| split | A | B |\n|---|---|---|\n| x | 100 | 200 |\n| y | 210 | 430 |\n| total | 310 | 630 |' } },
  'untested-words': { kind: 'untested', severity: 'note', example: { faulty: 'The new reward is significantly better than the old one.', sound: 'The new reward scores 0.4 points more than the old one.', isOnRequest: true } },
} as const satisfies Record<string, KnownRule>

export type RuleId = keyof typeof KNOWN_RULES

/** What kind of fault it is: scripts group by it. */
export type FaultKind = (typeof KNOWN_RULES)[RuleId]['kind']

/** A rule that has an example, as `--rules`, the docs and the tests know it. */
export type RuleCard = Required<KnownRule> & { readonly id: string; readonly kind: FaultKind }
