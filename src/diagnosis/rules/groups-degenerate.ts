import { numberOf } from '../../model/vocabulary/config-value.js'
import { mean } from '../../stats/descriptive.js'
import { figure, percentage } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule, type Symptom } from '../rule.js'
import { between, type Curve, combined, ends, inBlocks, medianOf, stepsOf, within } from '../signs/curve.js'
import { lasting, settledFrom, whereLasting } from '../signs/lasting.js'
import type { Subject } from '../subject.js'

/**
 * Derived: at 0.8 four of five groups give no gradient and the batch is a fifth of what was paid for. With binary
 * rewards 8 answers tie in 20 % of groups at p = 0.18; 56 healthy runs lie at 0.53 at most (median of 21 steps).
 */
const MOST_TIED = 0.8
const ALL_TIED = 0.999
/** Derived: more than the 0.53 of healthy runs, and less than half of the batch left to learn from; worth knowing. */
const MANY_TIED = 0.6
/** It is a mean, since 32 groups are off by 0.09 in a single step: over so many steps at least, and so many blocks. */
const FEWEST_FOR_LEVEL = 10
const BLOCKS = 40
/** Derived: a share within a tenth of what a high score must bring with it is success. */
const AS_EXPECTED = 0.1
/** Derived: groups that tie because nearly every answer is right are success, not illness. */
const SOLVED = 0.95
const FEWEST = 5

/** The answers of a group all get the same reward, so the group teaches nothing. */
export const groupsDegenerate: Rule = {
  id: 'groups-degenerate',
  severity: 'warning',
  needs: [['group.zero_std_frac', 'group.pass_frac', 'adv.std', 'adv.max']],
  uses: ['adv.min', 'score.mean', 'score.max', 'score.min'],
  detect(subject) {
    const tied = tiedShare(subject)
    if (tied === undefined) return cannotSay(message('groups-degenerate.not-told', {}))
    if (tied.steps.length < FEWEST) {
      return cannotSay(message('diagnose.too-short', { n: tied.steps.length, metric: tied.metric, needed: FEWEST }))
    }
    const found = whereLasting(tied, share => share >= MOST_TIED)
    if (found === undefined) return ofMany(tied, subject)
    const stretch = within(tied, found)
    const share = medianOf(stretch)
    const solved = isSolved(subject, stretch)
    const all = lasting(stretch, value => value >= ALL_TIED).length > 0
    return {
      severity: solved ? 'note' : all ? 'error' : 'warning',
      steps: stepsOf(stretch),
      evidence: { metric: tied.metric, share, limit: MOST_TIED },
      message: message(solved ? 'groups-degenerate.solved' : 'groups-degenerate', { share: percentage(share) }),
      remedy: message(solved ? 'groups-degenerate.solved.remedy' : 'groups-degenerate.remedy', {}),
    }
  },
}

/** Not most, but many, and up to the end. */
function ofMany(tied: Curve, subject: Subject): Symptom | undefined {
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
        ? message('groups-degenerate.many', { share: percentage(share) })
        : message('groups-degenerate.many-expected', {
            share: percentage(share),
            n: chance.answers,
            score: figure(chance.score),
            expected: percentage(chance.expected),
          }),
    remedy: message('groups-degenerate.remedy', {}),
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
  const [score, highest] = [curve('score.mean'), curve('score.max')]
  if (score === undefined || highest === undefined) return false
  const best = highest.values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  const during = combined(score, tied, value => value)
  return best > 0 && during.steps.length > 0 && medianOf(during) >= SOLVED * best
}
