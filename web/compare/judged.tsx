import { settingLabel } from '../../src/text/vocabulary.js'
import type { Answers } from '../api.js'
import { asSentence, Section, shownFigure } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { VerdictCard } from '../verdict.js'
import { useSay } from '../words.js'

/** The verdict on each side, with what would settle an open one and which settings differ. */

type Comparison = Answers['compare']
type OtherSide = Comparison['others'][number]

export function Judged({ answer }: { readonly answer: Comparison }) {
  const { language } = useLanguage()
  return (
    <>
      {answer.warnings.map(warning => (
        <p key={warning} className="warning-line">
          {asSentence(warning, language)}
        </p>
      ))}
      {answer.others.map(other => (
        <VerdictCard key={other.label} verdict={answer.verdicts[other.headline]} margin={answer.margin} />
      ))}
      {answer.others.map((other, i) => (
        <div key={other.label} className="judged">
          <Settling answer={answer} other={other} />
          <Differing answer={answer} at={i} />
        </div>
      ))}
    </>
  )
}

/** Of several sides, which one is meant. */
export function aboutOne({ others }: Comparison, title: string, { label }: OtherSide): string {
  return others.length === 1 ? title : `${label}: ${title}`
}

function Settling({ answer, other }: { readonly answer: Comparison; readonly other: OtherSide }) {
  const say = useSay()
  const { language } = useLanguage()
  const { toSettle, answer: said } = answer.verdicts[other.headline]
  if (said !== 'undetermined') return null
  const { evals, prompts, seeds, note } = toSettle
  const rows = [
    ...other.unused.map(evidence => [say('compare.settle.free', {}), evidence]),
    ...(evals === undefined ? [] : [[say('compare.settle.evals', {}), say('compare.settle.more-evals', { evals })]]),
    ...(prompts === undefined
      ? []
      : [[say('compare.settle.prompts', {}), say('compare.settle.more-prompts', { prompts })]]),
    ...(seeds === undefined ? [] : [[say('compare.settle.seeds', {}), say('compare.settle.more-seeds', { seeds })]]),
    ...(note === undefined ? [] : [[say('compare.settle.seeds', {}), note]]),
  ]
  return (
    <Section title={aboutOne(answer, say('compare.head.settle', {}), other)}>
      <dl className="pairs">
        {rows.map(([title, text]) => (
          <div key={text}>
            <dt>{title}</dt>
            <dd>{asSentence(text, language)}</dd>
          </div>
        ))}
        {other.choose !== null && (
          <div>
            <dt>{say('compare.head.choose', {})}</dt>
            <dd>{other.choose.sentence}</dd>
          </div>
        )}
      </dl>
    </Section>
  )
}

function Differing({ answer, at }: { readonly answer: Comparison; readonly at: number }) {
  const say = useSay()
  const { language } = useLanguage()
  const { confounds } = answer.others[at]
  const { knobs, smallestFix, separating } = answer.attribution[at]
  const baseline = answer.sides[0].label
  const title =
    confounds.length === 0
      ? say('compare.no-differences', {})
      : knobs.length === 0
        ? say('compare.only-other-keys', {})
        : say(knobs.length > 1 ? 'compare.cannot-credit' : 'compare.differences', { count: knobs.length })
  // `kl.loss.on` beside `kl.loss.coef` says nothing that "off" in its place does not.
  const shown = confounds.filter(
    ({ key }) => !(key.endsWith('.on') && confounds.some(other => other.key === key.replace(/\.on$/, '.coef'))),
  )
  const beside = shown.filter(({ knob }) => knob === null || !knobs.includes(knob))
  const labelOf = (knob: string): string => settingLabel(shown.find(each => each.knob === knob)?.key ?? knob, language)
  return (
    <Section title={aboutOne(answer, title, answer.others[at])}>
      {shown.length > 0 && (
        <table className="fixed">
          <thead>
            <tr>
              <th>{say('web.run.setting', {})}</th>
              {answer.sides.slice(0, 1).map(({ label }) => (
                <th key={label}>{label}</th>
              ))}
              <th>{answer.others[at].label}</th>
            </tr>
          </thead>
          {knobs.map(knob => (
            <tbody key={knob}>
              {shown
                .filter(each => each.knob === knob)
                .map((each, i) => (
                  <DifferingRow key={each.key} confound={each} isPart={i > 0} />
                ))}
            </tbody>
          ))}
          {knobs.length > 0 && beside.length > 0 && (
            <tbody>
              <tr>
                <th colSpan={3}>{say('web.compare.differing.beside', {})}</th>
              </tr>
            </tbody>
          )}
          <tbody>
            {beside.map(each => (
              <DifferingRow key={each.key} confound={each} isPart={knobs.length > 0} />
            ))}
          </tbody>
        </table>
      )}
      {separating.map(({ knob, run }) => (
        <p key={knob}>{say('compare.separating', { run, baseline, setting: labelOf(knob) })}</p>
      ))}
      {smallestFix !== null && <p>{say('compare.smallest-fix', { baseline, setting: labelOf(smallestFix) })}</p>}
    </Section>
  )
}

/** `isPart`: not counted by itself, because it belongs to the setting above it or to none of the method. */
function DifferingRow({
  confound: { key, values },
  isPart,
}: {
  readonly confound: OtherSide['confounds'][number]
  readonly isPart: boolean
}) {
  const say = useSay()
  const { language } = useLanguage()
  return (
    <tr className={isPart ? 'part' : ''}>
      <td title={key}>{settingLabel(key, language)}</td>
      {values.map((value, i) => (
        <td key={i} className="value">
          {key.endsWith('.coef') && (value === null || value === 0) ? say('compare.off', {}) : shownFigure(value)}
        </td>
      ))}
    </tr>
  )
}
