import { useMemo } from 'react'
import { forecastBlocks } from '../../src/core/present/forecast.js'
import { Blocks, useSpeaker } from '../blocks.js'
import { Section } from '../parts.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'

/** Where a run that goes on will end; nothing where finished runs cannot vouch for it. */
export function ForecastSection({ id }: { readonly id: string }) {
  const say = useSay()
  const speaker = useSpeaker()
  const touching = useMemo(() => [id], [id])
  const { answer } = useAsk('forecast', { run: id }, { touching })
  if (answer?.final == null) return null
  return (
    <Section title={say('web.run.forecast', {})}>
      <Blocks blocks={forecastBlocks(answer, speaker)} />
    </Section>
  )
}
