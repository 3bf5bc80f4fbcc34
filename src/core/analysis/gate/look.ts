import { sha256 } from '../../../logs/model/id.js'
import { Problem } from '../../../logs/model/problem.js'
import { comparableName } from '../../../logs/model/vocabulary/names.js'
import { mean } from '../../../stats/descriptive.js'
import { sentences } from '../../../text/sentences.js'
import { loadRun, stepRange } from '../../store/catalogue.js'
import type { JudgedSide, LoopLook } from '../../store/loop-ledger.js'
import { loadVocabulary } from '../../store/vocabulary.js'
import type { Workspace } from '../../store/workspace.js'
import { type RunSide, sideOf } from '../compare/evidence.js'
import type { ComparisonResult } from '../compare/result.js'
import type { ComparisonSpec } from '../compare/specification.js'
import { settingKey } from '../confounds.js'
import { absoluteSize } from '../conventions.js'
import { growthOf } from '../growing.js'
import { type RunView, viewRun } from '../run-view.js'
import { type GateResult, gateResult } from './answer.js'
import { currentTry, evidenceFor, type Incumbent, incumbentOf, judgedRuns } from './loop.js'
import { judgeTry } from './rule.js'
import { refuseWithoutLog, vouchedRun } from './vouch.js'

/**
 * One look at a candidate: which try of the loop it is, whether the ledger answers already, what `compare` makes of the
 * runs, and what the rule says of their scores.
 */

const say = sentences({
  'gate.checkpoint': {
    en: '{side}: a loop is judged by whole runs, not by a step of one',
    zh: '{side}：循环按完整的 run 判定，而不是某个 step',
  },
  'gate.shared-run': { en: '{run} is on both sides', zh: '{run} 同时出现在两方' },
  'gate.other-incumbent': {
    en: '{side} is not what loop {loop} compares with: its incumbent is {incumbent}; give its runs as the baseline, or begin another loop',
    zh: '循环 {loop} 当前的基线是 {incumbent}，而不是 {side}；请以它的 run 作为基线，或新开一个循环',
  },
  'gate.other-goal': {
    en: 'loop {loop} is judged by {known}: a loop whose goal or margin changes on the way promises nothing; begin another loop',
    zh: '循环 {loop} 的判定依据是 {known}：中途更换目标或界限，误差控制便不再成立；请新开一个循环',
  },
  'gate.no-direction': {
    en: 'nothing tells whether {metric} is better high or low: klens goal {metric} --goal max',
    zh: '无从得知 {metric} 越高越好还是越低越好：klens goal {metric} --goal max',
  },
  'gate.nothing-shared': {
    en: '{baseline} and {candidate} share no evaluation by {metric}',
    zh: '{baseline} 与 {candidate} 没有共同的 {metric} 验证点',
  },
  'gate.run-gone': {
    en: '{run}, which try {try} has judged, is no longer in the workspace; import its log again',
    zh: '第 {try} 次尝试判定过的 {run} 已不在工作区中；请重新导入其日志',
  },
})

interface AskedOfGate {
  /** A metric, or a direction. */
  readonly goal: string | null
  readonly margin: LoopLook['margin']
  readonly ended: boolean
  /** `compare` of two sides, by the metric that is named or that it finds itself. */
  readonly compare: (
    sides: readonly RunSide[],
    spec: Pick<ComparisonSpec, 'goal' | 'margin' | 'ended'> & { readonly metric: string | null },
  ) => Promise<ComparisonResult>
}

type Sides = readonly [baseline: RunSide, candidate: RunSide]

