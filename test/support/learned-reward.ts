import { join } from 'node:path'
import { expect, it } from 'vitest'
import { compare } from '../../src/app/ask/compare.js'
import { decide } from '../../src/app/ask/decide.js'
import { diagnose } from '../../src/app/ask/diagnose.js'
import { importLogs } from '../../src/core/store/ingest.js'
import { openWorkspace, type Workspace } from '../../src/core/store/workspace.js'
import { answerTo } from '../ask.js'
import { sharedFolder } from '../workspace.js'
import { type Dialect, type LearnedLab, readLab, writeLearnedLab } from './labs.js'

/**
 * A lab in which GRPO maximises a reward model: with a weak one and a small penalty the optimised reward rises while the
 * true score falls. What klens says is compared with truth that it never sees.
 */
const BETAS = ['beta-0.0', 'beta-0.03', 'beta-0.1', 'beta-0.3', 'beta-1.0']

export function testLearnedReward(lab: LearnedLab, dialect: Dialect): void {
  const folder = sharedFolder()
  const truth = new Map(BETAS.map(group => [group, trueEnd(lab, group)]))
  let opened: Promise<Workspace> | undefined
  const workspace = (): Promise<Workspace> => {
    opened ??= prepare(folder, lab, dialect)
    return opened
  }

  it('is never judged with the wrong sign', async () => {
    const claims: string[] = []
    for (const [i, first] of BETAS.entries()) {
      for (const second of BETAS.slice(i + 1)) {
        const { headline, verdicts } = await answerTo(await workspace(), compare, {
          sides: [`${first}/*`, `${second}/*`],
        })
        const { answer } = verdicts[headline.verdict]
        if (answer !== 'better' && answer !== 'worse') continue
        const isBetter = (truth.get(second) ?? 0) > (truth.get(first) ?? 0)
        expect(`${second} against ${first}: ${answer}`).toBe(
          `${second} against ${first}: ${isBetter ? 'better' : 'worse'}`,
        )
        claims.push(`${first} ${second}`)
      }
    }
    expect(claims.length).toBeGreaterThanOrEqual(6)
  })

  it('gets the advice to ship a run of the best setting', async () => {
    const { ship } = await answerTo(await workspace(), decide, { runs: BETAS.map(group => `${group}/*`) })
    const { runs } = await answerTo(await workspace(), diagnose, { runs: [ship?.run ?? ''] })
    const best = Math.max(...truth.values())
    expect(best - (truth.get(runs[0].name.split('/')[0]) ?? 0)).toBeLessThan(0.01)
  })

  it('is called overoptimised where it is, and nowhere else', async () => {
    const { findings, runs } = await answerTo(await workspace(), diagnose, { runs: ['*'] })
    const marked = findings.filter(({ rule }) => rule === 'overoptimised').map(({ run }) => run)
    const groups = runs.filter(({ id }) => marked.includes(id)).map(({ name }) => name.split('/')[0])
    const count = (group: string): number => groups.filter(each => each === group).length
    // Of beta-0.1 the true score fell and came back: one run may be marked.
    expect(BETAS.map(count)).toEqual([5, 5, expect.toBeOneOf([0, 1]), 0, 0])
  })
}

async function prepare(folder: string, lab: LearnedLab, dialect: Dialect): Promise<Workspace> {
  const logs = join(folder, 'logs')
  writeLearnedLab(logs, lab, dialect, ({ group }) => BETAS.includes(group))
  const workspace = await openWorkspace(folder, {})
  await importLogs(workspace, [logs])
  return workspace
}

/** The true score of a setting's policies at the end of training, over its seeds. */
function trueEnd(lab: LearnedLab, group: string): number {
  const ends = readLab(lab)
    .filter(run => run.group === group)
    .map(({ truth }) => truth.get('all')?.at(-1)?.exact ?? Number.NaN)
  return ends.reduce((sum, end) => sum + end, 0) / ends.length
}
