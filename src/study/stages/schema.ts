import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../../model/json.js'
import { fileIssues } from '../file/issue.js'

/**
 * What a study file says of stages: trainings that others start from. A stage is settings over the base, like an arm;
 * its `from` names the stage that it starts from itself.
 */
const otherwise = fileIssues({
  'study.file.stage': {
    en: '"{key}" must be settings under a name of letters, digits, ".", "_" and "-", with from: STAGE where it starts from another stage; not {given}',
    zh: '“{key}”须是设置，名字由字母、数字、“.”、“_”、“-”组成；若从另一阶段开始，则写 from: 阶段名；不能是 {given}',
  },
})

const stage = z.custom<JsonObject>(isJsonObject, otherwise('study.file.stage'))
const stageName = z.string().regex(/^[A-Za-z0-9][\w.-]*$/, otherwise('study.file.stage'))

export const stages = z.record(stageName, stage, otherwise('study.file.stage')).default({})