export async function lookAtCandidate(
  workspace: Workspace,
  loop: string,
  looks: readonly LoopLook[],
  named: Sides,
  asked: AskedOfGate,
): Promise<{ readonly answer: GateResult; readonly added: LoopLook | null }> {
  refuseUnfit(named)
  const incumbent = incumbentOf(looks)
  const settings = [settingIn(looks, named[0], null), settingIn(looks, named[1], settingKey(named[0].runs[0]))] as const
  // The same question once more, after the answer has changed what the loop is at.
  const kept = incumbent?.keptAt
  if (kept != null && kept.baseline.setting === settings[0] && kept.candidate.setting === settings[1]) {
    const context = { verdict: null, fromLedger: true, isSameSettings: false, margin: null }
    return { answer: gateResult(loop, kept, looks, context), added: null }
  }
  refuseOtherBaseline(loop, incumbent, settings[0], named[0])
  const baseline = await withJudged(workspace, looks, named[0], settings[0])
  const candidate = await withJudged(workspace, looks, named[1], settings[1])
  const compared = await comparedSides(loop, looks, [baseline, candidate], asked)
  const { metric, goal, margin, levels, progress } = compared
  const smallest = absoluteSize(margin, mean(levels[0]))
  const judgedSide = async (side: RunSide, place: 0 | 1): Promise<JudgedSide> => ({
    setting: settings[place],
    label: side.label,
    runs: await Promise.all(
      side.runs.map((run, i) =>
        vouchedRun(run, compared.metrics[place], levels[place][i], judgedBefore(looks, run.manifest.id)),
      ),
    ),
  })
  const sides = { baseline: await judgedSide(baseline, 0), candidate: await judgedSide(candidate, 1) }
  const told = (look: LoopLook, all: readonly LoopLook[], fromLedger: boolean): GateResult =>
    gateResult(loop, look, all, {
      verdict: compared.verdict,
      fromLedger,
      isSameSettings: settingKey(baseline.runs[0]) === settingKey(candidate.runs[0]),
      margin: smallest,
    })
  const current = currentTry(looks, sides)
  if (current.answered !== null) return { answer: told(current.answered, looks, true), added: null }
  const evidence = { ...evidenceFor(looks, current, incumbent, sides, goal), progress }
  const judged = judgeTry(evidence, current.error, smallest)
  const at = new Date().toISOString()
  const look = { try: current.number, metric, goal, margin, ...sides, ...judged, error: current.error, at }
  // A look at a training that goes on decides nothing and is not remembered.
  const added = progress < 1 && judged.decision === 'more' ? null : look
  return { answer: told(look, added === null ? looks : [...looks, look], false), added }
}

function refuseUnfit(sides: Sides): void {
  for (const { checkpoint, label, runs } of sides) {
    if (checkpoint !== null) throw new Problem('bad-request', say('gate.checkpoint', { side: label }))
    for (const run of runs) refuseWithoutLog(run)
  }
}

/** What `compare` makes of the two sides, by the goal that the loop has from its first look on. */
async function comparedSides(
  loop: string,
  looks: readonly LoopLook[],
  [baseline, candidate]: Sides,
  asked: AskedOfGate,
) {
  const ids = new Set(candidate.runs.map(({ manifest }) => manifest.id))
  const shared = baseline.runs.find(({ manifest }) => ids.has(manifest.id))
  if (shared !== undefined) throw new Problem('bad-request', say('gate.shared-run', { run: shared.manifest.name }))
  const [first] = looks
  const margin = asked.margin ?? first?.margin ?? null
  const progress = progressOf(candidate.runs, baseline.runs, asked.ended)
  const isDirection = asked.goal === 'max' || asked.goal === 'min'
  const compared = await asked.compare([baseline, candidate], {
    metric: (isDirection ? null : asked.goal) ?? first?.metric ?? null,
    goal: asked.goal === 'max' || asked.goal === 'min' ? asked.goal : (first?.goal ?? null),
    margin,
    ended: progress === 1,
  })
  const { goal, sides, others, verdicts } = compared
  const [{ headline, levels }] = others
  const metrics = sides.map(side => side.metric)
  const [metric] = metrics
  if (goal === null) throw new Problem('bad-request', say('gate.no-direction', { metric }))
  refuseOtherGoal(loop, looks, { metric, goal, margin })
  if (levels === null || !levels.flat().every(level => Math.abs(level) < LARGEST)) {
    const labels = { baseline: baseline.label, candidate: candidate.label }
    throw new Problem('not-enough', say('gate.nothing-shared', { ...labels, metric }))
  }
  return { metric, metrics, goal, margin, progress, levels, verdict: verdicts[headline] }
}

