import { chartTexts } from './charts.js'
import { checkpointTexts } from './checkpoints.js'
import { cliTexts } from './cli.js'
import { compareTexts } from './compare.js'
import { completionTexts } from './completions.js'
import { diagnosisTexts } from './diagnosis.js'
import { diagnosisOutcomeTexts } from './diagnosis-outcome.js'
import { diagnosisPolicyTexts } from './diagnosis-policy.js'
import { evalTexts } from './eval.js'
import { importTexts } from './import.js'
import { fill, type Language, type Templates } from './language.js'
import { leverTexts } from './lever.js'
import { methodTexts } from './methods.js'
import { openrlhfTexts } from './openrlhf.js'
import { planTexts } from './plan.js'
import { reportTexts } from './report.js'
import { runTexts } from './runs.js'
import { samplesTexts } from './samples.js'
import { type Blanks, sentences } from './sentences.js'
import { showTexts } from './show.js'
import { sourceTexts } from './sources.js'
import { sqliteTexts } from './sqlite.js'
import { swanlabTexts } from './swanlab.js'
import { sweepTexts } from './sweep.js'
import { tableTexts } from './tables.js'
import { taskTexts } from './tasks.js'
import { tensorboardTexts } from './tensorboard.js'
import { trainTexts } from './train.js'
import { trainConfigTexts } from './train-config.js'
import { trainRunTexts } from './train-run.js'
import { trainerStateTexts } from './trainer-state.js'
import { verlTexts } from './verl.js'
import { vocabularyTexts } from './vocabulary.js'
import { wandbTexts } from './wandb.js'
import { wandbExportTexts } from './wandb-export.js'
import { weightsTexts } from './weights.js'

/** The sentences that belong to no single rule or source. One file per speaker; a new one is added here. */
export const allTexts = {
  ...reportTexts,
  ...chartTexts,
  ...checkpointTexts,
  ...cliTexts,
  ...compareTexts,
  ...completionTexts,
  ...diagnosisTexts,
  ...diagnosisOutcomeTexts,
  ...diagnosisPolicyTexts,
  ...evalTexts,
  ...importTexts,
  ...leverTexts,
  ...methodTexts,
  ...openrlhfTexts,
  ...planTexts,
  ...runTexts,
  ...samplesTexts,
  ...showTexts,
  ...swanlabTexts,
  ...sweepTexts,
  ...sourceTexts,
  ...sqliteTexts,
  ...verlTexts,
  ...vocabularyTexts,
  ...tableTexts,
  ...taskTexts,
  ...trainConfigTexts,
  ...trainTexts,
  ...trainRunTexts,
  ...trainerStateTexts,
  ...tensorboardTexts,
  ...wandbTexts,
  ...wandbExportTexts,
  ...weightsTexts,
} as const satisfies Templates

export type TextKey = keyof typeof allTexts

export type TextParams<Key extends TextKey> = Blanks<(typeof allTexts)[Key]>

/** A sentence to be rendered later, in whatever language the reader has. Stored with runs. */
export const message = sentences(allTexts)

/** A sentence, now. */
export function say<Key extends TextKey>(language: Language, key: Key, params: TextParams<Key>): string {
  return fill(allTexts[key][language], params)
}
