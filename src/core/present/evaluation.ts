import type { EvalAnswer, EvaluationAnswer } from '../../app/ask/eval.js'
import type { ReplayAnswer } from '../../app/ask/gym.js'
import type { GymCheckAnswer } from '../../app/ask/gym-check.js'
import type { GymEvalAnswer } from '../../app/ask/gym-eval.js'
import type { GymJudgeAnswer } from '../../app/ask/gym-judge.js'
import { message as words } from '../../text/say.js'
import { type Block, paragraph, SEVERITY_TONES, section, table, toned } from './blocks.js'
import { severityWord } from './diagnosis.js'
import { type Speaker, saying } from './speaker.js'
import { shortNumber } from './terminal-text.js'

/** What checkpoints score on a task, and policies in a gym; what could not be scored, and how far they choose alike. */

export function evaluationBlocks(answer: EvalAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const { evaluations, agreements, reasons, checkpoints, findings } = answer
  const [{ task, split, asked }] = evaluations
  const names = new Map(evaluations.map(({ checkpoint, name }) => [checkpoint, name]))
  const nameOf = (checkpoint: string): string => names.get(checkpoint) ?? ''
  const pairs = checkpoints.flatMap((first, i) => checkpoints.slice(i + 1).map(second => [first, second] as const))
  const lines = [
    ...reasons.map(reason => say('eval.missing', { reason })),
    ...pairs.flatMap(([first, second]) =>
      agreementLines(
        { first: nameOf(first), second: nameOf(second) },
        agreements.filter(agreement => agreement.first === first && agreement.second === second),
        speaker,
      ),
    ),
  ]
  return [
    section(
      say('eval.scope', { task, split, n: asked }),
      scoreTable(answer, nameOf, speaker),
      ...lines.map(line => paragraph(line)),
      ...findings.map(({ severity, message }) =>
        paragraph(toned(severityWord(severity, speaker), SEVERITY_TONES[severity]), `  ${message}`),
      ),
    ),
  ]
}

function scoreTable(
  { evaluations, checkpoints, baselines }: EvalAnswer,
  nameOf: (checkpoint: string) => string,
  speaker: Speaker,
): Block {
  const say = saying(speaker, words)
  const shots = [...new Set(evaluations.map(evaluation => evaluation.shots))]
  const rows = checkpoints.map(checkpoint => [
    nameOf(checkpoint),
    ...shots.map(count => {
      const found = evaluations.find(one => one.checkpoint === checkpoint && one.shots === count)
      return found === undefined ? '' : scoreText(found.metrics['eval.score'], found)
    }),
  ])
  const rivals = [...new Set(baselines.map(({ name }) => name))].map(rival => [
    say(`eval.baseline.${rival}`, {}),
    ...shots.map(count => {
      const found = baselines.find(({ name, shots: own }) => name === rival && (own === count || own === 0))
      return found === undefined ? '' : scoreText(found.score, found)
    }),
  ])
  return table(['', ...shots.map(count => say('sweep.shots', { shots: count }))], [...rows, ...rivals])
}

/** With the number of scores behind it in brackets, where some are missing. */
function scoreText(
  score: EvaluationAnswer['metrics']['eval.score'],
  { n, missing }: Pick<EvaluationAnswer, 'n' | 'missing'>,
): string {
  const text = n === 0 ? '–' : shortNumber(Number(score))
  return missing === 0 ? text : `${text} (${n})`
}

function agreementLines(
  names: { readonly first: string; readonly second: string },
  agreements: EvalAnswer['agreements'],
  speaker: Speaker,
): readonly string[] {
  const say = saying(speaker, words)
  if (agreements.length > 0 && agreements.every(({ share }) => share === 1)) {
    const n = Math.max(...agreements.map(agreement => agreement.n))
    const shots = agreements.map(agreement => agreement.shots).join(', ')
    const same = agreements[0].sameWeights ? [say('eval.same-weights', {})] : []
    return [say('eval.identical', { ...names, n, shots }), ...same]
  }
  return agreements.map(({ shots, n, share, overlap }) =>
    say('eval.agreement', { ...names, shots, n, percent: percentBelow(share), overlap: percentBelow(overlap) }),
  )
}

/** Rounded down, so that 100 is said of nothing less. */
function percentBelow(share: number): string {
  return shortNumber(Math.floor(share * 1000) / 10)
}

