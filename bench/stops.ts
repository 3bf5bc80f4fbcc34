import { readFileSync } from 'node:fs'
import { decideStop, stopRules } from '../src/lab/study/stop-rules.js'
import { heldOut, isSick, type LabRun, labRunsIn } from '../test/support/labs.js'
import type { Benchmark, Figures } from './benchmark.js'

/** How often each reason to stop would have stopped real runs, asked after every evaluation, and what it would have saved. */
export const stops: Benchmark = {
  name: 'stops',
  about: 'reasons to stop on 150 real runs of two labs: healthy ones stopped, steps saved in sick ones',
  async run() {
    // From the compiled folder, where the packs are not.
    const labs = (['addition', 'sorting'] as const).map(lab => ({
      lab,
      runs: labRunsIn(readFileSync(`test/data/labs/${lab}.json.br`)),
    }))
    const runs = labs.flatMap(each => each.runs)
    const half = (isHeldOut: boolean): readonly LabRun[] =>
      labs.flatMap(each => each.runs.filter(run => heldOut(each.lab, run) === isHeldOut))
    const lines = ['drop=30%', 'drop=20%', 'drop=10%', 'patience=20', 'patience=10', 'patience=5']
    return {
      title: 'stops',
      rows: [
        { ...stopped('collapse', half(false)), what: 'collapse, the half it was tuned on' },
        { ...stopped('collapse', half(true)), what: 'collapse, the other half' },
        ...lines.map(line => stopped(line, runs)),
      ],
    }
  },
}

function stopped(line: string, runs: readonly LabRun[]): Figures {
  const rules = stopRules(line)
  const all = runs.map(run => ({ isSick: isSick(run), share: shareDone(run, rules) }))
  const share = (part: number, whole: number): number => Math.round((100 * part) / Math.max(1, whole))
  const [healthy, sick] = [all.filter(run => !run.isSick), all.filter(run => run.isSick)]
  const early = sick.filter(run => run.share < 1)
  const saved = early.reduce((sum, run) => sum + 1 - run.share, 0)
  return {
    what: line,
    'healthy stopped, %': share(healthy.filter(run => run.share < 1).length, healthy.length),
    'sick stopped, %': share(early.length, sick.length),
    'steps saved in those, %': share(saved, early.length),
  }
}

/** The share of its steps that a run was let go on for. */
function shareDone({ metrics }: LabRun, rules: ReturnType<typeof stopRules>): number {
  const [found] = [...metrics].filter(([name]) => /^val.*reward\/mean/.test(name))
  if (found === undefined) return 1
  const [metric, { steps, values }] = found
  for (let seen = 1; seen <= values.length; seen += 1) {
    const score = {
      metric,
      goal: 'max',
      steps: steps.slice(0, seen),
      values: values.slice(0, seen),
      prompts: null,
    } as const
    const decision = decideStop(rules, { step: steps[seen - 1], hours: null, score, findings: [] })
    if (decision !== null) return decision.step / steps[steps.length - 1]
  }
  return 1
}
