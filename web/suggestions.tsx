import { groupBy } from '../src/logs/model/util/group-by.js'
import type { Answers } from './api.js'
import { hrefTo } from './location.js'
import { Link, Section } from './parts.js'
import type { RecentComparison } from './recent.js'
import { useAsk } from './use-ask.js'
import { useSay } from './words.js'

/** Something to click where a page has nothing to show yet: comparisons that the newest runs allow. */

type Run = Pick<Answers['run-table']['runs'][number], 'id' | 'name' | 'score' | 'status'>

const MOST_SUGGESTED = 6

/** Settings with the same score, the newest that has any such against each other one: seeds of one setting, which are named alike before a slash, are one side. */
export function suggestedComparisons(runs: readonly Run[]): readonly RecentComparison[] {
  const byScore = groupBy(settingsAmong(runs), ([one]) => one.score?.metric)
  const [newest, ...others] = [...byScore.values()].find(({ length }) => length > 1) ?? []
  if (newest === undefined) return []
  return others
    .slice(0, MOST_SUGGESTED)
    .map(other => ({ sides: [sideOf(other), sideOf(newest)], metric: null, margin: null }))
}

/** Settings with three seeds or more and the same score: what a frontier is drawn of. */
function suggestedSettings(runs: readonly Run[]): readonly string[] {
  const several = settingsAmong(runs).filter(({ length }) => length > 2)
  return several.filter(([one]) => one.score?.metric === several[0][0].score?.metric).map(sideOf)
}

function settingsAmong(runs: readonly Run[]): readonly (readonly Run[])[] {
  const scored = runs.filter(({ score, status }) => score !== null && status !== 'running')
  return [...groupBy(scored, ({ name, score }) => `${settingOf(name)} ${score?.metric}`).values()]
}

function sideOf([one, ...more]: readonly Run[]): string {
  return more.length === 0 ? one.id : `${settingOf(one.name)}/*`
}

function settingOf(name: string): string {
  return name.replace(/\/[^/]+$/, '')
}

export function SuggestedQuestions({ page }: { readonly page: 'compare' | 'frontier' | 'report' }) {
  const say = useSay()
  const { answer } = useAsk('run-table', { sort: '-logged', most: 100 }, { touching: 'all', keeps: true })
  if (answer === null) return null
  const names = new Map(answer.runs.map(({ id, name }) => [id, name]))
  const shown = (sides: readonly string[]): string => sides.map(side => names.get(side) ?? side).join(' · ')
  const settings = suggestedSettings(answer.runs)
  const pairs = suggestedComparisons(answer.runs).map(({ sides }) => sides)
  const links = {
    compare: pairs.map(sides => ({ sides, href: hrefTo(['compare'], { side: sides }) })),
    frontier: settings.length < 2 ? [] : [{ sides: settings, href: hrefTo(['frontier'], { run: settings }) }],
    report: [
      ...pairs.map(sides => ({ sides, href: hrefTo(['report'], { run: sides }) })),
      ...answer.runs.slice(0, MOST_SUGGESTED).map(({ id }) => ({ sides: [id], href: hrefTo(['report'], { run: id }) })),
    ],
  }[page]
  return (
    <Section title={say('web.suggested', {})}>
      <ul className="to-click">
        {links.slice(0, MOST_SUGGESTED).map(({ sides, href }) => (
          <li key={href}>
            <Link href={href}>{shown(sides)}</Link>
          </li>
        ))}
        <li>
          <Link href={hrefTo(answer.total === 0 ? [] : ['runs'])}>
            {say(answer.total === 0 ? 'web.suggested.import' : 'web.suggested.runs', {})}
          </Link>
        </li>
      </ul>
    </Section>
  )
}