export function gymEvalBlocks(
  { data, policies, tasks, reasons, judge }: GymEvalAnswer,
  speaker: Speaker,
): readonly Block[] {
  const say = saying(speaker, words)
  const ceiling = figureText(policies.find(policy => policy.ceiling !== null)?.ceiling ?? null)
  const columns = ['score', 'interval', 'share', 'coverage', 'turns', 'failed'] as const
  const rows = policies.map(({ label, score, interval, ceiling: most, coverage, turns, failed }) => [
    label,
    figureText(score),
    interval === null ? '–' : interval.map(shortNumber).join(' … '),
    percent(score === null || most === null ? null : score / most),
    percent(coverage),
    figureText(turns),
    String(failed),
  ])
  const failed = policies.reduce((sum, policy) => sum + policy.failed, 0)
  const dialogues = policies.flatMap(({ ends }) => Object.values(ends)).reduce((sum, ended) => sum + ended, 0)
  const [first, second] = policies
  const lines = [
    ...(failed === 0 ? [] : [say('gym.eval.failed', { failed, dialogues })]),
    ...reasons.map(reason => say('gym.eval.reason', { reason })),
    ...(judge === null ? [] : [judge]),
    ...(second === undefined ? [] : [say('gym.eval.next', { first: first.run, second: second.run, data })]),
  ]
  return [
    section(
      say('gym.eval.scope', { tasks: tasks.length, data, ceiling }),
      table(['', ...columns.map(column => say(`gym.eval.column.${column}`, {}))], rows),
      ...lines.map(line => paragraph(line)),
    ),
  ]
}

const ALARMS: ReadonlySet<string> = new Set(['talk', 'foreign', 'failures'])

export function gymCheckBlocks({ verdict, parts, latency }: GymCheckAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const columns = ['asked', 'share', 'interval', 'n', 'wanted'] as const
  const rows = parts.map(({ kind, n, share, low, high, limit }) => [
    say(`gym.check.${kind}`, {}),
    percent(share),
    low === null || high === null ? '–' : `${percent(low)} … ${percent(high)}`,
    String(n),
    `${ALARMS.has(kind) ? '≤' : '≥'} ${percent(limit)}`,
  ])
  const missed = parts
    .filter(({ state }) => state === 'missed' || state === 'open')
    .map(({ kind, share, limit, low, high, state }) =>
      say(state === 'open' ? 'gym.check.open' : ALARMS.has(kind) ? 'gym.check.too-much' : 'gym.check.too-little', {
        what: say(`gym.check.${kind}`, {}),
        share: percent(share),
        low: percent(low),
        high: percent(high),
        limit: percent(limit),
      }),
    )
  return [
    section(
      say(`gym.check.${verdict}`, {}),
      ...missed.map(line => paragraph(line)),
      table(
        columns.map(column => say(`gym.check.column.${column}`, {})),
        rows,
      ),
      paragraph(say('gym.check.latency', { seconds: figureText(latency) })),
    ),
  ]
}

export function gymJudgeBlocks(answer: GymJudgeAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const rows = [
    [say('gym.judge.right', {}), percent(answer.answeredRight)],
    [say('gym.judge.wrong', {}), percent(answer.answeredWrong)],
    [say('gym.judge.paid', {}), percent(answer.paid)],
    [say('gym.judge.paid-wrongly', {}), percent(answer.paidWrongly)],
    [say('gym.check.failures', {}), String(answer.failures)],
  ]
  return [table([], rows), paragraph(say(answer.fit ? 'gym.judge.fit' : 'gym.judge.not-fit', {}))]
}

const MOST_DIFFERENCES = 20

export function replayBlocks({ episodes, transitions, differences }: ReplayAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const count = differences.length
  const lines = differences.slice(0, MOST_DIFFERENCES).map(({ episode, step, member, recorded, replayed }) => {
    const values = { recorded: JSON.stringify(recorded), replayed: JSON.stringify(replayed) }
    return paragraph(say('gym.replay.difference', { episode, step: step + 1, member, ...values }))
  })
  const title =
    count === 0
      ? say('gym.replay.equal', { episodes, transitions })
      : say('gym.replay.different', { episodes, transitions, count })
  return [section(title, ...lines)]
}

function figureText(value: number | null): string {
  return value === null ? '–' : shortNumber(value)
}

function percent(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)} %`
}
