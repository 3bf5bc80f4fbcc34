import './source-helpers.js'
import './config/texts.js'
import './console/texts.js'
import './hugging-face/texts.js'
import './lever/texts.js'
import './mlflow/texts.js'
import './openrlhf/console.js'
import './samples/texts.js'
import './sqlite/texts.js'
import './swanlab/texts.js'
import './table/texts.js'
import './tensorboard/texts.js'
import './trackio/texts.js'
import './userrl/texts.js'
import './verl/console-reader.js'
import './verl/jsonl.js'
import './wandb/texts.js'
import './wandb-export/texts.js'

/**
 * The sentences of all sources, for whoever shows the warnings that were stored with a run: the words are here without
 * the readers.
 */
