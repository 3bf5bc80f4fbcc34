/**
 * The kinds of detail that requests leave out. Per language: what it is called, questions that ask for it, what people
 * answer, the meaning units by which such a question is recognised (any of the alternatives between `|`, all of whose words, in
 * Chinese parts, must occur in one clause), and hints of the same form by which other people's questions are.
 */
interface Wording {
  readonly name: string
  readonly questions: readonly string[]
  readonly options: readonly string[]
  readonly units: string
  readonly hints: string
}

interface Kind {
  readonly en: Wording
  readonly zh: Wording
}

type Row = readonly [name: string, questions: string, options: string, units: string, hints: string]

/** Questions and options are separated by `/`. */
// biome-ignore format: a table is read by its columns
const ROWS: { readonly [kind: string]: readonly [en: Row, zh: Row] } = {
  budget: [
    ['the budget', 'What is your budget?/How much would you like to spend?/What price range do you have in mind?', 'about 50/about 200/up to 1000', 'budget|much spend|price', 'afford|cost|expensive|cheap|dollar|spend|money'],
    ['预算', '您的预算是多少？/您打算花多少钱？/价位大概在什么范围？', '五十左右/两百左右/一千以内', '预算|多少钱|价位', '经费|花费|花多少|出多少|多少块|多少元|开销|费用|价格|价钱|多贵|太贵|贵一点|便宜|上限|资金|肯花|愿意花|块够|块钱|元以内|成本|掏|预备多少|贵的|负担|承受 价'],
  ],
  deadline: [
    ['the deadline', 'When do you need it?/By what date should it be ready?/What is the deadline?', 'by Friday/within two weeks/before summer', 'when need|date|deadline|when ready', 'urgent|due|week left|day left|how soon|finished by|hurry'],
    ['截止时间', '您什么时候要？/最晚哪天要完成？/截止时间是什么时候？', '周五之前/两周之内/夏天之前', '什么时候要|最晚|截止', '期限|什么时候 好|几号|哪天之前|之前弄好|之前完成|来得及|急不急|着急|急着|赶时间|多少天|几天之内|交货|到期|何时 要|何时 完成|何时 交|几月几日|什么时候 完成|什么时候 交|最迟|赶 吗|还剩'],
  ],
  place: [
    ['the place', 'Where should it take place?/Which town or area do you mean?/Where will you be?', 'in the old town/near home/by the sea', 'where take|where will|town|area', 'city|location|indoor|outdoor|neighbourhood|neighborhood|where live|country'],
    ['地点', '地点在哪里？/您指的是哪个城市或地区？/会在什么地方进行？', '老城区/离家近的地方/海边', '地点|哪个城市|地区|什么地方', '哪儿|在哪|哪一带|哪座城|哪个区|哪个省|哪个国家|市里|郊|城里|乡下|住在|位置|场地|地址|目的地|附近|哪里 办|去哪|室内|户外|外面|哪里 举行|哪里 进行'],
  ],
  people: [
    ['the number of people', 'How many people will take part?/How large is the group?/How many of you are there?', 'four/about ten/more than thirty', 'many people|large group|many of you', 'guest|alone|attend|friend come|crowd|how many come'],
    ['人数', '一共有多少人参加？/这个团体有多大？/你们总共几个人？', '四个/十个左右/三十多个', '多少人|团体 多大|几个人', '几位|几口|几个|多少位|同伴|一个人 还是|自己 还是|独自|结伴|一起 吗|客人|来宾|人多|多少客|参加的人|规模|一家|有多少名|和谁一起|跟谁'],
  ],
  ages: [
    ['the ages', 'How old are they?/What ages are the youngest and the oldest?/Which age group is it for?', 'four and six/teenagers/over seventy', 'old they|age', 'toddler|teenager|grown|school year|year old|kid old|child old'],
    ['年龄', '他们多大了？/最小和最大的年龄是多少？/面向哪个年龄段？', '四岁和六岁/十几岁/七十岁以上', '多大了|年龄', '几岁|多大年纪|岁数|年级|老人|小孩|孩子 大|成年|青少年|幼儿|小朋友|多大岁|哪个年龄|年纪|上学'],
  ],
  experience: [
    ['the experience so far', 'How much experience do you have?/Have you done anything like it before?/Are you a beginner?', 'none at all/a little/several years', 'experience|done before|beginner', 'new to|novice|ever tried|ever done|skilled|skill|expert|first time|familiar'],
    ['已有经验', '您有多少经验？/您以前做过类似的事吗？/您是初学者吗？', '完全没有/有一点/好几年了', '经验|以前做过|初学者', '新手|老手|第一次|头一回|熟不熟|熟悉|接触过|学过|做过|基础|入门|水平|零基础|会不会|懂多少|了解多少|精通|初次|干过|从没|玩过|擅长|练过'],
  ],
  style: [
    ['the style', 'What style do you like?/How should it look?/Which look do you prefer?', 'plain/playful/classic', 'style|should look|look prefer', 'modern|traditional|fashion|elegant|decorated|design|fancy'],
    ['风格', '您喜欢什么风格？/希望看起来是什么样子？/偏好怎样的外观？', '简洁/活泼/经典', '风格|样子|外观', '复古|现代|简约|华丽|田园|工业风|欧式|中式|感觉|款式|设计|怎么打扮|样式|外形|好看|风 还是|朴素|时尚|传统|看上去|什么样的|审美'],
  ],
  size: [
    ['the size', 'What size should it be?/How big may it be?/Can you give me the measurements?', 'small/one by two metres/as big as possible', 'size|big|measurement', 'tall|wide|large|dimension|centimetre|inch'],
    ['尺寸', '需要多大的尺寸？/最大可以有多大？/能告诉我具体的大小吗？', '小号/一米乘两米/越大越好', '尺寸|可以有多大|大小', '长宽|大号|小号|中号|厘米|多高|多宽|多长 多|高度|宽度|几米|规格|体积|尺码|多大 合适|容量|大一点|大的还是小|多大的|英寸'],
  ],
  colour: [
    ['the colours', 'Which colours do you like?/What colour scheme do you want?/Are there any colours to avoid?', 'blue and white/warm colours/anything but red', 'colour', 'color|red|blue|green|bright shade|shade|hue'],
    ['颜色', '您喜欢哪些颜色？/想要什么配色？/有没有不想要的颜色？', '蓝白/暖色/除了红色都行', '颜色|配色', '红|蓝|绿|黄|黑|白色|色调|深色|浅|深一点|什么色|色彩|哪种色|色系|鲜艳|素色'],
  ],
  material: [
    ['the material', 'Which material do you prefer?/What should it be made of?/Do you want wood or something else?', 'wood/metal/cotton', 'material|made|wood', 'leather|plastic|fabric|metal|cloth|steel|cotton'],
    ['材质', '您偏好什么材质？/要用什么材料做？/想要木头还是别的？', '木头/金属/棉布', '材质|材料|木头', '金属|塑料|实木|皮|布|面料|料子|棉|玻璃|陶瓷|质地|什么做|材|不锈钢|木质|纸做|竹'],
  ],
  duration: [
    ['the duration', 'How long should it last?/How many days or hours do you have in mind?/What duration do you plan?', 'two hours/a weekend/three weeks', 'long last|many day|many hour|duration', 'afternoon|whole week|whole day|take up|how long'],
    ['时长', '打算持续多久？/预计要几天或几个小时？/计划的时长是多少？', '两小时/一个周末/三周', '持续多久|要几天|几个小时|时长', '多长时间|花多久|几天|一天|一周|一个下午|下午|多少天|要多久|半天|整天|几周|几个月|多久|玩几|一整天|时间跨度|周期|办几|待几|几小时|几个钟'],
  ],
  diet: [
    ['food preferences', 'What do you like to eat?/Is anyone vegetarian or vegan?/Which cuisine do you prefer?', 'vegetarian/anything spicy/Italian', 'like eat|vegetarian|cuisine', 'meat|dish|taste|food|spicy|vegan|menu'],
    ['饮食偏好', '大家喜欢吃什么？/有人吃素吗？/偏好哪种菜系？', '素食/辣的/意大利菜', '喜欢吃|吃素|菜系', '口味|辣|清淡|荤|素的|忌口|吃肉|吃什么|不吃|菜|甜|咸|爱吃|吃得|饮食|荤素|海鲜|味道|饭菜|爱吃什么|想吃|吃鱼|胃口'],
  ],
  allergy: [
    ['allergies', 'Are there any allergies?/What must be avoided because of allergies?/Who is allergic to what?', 'nuts/pollen/milk', 'allergy|allergic', 'nut|peanut|intolerant|intolerance|ill eat|pollen|react badly'],
    ['过敏', '有没有人过敏？/因为过敏要避开什么？/谁对什么过敏？', '坚果/花粉/牛奶', '过敏', '不耐受|起疹|一碰|碰 不舒服|吃了 不舒服|不能碰|花生|花粉|坚果|忌讳|不能吃|会起|哮喘|过不过敏|排斥反应|不适应的食物|乳糖'],
  ],
  occasion: [
    ['the occasion', 'What is the occasion?/What are you celebrating?/Is it for a special event?', 'a birthday/a farewell/no special one', 'occasion|celebrating|event', 'wedding|birthday|celebrate|anniversary|party for|what throwing'],
    ['场合', '是什么场合？/是要庆祝什么？/是为了特别的活动吗？', '生日/告别/没有特别的', '场合|庆祝|特别的活动', '生日|婚礼|节日|过节|庆典|什么事|为了什么事|由头|纪念|什么日子|什么活动|何事|聚会 还是|因为什么|特殊 日子|有什么喜事|哪种活动'],
  ],
  recipient: [
    ['the recipient', 'Who is it for?/What does the recipient enjoy?/Can you tell me about the person who gets it?', 'my sister/a colleague/my grandfather', 'who for|recipient|person get', 'whom give|receive|gift for|present for|give it to|who get'],
    ['收礼人', '是送给谁的？/收到的人喜欢什么？/能介绍一下对方吗？', '我妹妹/一位同事/我爷爷', '送给谁|收到的人|介绍 对方', '给什么人|给谁|长辈|送人|对方是|收礼|送的是|要送|谁收|谁来收|她 喜欢|他 喜欢|是男是女|送礼|受礼|谁用'],
  ],
  audience: [
    ['the audience', 'Who is the audience?/Who will read or see it?/What do the listeners know already?', 'customers/experts/students', 'audience|who read|listener', 'reader|who listen|viewer|customer|public|whom address|whom speak|laymen'],
    ['受众', '受众是谁？/会给谁看？/听众已经了解多少？', '客户/专家/学生', '受众|给谁看|听众', '台下|读者|听的人|讲给谁|谁听|谁看|谁读|观众|面向谁|面向什么人|对象|内行|外行|给什么人看|看的人|客户群|用户是'],
  ],
  tone: [
    ['the tone', 'What tone should it have?/Should it sound formal or relaxed?/How serious may it be?', 'formal/friendly/funny', 'tone|formal|serious', 'funny|solemn|polite|sound like|humour|casual|cheeky|mood'],
    ['语气', '要什么样的语气？/应该正式还是随意？/可以有多严肃？', '正式/亲切/幽默', '语气|正式|严肃', '口吻|口气|幽默|一本正经|客气|轻松|活泼 还是|庄重|俏皮|搞笑|书面|口语|措辞|亲切|随和|诙谐|礼貌'],
  ],
  length: [
    ['the length', 'How many pages or words should it have?/What length is allowed?/Should it be short or detailed?', 'one page/ten slides/500 words', 'many page|many word|length|short detailed', 'one page|page enough|short note|how long text|word count|brief|thick'],
    ['篇幅', '需要多少页或多少字？/篇幅有什么限制？/要简短还是详细？', '一页/十张幻灯片/五百字', '多少页|多少字|篇幅|简短', '写多长|多长合适|几百字|几千字|几页|字数|多少个字|长一点|短一点|一页|长短|页数|多少张|详细|长篇|短文|三言两语'],
  ],
  format: [
    ['the format', 'In which format do you need it?/What file type should it be?/Do you want it printed or digital?', 'PDF/printed/a slide deck', 'format|file type|printed', 'pdf|document|paper|screen|digital|file|spreadsheet'],
    ['格式', '需要什么格式？/文件类型有要求吗？/要打印版还是电子版？', 'PDF/打印版/幻灯片', '格式|文件类型|打印', 'pdf|word|纸质|网上看|电子|印出来|文档|表格|幻灯|图片 还是|后缀|存成|什么形式|视频 还是|导出|哪种文件|书面 还是'],
  ],
  language: [
    ['the language', 'Which languages are needed?/In what language should it be?/Do they speak English?', 'English and Spanish/French only/three languages', 'language|speak', 'french|english|tongue|spanish|german|chinese|translated'],
    ['语言', '需要哪些语言？/应该用什么语言？/对方说英语吗？', '中文和英文/只要法语/三种语言', '语言|说英语', '中文|英文|法语|日语|英语|外语|母语|普通话|双语|语种|听得懂|翻译|哪国话|方言|说什么话|会说'],
  ],
  tools: [
    ['the tools at hand', 'What tools do you have?/Which equipment is available?/What do you own already?', 'hardly any/the usual ones/a full workshop', 'tool|equipment|own already', 'hammer|drill|toolbox|gear|screwdriver|machine have|kit'],
    ['现有工具', '您手头有什么工具？/有哪些设备可用？/已经拥有哪些东西？', '几乎没有/常见的都有/一整套', '什么工具|设备可用|已经拥有', '锤|螺丝|家伙|手边|工具|器材|备齐|器械|设备有|有哪些东西|有没有 机|装备|仪器|家里有什么|现成|用具|厨具|备好|都备'],
  ],
  goal: [
    ['the goal', 'What do you want to achieve?/What is the main goal?/Why do you want this?', 'to feel better/to earn some money/to pass an exam', 'achieve|goal|why want', 'purpose|success|aim|hope|reason|outcome want|point of'],
    ['目标', '您想达到什么效果？/主要目标是什么？/为什么想做这件事？', '感觉更好/赚点钱/通过考试', '达到|目标|为什么想', '图的是|图什么|意味|结果|目的|为何|为什么|初衷|追求|期望|想要得到|最希望|达成|动机|想实现|想通过|最终想|成功 是|解决什么|好处'],
  ],
  schedule: [
    ['the time available', 'How much time do you have each week?/On which days are you free?/What does your schedule allow?', 'an hour a day/only weekends/Monday evenings', 'much time|day free|schedule', 'busy|spare|free evening|weekend|hour week|free time|evening'],
    ['可用时间', '每周有多少时间？/哪几天有空？/您的日程允许怎么安排？', '每天一小时/只有周末/周一晚上', '多少时间|有空|日程', '忙不忙|腾出|抽出|空闲|有时间|周末|钟头|工作日|时间安排|方便|早上 还是|晚上 还是|闲|几点|排得|一天能|每天能|空出|抽时间|哪些时段|时间多吗|几次'],
  ],
  health: [
    ['health limits', 'Do you have any health problems?/Is there an injury to mind?/What did the doctor say?', 'a bad knee/asthma/back pain', 'health|injury|doctor', 'hurt|pain|medicine|ill|back|knee|condition|surgery|sick'],
    ['健康限制', '您有什么健康问题吗？/有没有需要注意的伤？/医生怎么说？', '膝盖不好/哮喘/腰痛', '健康|伤|医生', '身体|毛病|腰|腿|膝|吃什么药|吃药|生病|病史|疾病|疼|受过伤|手术|慢性|体检|不舒服|哪里 痛|血压|旧伤|残疾'],
  ],
  season: [
    ['the season and weather', 'In which season will it be?/What weather do you expect?/How hot or cold will it get?', 'spring/rain most days/hot and dry', 'season|weather|hot cold', 'winter|summer|rain|snow|climate|temperature|spring|autumn'],
    ['季节与天气', '会在哪个季节？/预计是什么天气？/会有多热或多冷？', '春天/多半下雨/又热又干', '季节|天气|多热', '夏天|冬天|春|秋|下雨|气温|几度|气候|冷不冷|热不热|下雪|刮风|什么时节|冷吗|热吗|几月份|温度|潮湿|天冷|天热'],
  ],
  transport: [
    ['the means of transport', 'How will you get there?/Which means of transport can you use?/Do you have a car?', 'by train/by bike/a friend drives', 'get there|transport|car', 'drive|train|bus|foot|travel there|bike|plane|fly|reach it'],
    ['交通方式', '您打算怎么过去？/能用哪种交通工具？/您有车吗？', '坐火车/骑车/朋友开车', '怎么过去|交通|有车', '开车|地铁|坐车|乘|火车|飞机|自驾|公交|骑|打车|怎么去|怎么来|步行|走路|出行|怎么到|坐什么|代步|驾照|路上'],
  ],
  lodging: [
    ['the place to stay', 'Where would you like to sleep?/What kind of accommodation do you want?/Do you prefer a hotel or a hut?', 'a hotel/a tent/with friends', 'like sleep|accommodation|hotel', 'hostel|tent|night|overnight|sleep|flat|apartment|camping'],
    ['住宿', '晚上想住在哪里？/想要哪种住宿？/喜欢酒店还是小屋？', '酒店/帐篷/朋友家', '想住|住宿|酒店', '宾馆|民宿|夜里|过夜|晚上 住|旅馆|住哪|住什么|客栈|露营|帐篷|星级|房型|订房|睡在|歇|借宿'],
  ],
  interests: [
    ['the interests', 'What do you enjoy doing?/Which activities interest you?/What are your hobbies?', 'museums/sports/good food', 'enjoy doing|activity|interest|hobby', 'fond|spare time|love hiking|pastime|passion|fun'],
    ['兴趣', '平时喜欢做什么？/对哪些活动感兴趣？/有什么爱好？', '博物馆/运动/美食', '喜欢做|感兴趣|爱好', '爱干|爱看|爱玩|闲的时候|闲暇|业余|更爱|喜欢看|喜欢玩|热衷|消遣|爬山|看展|运动 还是|空闲时|平常 玩|哪方面 感|痴迷|着迷|消磨'],
  ],
  noise: [
    ['noise', 'How quiet must it be?/Would noise be a problem?/May it be loud?', 'very quiet/some noise is fine/quiet after ten', 'quiet|noise|loud', 'silent|sound|neighbour|complain|calm|disturb|silence'],
    ['噪音', '要多安静？/有噪音会有问题吗？/声音可以大吗？', '非常安静/有点声音没关系/十点后安静', '安静|噪音|声音', '吵|静音|隔音|动静|响|喧闹|扰民|清静|分贝|轻声|打扰邻居|噪'],
  ],
  pets: [
    ['the animals', 'What animals live with you?/How does your pet behave?/Which breed is it?', 'an old dog/two cats/a young puppy', 'animal|pet|breed', 'dog|cat|bite|puppy|kitten|furry'],
    ['动物', '家里有什么动物？/您的宠物脾气怎么样？/是什么品种？', '一只老狗/两只猫/一只小狗', '动物|宠物|品种', '养猫|养狗|猫|狗|听话|养了|养什么|毛孩|小动物|咬人|什么犬|养的|鸟|活物'],
  ],
  light: [
    ['the light', 'How much light is there?/Does the sun shine in?/Which way do the windows face?', 'full sun/shade/light in the morning', 'light|sun|window', 'bright|dark|shady|shade there|sunny|lamp|daylight|dim'],
    ['光照', '光照有多少？/太阳照得进来吗？/窗户朝哪边？', '全日照/阴凉/早上有光', '光照|太阳|窗户', '亮|朝南|朝北|采光|阳光|光线|阴暗|日照|晒|朝向|昏暗|向阳|灯光|背阴'],
  ],
  space: [
    ['the space', 'How much room do you have?/What space can it take up?/How many square metres are there?', 'a corner/ten square metres/half a room', 'much room|space|square', 'cramped|large room|big room|area have|fit in|spacious|square metre|corner'],
    ['空间', '您有多少空间？/最多能占多大地方？/一共几平方米？', '一个角落/十平方米/半个房间', '空间|占 地方|平方', '宽敞|地方大|屋子 大|房间 大|面积|平米|挤|多大的房|屋里放|放得下|摆得下|院子 大|场地 大|多宽敞|几间|狭小|腾得出地'],
  ],
  brand: [
    ['the brand', 'Is there a brand you trust?/Which makers do you prefer?/Have you got a model in mind?', 'no brand/a local maker/the cheapest one', 'brand|maker|model', 'manufacturer|sony|bosch|company make|label|which make'],
    ['品牌', '有信任的品牌吗？/偏好哪些厂家？/心里有看中的型号吗？', '没有/本地厂家/最便宜的', '品牌|厂家|型号', '牌子|国产|进口|哪家|厂商|名牌|什么牌|制造商|哪款|哪一款|牌 吗|看中|大牌|杂牌|老字号'],
  ],
  device: [
    ['the device', 'On which device will it be used?/Do you have a phone or a tablet?/What computer is it for?', 'a phone/a tablet/a desktop', 'device|phone|computer for', 'laptop|mobile|tablet|machine run|smartphone|gadget|desktop'],
    ['使用设备', '会在哪种设备上使用？/您用手机还是平板？/是给什么电脑用的？', '手机/平板/台式机', '哪种设备|手机|什么电脑', '笔记本|平板|机器上|电脑上|台式|什么机|苹果手机|安卓|屏幕|手机上|终端|在什么上|哪台|设备上|智能手表'],
  ],
  system: [
    ['the system', 'Which operating system do you use?/How old is the system?/What software is installed?', 'Linux/an old Windows/the newest one', 'operating|old system|software', 'mac|window run|linux|version|program install|pc'],
    ['系统', '用的是什么操作系统？/系统用了几年了？/装了哪些软件？', 'Linux/旧版 Windows/最新的', '操作系统|系统用|软件', 'windows|mac|linux|版本|ios|什么系统|哪个系统|装的是|程序|哪一版|操作|旧不旧|升级|安卓系统|运行环境|电脑用了'],
  ],
  connection: [
    ['the connection', 'How fast is your internet?/Is there a stable connection?/Will it work offline?', 'slow/fast fibre/mobile only', 'internet|connection|offline', 'wifi|broadband|online|network|signal|bandwidth'],
    ['网络', '您的网速怎么样？/您的网络连接稳定吗？/需要离线使用吗？', '很慢/光纤/只有移动网络', '网速|网络|离线', '宽带|信号|上网|wifi|无线|断网|联网|网 快|流量|网好|光纤|没网|掉线|在线'],
  ],
  content: [
    ['the content', 'What should it contain?/Which topics must be covered?/What is the main message?', 'three stories/figures of last year/a how-to', 'contain|topic|message', 'about|main point|include|point make|subject|mention|theme|important point'],
    ['内容', '应该包含什么？/必须涉及哪些主题？/核心信息是什么？', '三个故事/去年的数据/操作步骤', '包含|主题|核心', '讲些什么|写些什么|重点|方面|要点|话题|题材|涉及|涵盖|要讲|写什么|哪几点|侧重|包括|说些什么|讲什么|突出什么|内容|哪些部分|哪些信息'],
  ],
  privacy: [
    ['privacy', 'Who may see it?/Which names must stay private?/How confidential is it?', 'family only/everyone/no names', 'who may|private|confidential', 'stranger|secret|anonymous|share with|publish|other see|hidden|sensitive'],
    ['隐私', '哪些人可以看到？/哪些名字不能公开？/保密程度如何？', '只有家人/所有人/不出现名字', '可以看到|公开|保密', '外人|隐去|姓名|隐私|泄露|机密|给别人看|谁能看|让谁看|匿名|对外|外传|保守|分享给|知道的人|敏感|实名|透露'],
  ],
  durability: [
    ['how long it must hold', 'How many years should it hold?/How robust must it be?/Is a warranty important to you?', 'ten years/a few seasons/it must survive falls', 'many year|robust|warranty', 'survive|break|last year|sturdy|solid|rough|tough|wear out'],
    ['耐用程度', '希望能用多少年？/需要多结实？/在意保修吗？', '十年/几个季节/要经得起摔', '多少年|结实|保修', '撑几年|几年|摔|耐用|用多久|经用|寿命|结不结实|坏 在乎|牢|质保|耐磨|坚固|扛|长久|用得久|容易坏|经得起'],
  ],
  upkeep: [
    ['the upkeep', 'How much care can you give it?/How often can you look after it?/May it need maintenance?', 'once a week/almost none/daily is fine', 'care|after often|maintenance', 'clean|water|repairing|repair|maintain|look after|servicing|dust'],
    ['维护', '您能花多少精力照料？/多久能打理一次？/可以接受定期维护吗？', '每周一次/几乎没有/每天都行', '照料|打理|维护', '保养|自己修|修|清洁|打扫|浇水|花工夫|费心|照顾|呵护|伺候|省心|擦|清洗|检修|麻烦 吗|勤 吗'],
  ],
  music: [
    ['the music', 'What music do you like?/Which songs should be played?/Do you prefer jazz or rock?', 'jazz/songs of the eighties/nothing loud', 'music|song|jazz', 'pop|classical|tune|band|playlist|melody|singer|instrument|rock'],
    ['音乐', '您喜欢什么音乐？/应该放哪些歌？/偏好爵士还是摇滚？', '爵士/八十年代的歌/不要太吵的', '音乐|哪些歌|爵士', '曲子|歌|古典|流行|摇滚|乐队|听什么|旋律|歌手|乐器|爱听|放什么|背景乐|节奏|唱'],
  ],
  payment: [
    ['the payment', 'How would you like to pay?/Can you pay in instalments?/Who covers the bill?', 'by card/monthly/the company pays', 'pay|instalment|bill', 'cash|credit|card|month by month|at once pay|invoice|transfer|bank'],
    ['付款', '您想怎么付款？/可以分期吗？/由谁买单？', '刷卡/按月/公司付', '付款|分期|买单', '现金|刷卡|给清|慢慢还|支付|转账|微信|支付宝|信用卡|一次付|结账|付清|谁出钱|谁付|谁掏|定金|报销|怎么付|货到|按月|结算'],
  ],
  risk: [
    ['the risk', 'How much risk will you take?/What would be the worst outcome?/How safe must it be?', 'none/a little/I like surprises', 'risk|worst|safe', 'lose|losing|cautious|gamble|gambler|danger|careful|bold|dare'],
    ['风险', '能承受多大风险？/最坏的结果是什么？/要有多保险？', '完全不行/一点点/喜欢惊喜', '风险|最坏|保险', '亏|求稳|冒|稳妥|赔|损失|出事|安全|输得起|保守 还是|危险|把握|闪失|万一|受得了|激进|担风险|赌'],
  ],
  tried: [
    ['what was tried', 'What have you tried so far?/What was it that went wrong last time?/Why did the first attempt fail?', 'a free app/a book/advice of a friend', 'tried|went wrong|attempt', 'method work|not work|until now|before work|done about|already tested|in vain'],
    ['试过的办法', '到目前为止试过什么？/上次哪里出了问题？/第一次尝试为什么失败？', '一个免费应用/一本书/朋友的建议', '试过|上次|尝试', '用过哪些|以往|之前用|没成|之前 办法|做过哪些|失败|以前 怎么|先前|哪些办法|采取过|努力过|踩过|不管用|试|已经做了|没效果|之前 为什么'],
  ],
  help: [
    ['the helpers', 'Who can help you?/Will anybody assist?/Do you want to hire someone?', 'two friends/nobody/a craftsman', 'help|assist|hire', 'hand|giving hand|craftsman|alone doing|support|team|professional|on your own|by yourself'],
    ['帮手', '谁能帮您？/有人协助吗？/愿意请人来做吗？', '两个朋友/没有人/一位师傅', '谁能帮|协助|请人', '搭把手|工人|帮手|一个人干|帮忙|请师傅|找人|雇|家人帮|有人帮|亲自动手|自己动手|独自完成|搭档|援手|团队|谁来做|专业人士|代劳|分担'],
  ],
  access: [
    ['access', 'Must it be free of steps?/How wide are the doors?/What does the wheelchair need?', 'no steps/a lift/wide doors', 'step|door|wheelchair need', 'ramp|elevator|lift|walk|stair|disabled|barrier|get in'],
    ['无障碍', '必须没有台阶吗？/门有多宽？/轮椅需要什么条件？', '没有台阶/有电梯/门要宽', '台阶|门有|轮椅需要', '坡道|电梯|轮椅|进得去|楼梯|行动不便|门槛|门口|扶手|腿脚|无障碍|几楼|推车|残障|走得动|出入'],
  ],
  permission: [
    ['the permission', 'What does the landlord allow?/Do you need a permit?/Are there any rules to follow?', 'no drilling/a permit is there/the landlord agrees', 'landlord|permit|rule', 'allowed|owner|agree|legal|consent|authority|licence|forbidden|law|regulation'],
    ['许可', '房东允许做什么？/需要办许可吗？/有哪些规定要遵守？', '不能打孔/已有许可/房东同意', '房东|许可|规定', '物业|准不准|申请|批准|同意|允许|允不允许|合法|审批|执照|手续|违规|许不许|禁止|规矩|管不管|签字|法规|限制 吗|点头'],
  ],
  fallback: [
    ['the plan B', 'What is the plan if it fails?/Do you have a plan B?/Is there a way back?', 'none yet/do it indoors/call a friend', 'if fail|plan b|way back', 'goes wrong|if wrong|should spoil|backup|otherwise|emergency|alternative|does not work out|fall through'],
    ['备用方案', '如果不行怎么办？/有备用方案吗？/还有退路吗？', '还没有/改到室内/打电话给朋友', '不行怎么办|备用|退路', '落空|后手|应对|备选|万一不|要是不行|要是 怎么|第二方案|退一步|plan b|改期|替代|补救|如果失败|没成功|第二套|失败了|另外的打算|出岔子|泡汤|不成'],
  ],
}

export const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries(ROWS).map(([kind, [en, zh]]) => [kind, { en: wordingOf(en), zh: wordingOf(zh) }]),
)

function wordingOf([name, questions, options, units, hints]: Row): Wording {
  return { name, questions: questions.split('/'), options: options.split('/'), units, hints }
}