/** Beyond it a variance is not a number any more, and nothing that comes in scores is as large. */
const LARGEST = 1e100

/** The setting of a side: that of its runs in the ledger, else by its config; where that is the incumbent's too, by its runs. */
function settingIn(looks: readonly LoopLook[], { runs }: RunSide, incumbentKey: string | null): string {
  const ids = new Set(runs.map(({ manifest }) => manifest.id))
  const known = looks
    .flatMap(({ baseline, candidate }) => [candidate, baseline])
    .find(side => side.runs.some(({ id }) => ids.has(id)))
  if (known !== undefined) return known.setting
  const key = settingKey(runs[0])
  const isTelling = key !== null && key !== incumbentKey
  return sha256(isTelling ? key : [...ids].sort().join()).slice(0, 16)
}

/** With the runs of that setting that the ledger knows: to leave out the worse ones changes nothing. */
async function withJudged(
  workspace: Workspace,
  looks: readonly LoopLook[],
  side: RunSide,
  setting: string,
): Promise<RunSide> {
  const words = await loadVocabulary(workspace)
  const named = new Set(side.runs.map(({ manifest }) => manifest.id))
  const missing = [...judgedRuns(looks, setting).values()].filter(({ id }) => !named.has(id))
  const found = await Promise.all(
    missing.map(async ({ id, name }): Promise<RunView> => {
      const run = await loadRun(workspace, id)
      if (run !== null) return viewRun(run, words)
      const judged = judgedBefore(looks, id)
      throw new Problem('not-found', say('gate.run-gone', { run: name, try: judged?.try ?? 0 }))
    }),
  )
  return found.length === 0 ? side : sideOf(side.label, [...side.runs, ...found], null)
}

function judgedBefore(looks: readonly LoopLook[], id: string) {
  const look = looks.findLast(({ baseline, candidate }) =>
    [...baseline.runs, ...candidate.runs].some(run => run.id === id),
  )
  const run = [...(look?.baseline.runs ?? []), ...(look?.candidate.runs ?? [])].find(each => each.id === id)
  return look === undefined || run === undefined ? null : { run, try: look.try }
}

function refuseOtherBaseline(
  loop: string,
  incumbent: Incumbent | null,
  setting: string,
  { label: side }: RunSide,
): void {
  if (incumbent === null || incumbent.setting === setting) return
  const { label } = incumbent
  throw new Problem('bad-request', say('gate.other-incumbent', { side, loop, incumbent: label }))
}

function refuseOtherGoal(
  loop: string,
  looks: readonly LoopLook[],
  asked: Pick<LoopLook, 'metric' | 'goal' | 'margin'>,
): void {
  const [first] = looks
  if (first === undefined) return
  const textOf = ({ metric, goal, margin }: Pick<LoopLook, 'metric' | 'goal' | 'margin'>): string =>
    JSON.stringify([comparableName(metric), goal, margin])
  if (textOf(first) === textOf(asked)) return
  const margin = first.margin === null ? '' : ` ${JSON.stringify(first.margin)}`
  throw new Problem('bad-request', say('gate.other-goal', { loop, known: `${first.metric} (${first.goal})${margin}` }))
}

/** A log that tells no plan and no end has ended, for all that is known: who asks the gate has a result. */
function progressOf(candidate: readonly RunView[], baseline: readonly RunView[], isOver: boolean): number {
  const growth = growthOf(candidate, { ended: isOver })
  const isRunning = candidate.some(({ manifest }) => manifest.status === 'running')
  if (growth === null || (growth.planned === null && !isRunning)) return 1
  const last = ({ manifest }: RunView): number => stepRange(manifest)?.[1] ?? 0
  const planned = growth.planned ?? Math.max(...baseline.map(last))
  return Math.min(0.99, Math.min(...candidate.map(last)) / Math.max(1, planned))
}
