import { useMemo } from 'react'
import { intervalsChart } from '../../src/charts/intervals.js'
import { count, figure, percentage, signedFigure } from '../../src/text/numbers.js'
import type { Answers } from '../api.js'
import { ChartView } from '../charts/chart-view.js'
import { Prose, Scroll, Section } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { useSay } from '../words.js'

/** The looks of `klens study settle`: what was seen as seeds or prompts were added, and the bounds it is held against. */

type Study = Answers['study']
type Settle = NonNullable<Study['settle']>
type Look = Settle['others'][number]['looks'][number]
type SeedLook = Extract<Look, { seeds: number }>
type PromptLook = Extract<Look, { prompts: number }>

/** Of one arm, in the order in which they were made. */
interface Looks<Each> {
  readonly arm: string
  readonly verdict: Settle['others'][number]['verdict']
  readonly looks: readonly Each[]
}

export function SettleProgress({
  settle,
  study,
  metric,
}: {
  readonly settle: Settle
  readonly study: Study
  readonly metric: string
}) {
  const say = useSay()
  const { by, baseline, others, planned } = settle
  const made = Math.max(...others.map(({ looks }) => looks.length))
  const isOpen = others.some(({ verdict }) => verdict === null)
  const bySeeds = others.map(({ looks, ...arm }) => ({ ...arm, looks: looks.filter(isBySeeds) }))
  const byPrompts = others.map(({ looks, ...arm }) => ({ ...arm, looks: looks.filter(isByPrompts) }))
  const next = planned.slice(made).join(', ')
  return (
    <Section title={say('web.study.settle', { baseline })}>
      {others.map(({ arm, verdict }) => (
        <p key={arm} className={verdict === null ? undefined : 'headline'}>
          {verdict === 'undetermined' && by === 'prompts'
            ? say('web.study.settle.prompts.undetermined', { baseline, other: arm })
            : say(`web.study.settle.${verdict ?? 'open'}`, { baseline, other: arm })}
        </p>
      ))}
      <p className="lead">{say(by === 'seeds' ? 'web.study.settle.about' : 'web.study.settle.prompts.about', {})}</p>
      {by === 'seeds' && <LookChart others={bySeeds} study={study} metric={metric} />}
      {made > 0 && (by === 'seeds' ? <SeedTable others={bySeeds} /> : <PromptTable others={byPrompts} />)}
      {isOpen && next !== '' && (
        <p className="hint">
          <Prose
            text={
              by === 'seeds'
                ? say('web.study.settle.planned', { seeds: next })
                : say('web.study.settle.prompts.planned', { prompts: next })
            }
          />
        </p>
      )}
    </Section>
  )
}

function isBySeeds(look: Look): look is SeedLook {
  return 'seeds' in look
}

function isByPrompts(look: Look): look is PromptLook {
  return 'prompts' in look
}

function LookChart({
  others,
  study: { margin, direction },
  metric,
}: {
  readonly others: readonly Looks<SeedLook>[]
  readonly study: Study
  readonly metric: string
}) {
  const say = useSay()
  const { language } = useLanguage()
  const chart = useMemo(() => {
    const rows = others.flatMap(({ arm, looks, verdict }) =>
      looks.map(({ seeds, estimate, interval }, i) => ({
        label: others.length === 1 ? say('web.study.settle.look', { seeds }) : `${arm}, ${seeds}`,
        estimate,
        interval,
        margin,
        answer: i === looks.length - 1 && verdict !== null ? verdict : ('undetermined' as const),
      })),
    )
    return rows.length === 0 ? null : intervalsChart({ language, metric: { name: metric, goal: direction }, rows })
  }, [others, margin, metric, direction, language, say])
  return chart === null ? null : <ChartView chart={chart} />
}

function SeedTable({ others }: { readonly others: readonly Looks<SeedLook>[] }) {
  const say = useSay()
  return (
    <LookTable
      heads={['p', 'bound', 'p-same', 'bound-same', 'chance']}
      rows={others.flatMap(({ arm, looks }) =>
        looks.map(({ seeds, p, claimBound, pSame, sameBound, chance }) => ({
          title: `${others.length > 1 ? `${arm}, ` : ''}${say('web.study.settle.look', { seeds })}`,
          cells: [
            figure(p, 2),
            figure(claimBound, 2),
            pSame === null ? '–' : figure(pSame, 2),
            pSame === null ? '–' : figure(sameBound, 2),
            `${percentage(chance)} %`,
          ],
        })),
      )}
    />
  )
}

function PromptTable({ others }: { readonly others: readonly Looks<PromptLook>[] }) {
  const say = useSay()
  const toOne = (evidence: number): string => say('web.study.settle.to-one', { n: figure(evidence, 2) })
  return (
    <LookTable
      heads={['difference', 'for-baseline', 'for-arm', 'evidence', 'claim-at', 'evidence-same', 'same-at']}
      rows={others.flatMap(({ arm, looks }) =>
        looks.map(({ prompts, estimate, forBaseline, forArm, evidence, claimAt, evidenceSame, sameAt }) => ({
          title: `${others.length > 1 ? `${arm}, ` : ''}${say('web.study.settle.prompts', { prompts: count(prompts) })}`,
          cells: [
            signedFigure(estimate, 3),
            count(forBaseline),
            count(forArm),
            toOne(evidence),
            toOne(claimAt),
            evidenceSame === null ? '–' : toOne(evidenceSame),
            evidenceSame === null ? '–' : toOne(sameAt),
          ],
        })),
      )}
    />
  )
}

type Head =
  | 'p'
  | 'bound'
  | 'p-same'
  | 'bound-same'
  | 'chance'
  | 'difference'
  | 'for-baseline'
  | 'for-arm'
  | 'evidence'
  | 'claim-at'
  | 'evidence-same'
  | 'same-at'

function LookTable({
  heads,
  rows,
}: {
  readonly heads: readonly Head[]
  readonly rows: readonly { readonly title: string; readonly cells: readonly string[] }[]
}) {
  const say = useSay()
  return (
    <Scroll label={say('web.study.settle.looks', {})}>
      <table className="numbers">
        <thead>
          <tr>
            <th>{say('web.study.settle.looks', {})}</th>
            {heads.map(head => (
              <th key={head}>{say(`web.study.settle.${head}`, {})}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ title, cells }) => (
            <tr key={title}>
              <td>{title}</td>
              {cells.map((cell, i) => (
                <td key={heads[i]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
