import { type PlannedArm, trialsOf } from '../study/plan/trials.js'
import { settlePrompts } from '../study/settle/settle-prompts.js'
import { keepProgress, nothingSettled, type Outcome, type Settling, trustedCells } from './settling.js'
import { promptAsker } from './study-prompts.js'

/** Of the first seed, a batch of prompts at a time: as many again as at first. */
export async function settleByPrompts(settling: Settling): Promise<Outcome> {
  const { workspace, study, baseline, others, dropped, asking, buy } = settling
  const { margin, settle, seeds } = study.file
  const { split, first, most } = settle.prompts ?? { split: 'test' as const, first: 100, most: null }
  const arms = [baseline, ...others.filter(({ name }) => !dropped.has(name))]
  const trials = trialsOf(study.name, arms, seeds.slice(0, 1))
  const { trials: trained, missing, stopped } = await buy(trials)
  const nothing = nothingSettled(others)
  if (stopped !== null) return { ...nothing, stopped, next: { look: first, trials: missing } }
  const cells = await trustedCells(workspace, study, trials)
  const asker = promptAsker(workspace, split, asking)
  const pool = Math.min(await asker.pool(cells[0]), most ?? Number.POSITIVE_INFINITY)
  const looks = Array.from({ length: Math.ceil(pool / first) }, (_, i) => Math.min(pool, first * (i + 1)))
  let { settled } = nothing
  let asked = 0
  for (const count of looks) {
    const scores = await asker.ask(cells, count)
    asked = count
    const of = (arm: PlannedArm): readonly number[] =>
      scores.get(cells.find(({ trial }) => trial.arm.name === arm.name)?.trial.id ?? '') ?? []
    // A prompt without a score is left out: looks are at what there is.
    const seen = looks.filter(each => each <= count).map(each => Math.min(each, of(baseline).length))
    const plan = { looks: [...new Set(seen)], isAll: count === pool }
    const judged = settlePrompts(of(baseline), others.map(of), margin, plan)
    settled = judged
    await keepProgress(settling, looks, settled)
    for (const [k, { name }] of others.entries()) {
      const look = judged[k].looks.at(-1)
      if (look !== undefined && look.prompts === seen.at(-1))
        asking.onProgress?.({ event: 'look', look: { other: name, ...look } })
    }
    if (settled.every(({ answer }, k) => answer !== null || dropped.has(others[k].name))) break
  }
  return {
    ...nothing,
    settled,
    bought: trained.length === 0 ? [] : [{ look: asked, trials: trained, prompts: asked }],
    answers: asker.answers(),
  }
}
