import { everyMatch } from '../logs/document/matches.js'
import { rememberedText } from '../logs/document/remembered.js'

/**
 * The words of the audit, all of them in one place: for each sense the English and the Chinese ones, and one list each
 * for doubt, denial, plan, advice and definition. A report in new wording costs a word here, never a pattern in a
 * checker. What metrics are called stands in the vocabulary.
 */
interface ListEntry {
  readonly en: readonly string[]
  readonly zh: readonly string[]
}

const w = (en: string, zh: string): ListEntry => ({ en: split(en), zh: split(zh) })

function split(words: string): readonly string[] {
  return words.split('|').filter(word => word !== '')
}

export const LEXICON = {
  /** The number itself goes up or down, whatever is good. */
  up: w(
    'rises?|rising|rose|risen|increases?|increased|increasing|grows?|growing|grew|grown|climbs?|climbing|climbed|jumps?|jumping|jumped|goes up|went up|going up|higher|up from|surged?|surging|doubled|tripled|raises?|raising|raised|widens?|widened|widening|lengthens?|lengthened|soars?|soared|accelerates?|push(?:es|ed) up|(?:creep|crept|tick|edge|inch)(?:s|ed|d)? up',
    '增至|增加|增长|增大|上升|上涨|升至|升到|升高|涨到|涨至|攀升|变大|变多|变高|扩大|翻倍|变长|增多|走高|拉长|延长|飙升|加大|推高|抬高|升了|略升|微升|涨了|略涨',
  ),
  down: w(
    'falls?|falling|fell|fallen|drops?|dropping|dropped|decreases?|decreased|decreasing|declines?|declining|declined|shrinks?|shrinking|shrank|goes down|went down|going down|lowers?|lowered|lowering|down from|reduced|reduces|reducing|halved|cuts?|sinks?|sinking|sank|decayed|decays|slips?|slipped|narrows?|narrowed|narrowing|shortens?|shortened|plunges?|plunged|(?:creep|crept|tick|edge|inch)(?:s|ed|d)? down',
    '降至|降到|下降|降低|减少|减小|下跌|跌至|跌到|缩小|变小|变少|变低|回落|下滑|缩短|变短|走低|缩减|压缩到|骤降|收窄|滑落|压低|拉低|降了|略降|微降|掉了|掉到',
  ),
  /** Good or bad; which way the number goes depends on the quantity. */
  better: w(
    'improves?|improved|improving|improvement|gains?|better|outperforms?|outperformed|beats?|superior|ahead of|surpass(?:es|ed)?',
    '提升|提高|改善|改进|优于|更好|变好|更优|更佳|超过|超越|领先|胜过|好于|强于|优势|略胜|更胜|占优',
  ),
  worse: w(
    'worsens?|worsened|worse|degrades?|degraded|degradation|underperforms?|underperformed|behind|inferior|trails?|regress(?:es|ed|ion)?',
    '恶化|变差|更差|退化|不如|劣于|差于|弱于|落后|逊于|略差|较差|略逊|逊色|更逊',
  ),
  larger: w(
    'larger|greater|higher|more than|more(?: [\\w-]+){1,2} than|more frequent|bigger|above|longer|exceeds?|exceeded',
    '超过|超出|更大|更高|较高|较大|高于|大于|略高|更多|多于|长于|更长|高出',
  ),
  smaller: w(
    'smaller|lower|less than|less(?: [\\w-]+){1,2} than|fewer|below|shorter|falls? short of|fell short of|less frequent',
    '更小|更低|较低|较小|低于|小于|略低|更少|少于|短于|更短|不及',
  ),
  maximum: w(
    'maximum|highest|peaks?|peaked|tops out|topped out|spikes?|spiked|largest|biggest|greatest|longest|most expensive|max',
    '最高|最大|最长|最久|峰值|顶峰|见顶|触顶|最大值|最高值|最高点|全程最高',
  ),
  minimum: w('minimum|lowest|smallest|shortest|cheapest|bottom(?:s|ed) out|min', '最[低小][值点]?|最短|[见触]底|谷底'),
  best: w('best|optimal|(?<!on )top|strongest|most successful|winner', '最佳|最优|最好|最强|表现最好|胜者|赢家'),
  worst: w('worst|weakest|poorest', '最差|最糟|最弱'),
  /** Where a course ends. */
  final: w('final|last|current|end', '最终|最后|末|当前'),
  change: w(
    'difference|delta|change|changed|gap|margin|diff|gain|lift|drop|reduction|increase|decrease|improvement|lead|savings?|loss',
    '差异|差距|差值|相差|变化|提升|下降|增加|减少|增幅|降幅|涨幅|幅度|领先|差',
  ),
  times: w('times|x|fold', '倍'),
  mean: w('mean|average|averages|averaged|avg|on average', '平均|均值|平均值'),
  total: w('total|in total|sum|altogether|overall', '共|合计|总计|总共|一共|总数|共计'),
  duration: w(
    'runtime|duration|took|takes|lasted|elapsed|wall[- ]?(?:clock|time)|training time',
    '[耗用历]时|时长|[行练]时间',
  ),
  /* Words that need a test or a criterion. */
  significant: w('significant(?:ly)?|statistically', '显著(?:地|性)?'),
  stable: w(
    'stable|stabl[ey]r?|more stable|stability|smooth(?:er|ly)?|robust(?:ly)?|reliabl[ey]|consistently|mastered|no (?:instability|collapse)',
    '稳定|平稳|平滑|鲁棒|稳健|可靠',
  ),
  converged: w('converge[sd]?|convergence|plateau(?:ed|s)?', '收敛|饱和|平台期'),
  same: w(
    'about the same|no (?:material |real |significant |meaningful )?difference|(?:did|does) not (?:materially |significantly )?(?:change|differ)|comparable|equivalent|on par|similar(?: performance| results)?|nearly identical|essentially (?:the same|identical)',
    '持平|相当|几乎相同|基本一致|基本相同|几乎一致|差不多|非常接近|差异很小|差异不大|差异非常小|无明显差异|没有明显差异|非常相似|正常波动',
  ),
  faster: w('faster|sooner|quicker|earlier', '更快|更迅速|更早|更先|提前(?:\\s?\\d|达到|收敛)|快于'),
  slower: w('slower|slowdown', '更慢|慢于'),
  causes: w(
    'because|due to|caused by|causes?|thanks to|leads? to|led to|results? in|demonstrat(?:es?|ed|ing)|proves?|confirms|validates|shows? (?:that|the|it|healthy)|crucial|contribut(?:es|ed)|(?:primary|main|key|biggest|root) (?:mechanism|driver|reason|factor|lever|cause)|this (?:shows|means)|allowing|eliminat(?:es|ed)|cured|attributable|unlocked|bottleneck is|drives?|driven by|indicat(?:es|ing)|causing|leading to|resulting in|allowed|enabl(?:es|ed|ing)|prevent(?:s|ed|ing)|explains|stems? from|(?:gains?|improvements?|differences?|drops?|benefits?) (?:mostly |mainly |largely )?(?:comes?|came) from|essential|which is why|reflects|responsible for|owing to|as a result|meaning|implying|implies|(?:show|confirm|prov|validat|highlight)ing (?:that|the|how|it)|reveal(?:s|ed)(?: that)?|(?:key|critical|decisive) (?:to|for|factor)|the key (?:was|is)|thereby|by (?:reducing|increasing|raising|lowering|extending|adding|removing|learning)',
    '导致|因为|由于|(?<!的)说明(?=[^;；。,，]{3})|证明|表明|得益于|归因于|归功于|引起|造成|原因(?:是|在于|[:：。]|$)|佐证|因此(?![^。;；]{0,24}(?:不能|不应|可以|不等于|不可|不宜))|从而|使得|阻止|解释了|主要来自|源于|源自|根源|意味着|带来了|反而|体现了|实质上|本质上|关键在于|归结为|使模型|让模型|促使|这就是|有效(?:缓解|抑制|避免|防止)|不是[^,，。]{2,20}[,，]?而是',
  ),
  ready: w(
    'production[- ]ready|ready for (?:production|deployment)|fully (?:validated|verified)|validated production|battle[- ]tested|solid foundation|without false positives|no false positives',
    '生产就绪|可以上线|可用于生产|可直接部署|已充分验证|完全验证|泛化能力良好',
  ),
  overfit: w(
    'no (?:signs? of |severe |significant )?overfitting|generali[sz]es? well|(?:good|strong|excellent) generali[sz]ation|overfit(?:s|ting|ted)?|memori[sz](?:es?|ed|ing)',
    '(?:没有|未见?|未出现|无)(?:明显|严重|显著)?的?过拟合|过拟合|记忆了|过度优化|过度拟合|泛化(?:能力|性能)?(?:良好|较好|很好|优秀)',
  ),
  /* How the author stands to what is said. */
  doubt: w(
    'if|may|might|cannot (?:say|claim|conclude)|(?:not|no) pro(?:ve[sn]?|of)|could|perhaps|possibly|probably|likely|seems?|appears?|suggests?|suspect|unclear|maybe|hypothes[ie]s|assum(?:e|ing)|would|potential(?:ly)?|presumably|whether',
    '可能|不能说|证明|不足以|也许|或许|如果|若是|假如|假设|似乎|疑似|推测|猜测|怀疑|大概|估计|是否|潜在|理论上|倾向于|看起来',
  ),
  denial: w(
    'not(?! only)|no|never|without|short of|rather than|cannot|neither|nor|isn.t|doesn.t|didn.t|wasn.t|lack of|unlike',
    '不(?![错仅只断])|没有|没|未(?!来)|无(?!论)|并非|非(?!常)|缺乏',
  ),
  plan: w(
    'will|hop(?:e|es|ed|ing) to|plan(?:s|ned)?(?!-)|expect(?:s|ed)?|goal|targeted|targets?(?= (?:of|is|was|value|range)|[:：=])|aim(?:s|ing)?|next steps?|todo|to do|upcoming|future|should reach|projected|forecast|pending|tbd',
    '预期|预计|计划|目标|打算|待(?:评|测|补|定|跑|验)|后续(?=计划|工作|实验|改进|建议|优化|方向|步骤|行动|[将会可需要拟\\s:：,，。、]|$)|下一步|未来|期望|即将|预估|希望|将(?:会|要|在)',
  ),
  advice: w(
    'should|recommend(?:s|ed|ations?)?|consider|try|suggested|must|need to|needs to|advised?|ought',
    '建议|推荐|应该|应当|需要|可以尝试|尝试|考虑|不妨|最好(?:先|是)|务必|改为|调整为',
  ),
  definition: w(
    '(?<!^)means(?! (?:are|were|of|over|and))|denotes|defined as|refers to|stands for|e\\.g\\.|for example|such as|formula|threshold|criterion|criteria',
    '表示|定义|指的是|例如|比如|公式|阈值|标准[：:]|判定标准|含义|即为|如下规则',
  ),
} as const satisfies Record<string, ListEntry>

