/**
 * What kinds of things questions want to know: which words ask for each, and which describe a detail that is it. `~` stands for
 * any ending.
 */
interface Aspect {
  readonly asked: RegExp
  readonly described: RegExp
}

type Row = readonly [asked: string, described: string]

// biome-ignore format: a table is read by its columns
const ROWS: { readonly [aspect: string]: Row } = {
  money: ['afford|budget|pric~|cost~|spend|expensive|cheap|pay|money|free|paid|dollars?|rent|much .*set aside|dollars?|euros?|bucks|fees?|charge|wallet|splurge|economical|luxury|affordable|cheaper|costly|pricey|fund~', 'budget|price|cost|spend|free or paid|paid|rent|financ~|free resources|fund~|economical'],
  income: ['earn|salary|wage|income|be paid', 'salary|wage|income|compensation'],
  date: ['when|(what|which) (day|date|time|hour|month|week|season)|due|deadline|urgent|hurry|soon|today|tomorrow|tonight|weekend|leave|ready|morning|evening|afternoon|date|calendar|start|begin|arriv~|depart~|next (week|month|year)|already booked|scheduled', 'date|deadline|time of|season|departure|timeline|schedule|day|when|by when|start'],
  span: ['how long|how many (minute|hour|day|week|month)~|minutes?|hours?|spare|take up|take long|in a hurry|stay|quick~|weeks?|months?|days?|fast|time (do|can|have|will) you|time is', 'duration|time constraints?|time commitment|time availab~|time frame|timeline|stay|how long|how much time|availability|hours|minutes|quick|pace|length of'],
  recency: ['how (new|recent|far back|old)|back|published|since|this year|century|era|decade|past', 'time ?frame|timeframe|recent~|latest|period|era|historical|release|time period'],
  frequency: ['how often|every (hour|day|night|week|month)|daily|weekly|hourly|times a|days a week|a week|how many times|once|twice|regularly|per (day|week|month)|each (day|week|month)', 'frequency|how often|interval|schedule|per week|regular~|commitment|routine'],
  people: ['how many (people|guests?|persons?|of you|mouths|adults|kids|come|will|are)|for how many|alone|company|(people|friends) (come|coming|join)|with (friends|children|family|whom)|who comes|with whom|group|persons?|solo|couple|partner|friends|party of|joining', 'number of (people|guests|servings|travel~|participants|attendees|players)|group size|servings|household|guests|party size|how many people|group|solo|companions?|attend~'],
  count: ['how many|how much|how long .*list|number', 'number|quantity|how many|amount|count|sample'],
  age: ['how old|ages?|teen~|grown.?ups?|adults?|toddlers?|school year|grade|year are|young people|kids?|children|year.olds?|elderly|seniors|baby|born|young', 'age|grade|children|adult|youth'],
  place: ['where|(what|which) (city|town|country|part|region|place|area|borough|street|state|side)|live|downtown|suburbs?|inside|outdoors?|indoors?|at whose|in the park|set in|world|near|nearby|area|region|country|abroad|remote|at home|town|based|located|which room|in person', 'location|city|region|area|country|place|venue|destination|neighbo~|where|geograph~|zip|local|site|online|room|remote'],
  level: ['new to|beginner|novice|experienc~|how good|ever|before|done some|already know|do you know|know about|how (fit|sporty|senior|skilled|well)|years|handy|expert|first time|yourself|good (with|at)|have you (done|been|used|written|repaired|worked)|trainee|lead|used to|comfortable|confident|advanced|skills?|practi[cs]ed?|familiar|rookie|newbie|from scratch|knowledge|trained|background|heard of', 'level|experience|skill~|knowledge|expertise|proficien~|familiar~|background|understanding|seniority|beginner|fitness level|comfort'],
  purpose: ['why|what for|for what|purpose|goal|aim|reason|use (it|them|this) for|want it for|want to|achieve|success|hobby|career|do with|planning to|is it (for|to)|afterwards|will you (use|sell)|thinking of|hop(e|ing)|motivat~|intend|plan to|for fun|professional|exam|because|gain|outcomes?|results?|point of|trying to', 'purpose|goals?|objective|intended use|use case|reason|motivation|context|outcome|aim|desired|hope'],
  audience: ['who (will|is|are|has).*(read|see|watch|listen|hear|use)|for whom|readers?|listeners?|customers?|reach|who will|going to (read|see|listen)|aimed|students?|experts?|colleagues?|clients?|public|people who|for kids', 'audience|readers?|recipients?|target|demographic|intended for|who|clients?|customers?'],
  medium: ['read|watch|listen|books?|videos?|clips|films?|games?|printed|sheets?|explain|doing|seeing|learn|podcasts?|articles?|lessons?|courses?|tutors?|class(es)?|in person|practical|hands.on|theory|visual', 'learning (style|method|format|preference)|resources?|format|medium|materials?|method|learn~|course|type of (content|guide|tutorial)'],
  format: ['pdf|csv|json|excel|word|table|text|file|format|printed|paper|spreadsheet|slides|document|layout', 'format~|output|file type|document type|layout|extension|export'],
  delivery: ['mail|send|download|put it in|folder|get it|deliver~', 'receiv~|deliver~|send|method of'],
  diet: ['eat|vegan|vegetarian|meat|gluten|lactose|milk|nuts|intoleran~|food|dish(es)?|diet|stay out|allergic|vegetables?|fish|sugar|carbs?|protein|meals?|ingredients?|kosher|halal|plant.based', 'diet~|food|ingredients?|cuisine|nutrition~|allerg~|meals?|nutritional'],
  allergy: ['allerg~|intoleran~|ill|peanuts?|nuts|cannot eat|gluten', 'allerg~|dietary restrictions?|intoleran~'],
  cuisine: ['italian|mexican|chinese|thai|indian|curry|pasta|dish(es)?|cuisine|taste|flavou?r|spicy|love or hate', 'cuisine|food preferences?|flavou?r|dish|taste|ingredients'],
  look: ['style|looks?|modern|classic|retro|vintage|design|theme|motto|colou?rs?|dress|wear|decorat~|simple|clean|elegant|bright|dark|colou?rful|minimal~|trendy|fancy|pattern|bold|plain|appear~', 'style|theme|design|aesthetic|look|decor~|colou?rs?|dress code|appearance|fashion|visual|layout|outfit'],
  tone: ['sound|tone|funny|serious|formal|casual|voice|polite|relaxed', 'tone|style|mood|voice|formality'],
  length: ['how many (pages|words|lines|slides)|how long should|length|pages|short|few lines|long should', 'length|word count|number of (words|pages|slides)|size of the (document|report)'],
  depth: ['how deep|depth|details?|overview|summary|everything|brief|exact|thorough|enough|go through|high.level|few lines|many pages|detailed|thorough|basics?|in.depth|bullet|step by step|how much detail', 'depth|level of detail|detail~|scope|comprehensive|extent|complexity|basic'],
  topic: ['about|topic|deal with|subject|cover|focus|aspect|care about|which (part|area|numbers|subjects)|struggle with|interest~|part of|side of|field|branch|areas?|concentrate|learn about|genre|which kinds?|what kind', 'topics?|aspects?|areas?|focus|subject|specific (area|topic|field)|field|interest~|content|genre|category|sections?|theme'],
  system: ['macs?|windows|linux|pc|android|iphone|operating|ubuntu|server|ios', 'operating system|device|platform|computer|system|phone|environment|os'],
  device: ['phone|computer|laptop|tablet|device|machine|screen|mobile', 'device|phone|computer|hardware|console|platform'],
  tool: ['do you (use|code|work with|type)|tool|program|app|library|framework|stack|software|terminal|click|site|with (brew|sklearn)|programs?|editor|package|platform|service|account|install~', 'tools?|software|librar~|framework|platform|apps?|programming language|technolog~|shell|method|interface|service|provider|version'],
  source: ['(read|take|get|gather|come|comes|taken) .*from|which (website|site|source|exchange)|whose|come from|opinions|based on|trust|journals?|newspapers?|which sites', 'source|website|platform|database|provider|data|sources?|reliable|publication'],
  storage: ['put it|stor~|sav(e|ed)|kept|keep|folder|disk|cloud|drive|copies go|find it|server|on the web|online', 'storage|location of the|destination|save|path|where|source of'],
  brand: ['brand|make|model|manufacturer|names?|samsung|apple|sony|bose|canon|nikon|philips|toyota|vehicle|car', 'brand|make|model|manufacturer|type of'],
  gear: ['do you (own|have) (a|an|any|dumb)|toolbox|gear|equipment|wrench|hammer|drill|dumbbells|own already|at hand|materials', 'equipment|tools?|available|materials|supplies|existing|on hand'],
  health: ['injur~|pain|hurt|doctor|health|ill|medic~|sick|fit|knees?|heart|limits?|physically|pregnant', 'health|injur~|medical|limitations?|condition|physical|restrictions?|sensitiv~'],
  transport: ['drive|fly|train|car|bus|bike|get there|travel by|by plane|on foot', 'transport~|mode of|travel|vehicle|commute'],
  lodging: ['hotel|hostel|sleep|tent|night|accommodation|stay at', 'accommodation|lodging|hotel|stay'],
  size: ['how (big|large|tall|wide|high)|size|rooms?|space|square|bowl|measure~|small|large|big|inches|feet|width|height|capacity|bedrooms|how much (space|room)', 'size|dimensions?|space|bedrooms?|area|square|measurements?|capacity|width|height|volume'],
  material: ['leather|wood~|plastic|fabric|metal|made of|material|synthetic', 'material|fabric|type of (oil|wood)|texture'],
  trouble: ['what (strange|happens)|wrong|symptom|stuck|struggle|trouble|problems?|where does|come out|drip|slow|puzzle|happen~|errors?|issues?|notice~|broken|leaks?|noise|fail~|difficult~|hardest|worr~|bother~', 'symptoms?|nature|problem|issue|challenge|error|leak|difficult~|concern~|noise|cause|obstacle|weakness'],
  tried: ['so far|did not (help|work)|tried|done about|methods|until now|attempt', 'previous~|tried|past|attempt|already|current'],
  existing: ['already|running on|own|do you have|now|today|have you got|currently|at the moment|installed|set up|in place', 'existing|current|already|status|installed|setup|available'],
  risk: ['risk|lose|lost|losing|safe|careful|cautious|sleep at night|gambl~', 'risk|safety|security|tolerance'],
  criterion: ['how (shall|should|do|would) (i|we|you) (decide|choose|measure|rank|judge|tell|know)|criteri~|what counts|which ones count|count as|would make|what sells|best|matters? most|important to you|priorit~|define|mean by|what does|how do you measure', 'criteri~|definition|what .*mean|consider as|define|priorit~|factors?|metrics?'],
  language: ['english|spanish|french|mandarin|german|chinese|language|speak|tongue', 'language'],
  secrecy: ['password|encrypt~|private|secret|zipped|locked|strangers|names', 'security|privacy|encrypt~|special requirements|confidential~'],
  job: ['living|job|work at|employed|firm|company|companies|sector|business|sell|industry|banks?|hospitals?|shop|profession|office|career|employer|role|work as|do you work', 'industry|work|employment|compan~|job|profession|occupation|business|sector|career|position|role|title|field'],
  contract: ['permanent|freelancer?|full.?time|part.?time|contract|run your own|self.employed', 'employment|full-time|contract|work situation|part-time'],
  family: ['children|parents|married|look after|family|live alone|kids', 'family|household|commitments?|personal life|responsibilit~|marital'],
  liking: ['love|enjoy~|hobb~|like to do|fond|prefer|favou?rite|spare time|like (football|painting)|favou?rites?|into|keen|passion~|dislike|hate|avoid|crazy about', 'interests?|hobb~|activit~|preferences?|favou?rite|likes|dislikes?|avoid|enjoy'],
  exception: ['what if|what shall i do with|twice|same (title|name)|empty|missing|fails?|goes wrong', 'handling|duplicates?|missing|conflicts?|error|exception|fallback|contingency'],
  order: ['order|sort~|shuffled?|one after|arrange~|rank', 'order|sort~|sequence|arrangement|priorit~'],
  extra: ['put in|include|should there be|beside|as well|furniture|garden|add|with \\\\w+ and|left out|leave out|something that must|need to have|must.haves?|should it have|special|features?|extras?|equipped|come with', 'includ~|inclusion|additional|features?|elements?|amenit~|extra|special|needs|filter~|specific requirements|requirements|metadata|stops|specifications?|functionalit~|components?|preferences for'],
  proof: ['diploma|certificate|certified|degree|at the end', 'certificat~|accredit~|credential'],
  weather: ['hot|cold|weather|rain~|climate|sun~|winter|summer', 'climate|weather|season|temperature'],
  occasion: ['occasion|wedding|birthday|party|event|celebrat~|invitation', 'occasion|event|type of (formal )?event|celebration|party'],
  writer: ['writers?|authors?|artists?|bands?|whose work', 'author|artist|writer|director|favou?rite'],
  extent: ['all of them|every (one|field)|everything|only (those|the|what|mend)|all or|just a few|some of', 'scope|coverage|filters?|conditions?|all |columns|type of backup|extent|sample|style'],
  edit: ['rewrite|mend|change|converted|scaled|correct', 'editing|process~|transform~|modif~|revision'],
}

export const ASPECTS: readonly Aspect[] = Object.values(ROWS).map(([asked, described]) => ({
  asked: anyOf(asked),
  described: anyOf(described),
}))

function anyOf(words: string): RegExp {
  return new RegExp(`\\b(?:${words.replaceAll('~', '\\w*')})\\b`)
}
