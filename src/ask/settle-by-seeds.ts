import { type PlannedArm, seedsOf, trialsOf } from '../study/plan/trials.js'
import { settlePlan, settleSeeds } from '../study/settle/settle-seeds.js'
import { judgeOf } from './settle-judge.js'
import { keepProgress, nothingSettled, type Outcome, type Settling, trustedCells } from './settling.js'

/** Seeds are bought for all arms that are open, up to the next planned look, until each is settled. */
export async function settleBySeeds(settling: Settling): Promise<Outcome> {
  const { workspace, study, baseline, others, dropped, asking, buy } = settling
  const { margin, settle, seeds: planned } = study.file
  const plan = settlePlan(settle.most)
  const judge = await judgeOf(workspace, study, asking)
  let outcome = nothingSettled(others)
  const valuesAt = new Map<number, ReadonlyMap<string, readonly number[]>>()
  for (const [i, seeds] of plan.looks.entries()) {
    const open = others.filter(({ name }, k) => !dropped.has(name) && outcome.settled[k].answer === null)
    if (open.length === 0) break
    const arms = [baseline, ...open]
    const trials = trialsOf(study.name, arms, seedsOf(planned, seeds))
    const { trials: trained, missing, stopped } = await buy(trials)
    if (stopped !== null) return { ...outcome, stopped, next: { look: seeds, trials: missing } }
    const cells = await trustedCells(workspace, study, trials)
    const stock = { seeds, arms: arms.length, next: plan.looks[i + 1] ?? null }
    const { values, components, offers, prompts } = await judge.at(cells, stock)
    valuesAt.set(seeds, values)
    const scoresAt = (count: number) => {
      const at = valuesAt.get(count)
      const of = ({ name }: PlannedArm): readonly number[] => at?.get(name) ?? []
      return { baseline: of(baseline), others: others.map(of) }
    }
    const settled = settleSeeds(others.length, scoresAt, margin, plan)
    if (settle.prompts !== undefined) await keepProgress(settling, plan.looks, settled)
    for (const [k, { name }] of others.entries()) {
      const look = settled[k].looks[i]
      if (look !== undefined) asking.onProgress?.({ event: 'look', look: { other: name, ...look } })
    }
    const isOpen = settled.some(({ answer }, k) => answer === null && !dropped.has(others[k].name))
    const left = isOpen ? offers : []
    if (isOpen && offers.length > 0) asking.onProgress?.({ event: 'offers', components, offers })
    outcome = {
      ...outcome,
      settled,
      bought: trained.length === 0 ? outcome.bought : [...outcome.bought, { look: seeds, trials: trained, prompts }],
      components,
      offers: left,
      answers: judge.answers(),
    }
  }
  return outcome
}