export type Sense = keyof typeof LEXICON

/** A pattern for all words of some senses, for `test` and `exec` alike; never global, so it has no memory. */
export function words(...senses: readonly Sense[]): RegExp {
  return new RegExp(source(...senses), 'i')
}

/** The same as text, to be put into a larger pattern. English words end where letters end; Chinese ones have no ends. */
export function source(...senses: readonly Sense[]): string {
  const en = senses.flatMap(sense => LEXICON[sense].en)
  const zh = senses.flatMap(sense => LEXICON[sense].zh)
  const english = en.length === 0 ? [] : [`(?<![A-Za-z_])(?:${en.join('|')})(?![A-Za-z_(])`]
  return `(?:${[...english, ...zh].join('|')})`
}

export function has(text: string, ...senses: readonly Sense[]): boolean {
  const { lower, said } = heardIn(text)
  for (const sense of senses) {
    let isSaid = said.get(sense)
    if (isSaid === undefined) {
      const pattern = everyWord(sense)
      pattern.lastIndex = 0
      isSaid = pattern.test(lower)
      said.set(sense, isSaid)
    }
    if (isSaid) return true
  }
  return false
}

/** Every place where words of these senses stand. */
export function places(
  text: string,
  ...senses: readonly Sense[]
): readonly { readonly from: number; readonly to: number; readonly text: string }[] {
  if (!has(text, ...senses)) return []
  return everyMatch(heardIn(text).lower, everyWord(...senses)).map(({ index: from, 0: { length } }) => ({
    from,
    to: from + length,
    text: text.slice(from, from + length),
  }))
}

const patterns = new Map<string, RegExp>()

/** It is compared with small letters only, because to pass over case takes three times as long. */
function everyWord(...senses: readonly Sense[]): RegExp {
  const [only = '', ...others] = senses
  const key = others.length === 0 ? only : senses.join(' ')
  const pattern = patterns.get(key) ?? new RegExp(source(...senses), 'g')
  patterns.set(key, pattern)
  return pattern
}

/** Several relations ask for the same senses of a clause. */
const heardIn = rememberedText((text: string) => {
  const small = text.toLowerCase()
  // A few letters are two when they are small.
  return { lower: small.length === text.length ? small : text, said: new Map<Sense, boolean>() }
})
