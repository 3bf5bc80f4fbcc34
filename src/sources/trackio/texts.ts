import { sentences } from '../../text/sentences.js'

/** What the readers of Trackio's database and fragments have to say. */
export const say = sentences({
  'trackio.bad-rows': {
    en: '{count} {count|row|rows} of the Trackio database {count|holds|hold} no JSON object and {count|was|were} left out',
    zh: 'Trackio 数据库中有 {count} 行不是 JSON 对象，已略过',
  },
})
