import { sentences } from '../../text/sentences.js'

/** What the readers of W&B's exports have to say. */
export const say = sentences({
  'wandb-export.merged': {
    en: '{count} {count|point stands|points stand} for several logged values each (first at step {step}): W&B draws a chart from samples, and this file has only those. For every value import the .wandb log, or the Parquet files of run.download_history_exports',
    zh: '有 {count} 个点各自代表多个记录值（首个在 step {step}）：W&B 的图表由采样点绘成，此文件只含这些采样点。如需全部数值，请导入 .wandb 日志，或 run.download_history_exports 下载的 Parquet 文件',
  },
  'wandb-export.unreadable': {
    en: 'this Parquet file is damaged or cut short and could not be read to its end; download it again',
    zh: '该 Parquet 文件已损坏或不完整，无法读到末尾；请重新下载',
  },
})
