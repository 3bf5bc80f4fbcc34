import type { Source } from '../source.js'
import { databaseContinues, describeDatabase, isMlflowDatabase, readDatabase } from './database.js'
import { describeFiles, filesContinue, isRunMeta, readFiles } from './files.js'

/**
 * MLflow, from its database or from its folder of files. A run keeps its id when a store is copied or migrated, so of
 * several copies of a run the newest is read. See docs/sources/mlflow.md.
 */
export const mlflow: Source = {
  id: 'mlflow',
  role: 'log',
  grows: true,
  keep: 'newest',
  recognise: file => isRunMeta(file) || isMlflowDatabase(file),
  describe: file => (isRunMeta(file) ? describeFiles(file) : describeDatabase(file)),
  read: (file, request) => (isRunMeta(file) ? readFiles(file, request) : readDatabase(file, request)),
  continues: (file, cursor) => (isRunMeta(file) ? filesContinue(file, cursor) : databaseContinues(file, cursor)),
}
