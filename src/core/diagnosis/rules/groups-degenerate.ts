import { numberOf } from '../../../logs/model/vocabulary/config-value.js'
import { mean } from '../../../stats/descriptive.js'
import { figure, percentage } from '../../../text/numbers.js'
import { cannotSay, runRule, threshold, tooShort, type UntreatedSymptom } from '../run-rule.js'
import { between, type Curve, combined, ends, inBlocks, medianOf, stepsOf, within } from '../signs/curve.js'
import { lastingShare, settledFrom } from '../signs/lasting.js'
import type { Subject } from '../subject.js'

const BLOCKS = 40

export const groupsDegenerate = runRule({
  id: 'groups-degenerate',
  severity: 'warning',
  about: {
    en: 'The answers of a group all get the same reward, so the group teaches nothing.',
    zh: '一组内的回答全都得到相同的 reward，学不到任何东西。',
  },
  needs: [['group.zero_std_frac', 'group.pass_frac', 'adv.std', 'adv.max']],
  uses: ['adv.min', 'score.mean', 'score.max', 'score.min'],
  thresholds: {
    MOST_TIED: threshold(0.8, {
      en: 'Derived: at 0.8 four of five groups give no gradient and the batch is a fifth of what was paid for. With binary rewards 8 answers tie in 20 % of groups at p = 0.18; 56 healthy runs lie at 0.53 at most (median of 21 steps).',
      zh: '推得：0.8 时五组中有四组没有梯度，一批只剩五分之一有用。0/1 reward、8 个回答、p = 0.18 时 20% 的组打平；56 个健康 run 最高 0.53（21 步中位数）。',
    }),
    ALL_TIED: threshold(0.999, { en: 'All of them: an error.', zh: '全部打平：错误。' }),
    MANY_TIED: threshold(0.6, {
      en: 'Derived: more than the 0.53 of healthy runs, and less than half of the batch left to learn from; a note, where it is so at the end. It says how many would tie by chance, p^G + (1 − p)^G, where score and group size are known.',
      zh: '推得：高于健康 run 的 0.53，且一批中不到一半可学；若末尾如此则给出提示。已知得分和组大小时，会写出偶然打平的比例 p^G + (1 − p)^G。',
    }),
    FEWEST_FOR_LEVEL: threshold(10, {
      en: 'It is a mean, since 32 groups are off by 0.09 in a single step: over so many steps at least.',
      zh: '取均值，因为 32 组在单步内误差有 0.09：至少取这么多步。',
    }),
    AS_EXPECTED: threshold(0.1, {
      en: 'Derived: a share within a tenth of what a high score must bring with it is success.',
      zh: '推得：得分高时必然打平的比例，相差在此以内属于成功。',
    }),
    SOLVED: threshold(0.95, {
      en: 'Derived: groups that tie because nearly every answer is right are success, not illness.',
      zh: '推得：几乎全对而打平的组是成功，不是病。',
    }),
    FEWEST: threshold(5, { en: 'Points that are needed. Derived.', zh: '至少需要的点数。推得。' }),
  },
  says: {
    'groups-degenerate': {
      en: '{share} % of the groups have equal rewards and give no gradient',
      zh: '{share}% 的组是零方差组（组内奖励全相同），没有梯度信号',
    },
    'groups-degenerate.solved': {
      en: '{share} % of the groups have equal rewards because nearly every response is right: these prompts are learned',
      zh: '{share}% 的组是零方差组，因为几乎每个回答都对：这批 prompt 已经学会',
    },
    'groups-degenerate.many': {
      en: '{share} % of the groups have equal rewards up to the end: less than half of each batch gives a gradient',
      zh: '直到末尾有 {share}% 的组是零方差组：每批只有不到一半有梯度信号',
    },
    'groups-degenerate.many-expected': {
      en: '{share} % of the groups have equal rewards up to the end and give no gradient; right-or-wrong responses to equally hard prompts, {n} each, would tie in {expected} % at this score of {score}',
      zh: '直到末尾有 {share}% 的组是零方差组，没有梯度信号；若各 prompt 难度相同、每个 {n} 个回答且只分对错，得分 {score} 时应为 {expected}%',
    },
    'groups-degenerate.solved.remedy': {
      en: 'stop here, or continue with harder prompts',
      zh: '可以到此为止，或换更难的 prompt 继续',
    },
    'groups-degenerate.cannot.not-told': {
      en: 'the log does not show which groups have equal rewards',
      zh: '日志没有说明哪些组的奖励全相同',
    },
  },
  remedy: {
    en: 'check first that the reward function separates responses at all; then use prompts that are sometimes solved, sample more responses for each, or filter tied groups (verl: algorithm.filter_groups)',
    zh: '先确认 reward 函数能区分回答好坏；再换成有时对有时错的 prompt、增加每个 prompt 的采样数，或过滤零方差组（verl：algorithm.filter_groups）',
  },
  check(subject, { say, MOST_TIED, ALL_TIED, FEWEST }) {
    const tied = tiedShare(subject)
    if (tied === undefined) return cannotSay(say('groups-degenerate.cannot.not-told', {}))
    if (tied.steps.length < FEWEST) return tooShort(tied, FEWEST)
    const found = lastingShare(tied, MOST_TIED).at(-1)
    if (found === undefined) return ofMany(tied, subject)
    const stretch = within(tied, found)
    const share = mean(stretch.values)
    const solved = isSolved(subject, stretch)
    const isOver = tied.steps.length - found.to > found.to - found.from
    const all = !isOver && lastingShare(stretch, ALL_TIED).length > 0
    return {
      severity: solved ? 'note' : all ? 'error' : 'warning',
      steps: stepsOf(stretch),
      evidence: { metric: tied.metric, share, limit: MOST_TIED },
      message: say(solved ? 'groups-degenerate.solved' : 'groups-degenerate', { share: percentage(share) }),
      remedy: solved ? say('groups-degenerate.solved.remedy', {}) : undefined,
    }
  },
})

