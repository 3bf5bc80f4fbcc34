import { judgementBlocks, questionBlocks, settingsLine, warningBlocks } from '../../src/core/present/comparison.js'
import { verdictSentence } from '../../src/core/present/verdict.js'
import type { Answers } from '../api.js'
import { Blocks, useSpeaker } from '../blocks.js'
import { type StripLine, VerdictStrip } from '../verdict-strip.js'

/** The verdict on each side against the first, a line each; below a line, when it is opened, all that it rests on. */
export function ComparisonStrip({
  labels,
  answer,
  isAsking,
  onRemove,
}: {
  /** What the sides are called while they are being judged. */
  readonly labels: readonly string[]
  readonly answer: Answers['compare'] | null
  readonly isAsking: boolean
  readonly onRemove?: (side: number) => void
}) {
  const speaker = useSpeaker()
  const lines = labels.map((label, i): StripLine => {
    const side = answer?.sides[i]
    const other = i === 0 ? undefined : answer?.others[i - 1]
    return {
      label: side?.label ?? label,
      look: i,
      isBaseline: i === 0,
      runs: side?.runs.length ?? null,
      verdict: other === undefined || answer === null ? null : answer.verdicts[other.headline],
      ...(onRemove && { onRemove: () => onRemove(i) }),
      ...(other !== undefined &&
        answer !== null && {
          details: () => (
            <>
              <Blocks blocks={judgementBlocks(answer, i - 1, speaker)} />
              <Blocks blocks={questionBlocks(answer, i - 1, speaker, { all: true })} />
            </>
          ),
        }),
    }
  })
  return (
    <>
      {answer !== null && <Blocks blocks={warningBlocks(answer, speaker)} />}
      <VerdictStrip lines={lines} isAsking={isAsking} />
      {answer?.others.length === 1 && (
        <p className="pair-line">
          <strong>{verdictSentence(answer.verdicts[answer.others[0].headline], speaker)}</strong>
          {answer.evaluation === null && <span>{settingsLine(answer, 0, speaker)}</span>}
        </p>
      )}
    </>
  )
}
