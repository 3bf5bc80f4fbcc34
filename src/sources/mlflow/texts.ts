import { sentences } from '../../text/sentences.js'

/** What the readers of MLflow's stores have to say. */
export const say = sentences({
  'mlflow.deleted': {
    en: '{count} {count|run|runs} of this MLflow store {count|is|are} marked as deleted and {count|was|were} left out',
    zh: '该 MLflow 存储中有 {count} 个 run 已标记为删除，已略过',
  },
  'mlflow.bad-lines': {
    en: '{count} {count|line|lines} of the metric files could not be read (first in {file})',
    zh: '指标文件中有 {count} 行无法解析（首个位于 {file}）',
  },
})