/** Not most, but many, and up to the end. */
function ofMany(tied: Curve, subject: Subject): UntreatedSymptom | undefined {
  const { MANY_TIED, FEWEST_FOR_LEVEL, AS_EXPECTED } = groupsDegenerate.limits
  const n = tied.steps.length
  if (n < FEWEST_FOR_LEVEL || mean(ends(tied, Math.max(0.1, FEWEST_FOR_LEVEL / n)).end.values) < MANY_TIED)
    return undefined
  const blocks = inBlocks(tied, BLOCKS)
  const from = settledFrom(blocks, value => value >= MANY_TIED)
  const stretch = between(
    tied,
    from < 0 ? tied.steps[n - FEWEST_FOR_LEVEL] : blocks.steps[from],
    Number.POSITIVE_INFINITY,
  )
  const share = mean(stretch.values)
  const chance = expectedTies(subject, stretch)
  if (isSolved(subject, stretch)) return undefined
  if (chance !== null && chance.score > 0.5 && chance.expected >= share - AS_EXPECTED) return undefined
  return {
    severity: 'note',
    steps: stepsOf(stretch),
    evidence: { metric: tied.metric, share, limit: MANY_TIED, ...chance },
    message:
      chance === null
        ? groupsDegenerate.say('groups-degenerate.many', { share: percentage(share) })
        : groupsDegenerate.say('groups-degenerate.many-expected', {
            share: percentage(share),
            n: chance.answers,
            score: figure(chance.score),
            expected: percentage(chance.expected),
          }),
  }
}

/**
 * G answers of which each is right with probability p tie with probability p^G + (1 − p)^G; more often where prompts
 * differ in difficulty, since that is convex in p. Null where the score is no share of right answers, or G unknown.
 */
function expectedTies({ curve, settings }: Subject, stretch: Curve) {
  const [score, highest, lowest] = [curve('score.mean'), curve('score.max'), curve('score.min')]
  const answers = numberOf(settings.get('group.size')?.effective ?? undefined)
  if (score === undefined || answers === null || answers < 2) return null
  const isShare = [score, highest, lowest].every(each => each?.values.every(value => value >= 0 && value <= 1) ?? true)
  const during = between(score, ...stepsOf(stretch))
  if (!isShare || during.steps.length === 0) return null
  const p = medianOf(during)
  return { answers, score: p, expected: p ** answers + (1 - p) ** answers }
}

/**
 * The share of tied groups: as logged; from OpenRLHF's filter; from Lever-Plus's mean deviation of advantages, which is
 * 1 for an informative group and 0 for a tied one; or, where nothing else is logged, the
 * steps at which every advantage is 0 (V7).
 */
function tiedShare({ framework, curve }: Subject): Curve | undefined {
  const logged = curve('group.zero_std_frac')
  if (logged !== undefined) return logged
  const complement = curve('group.pass_frac') ?? (framework === 'lever-plus' ? curve('adv.std') : undefined)
  if (complement !== undefined) return { ...complement, values: complement.values.map(share => 1 - share) }
  const [highest, lowest] = [curve('adv.max'), curve('adv.min')]
  if (highest === undefined || lowest === undefined) return undefined
  return combined(highest, lowest, (most, least) => (most === 0 && least === 0 ? 1 : 0))
}

function isSolved({ curve }: Subject, tied: Curve): boolean {
  const { SOLVED } = groupsDegenerate.limits
  const [score, highest] = [curve('score.mean'), curve('score.max')]
  if (score === undefined || highest === undefined) return false
  const best = highest.values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  const during = combined(score, tied, value => value)
  return best > 0 && during.steps.length > 0 && medianOf(during) >= SOLVED * best
}
