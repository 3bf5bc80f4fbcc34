import { z } from 'zod'
import { QUESTIONS } from '../../src/app/ask/questions.js'
import { type Exposed, exposedAs, openApi } from '../../src/app/server/exposed.js'
import { type Page, table } from './page.js'

/** docs/openapi.json and docs/api.md: what can be asked over HTTP, from the schemas of the questions themselves. */
export const openApiPage: Page = {
  path: 'docs/openapi.json',
  write: async () => `${JSON.stringify(await openApi(), null, 1)}\n`,
}

export const apiPage: Page = {
  path: 'docs/api.md',
  write: async () => {
    const rows = await Promise.all(
      Object.entries(QUESTIONS).flatMap(([name, load]) => {
        const exposed = exposedAs(name)
        return exposed === undefined ? [] : [rowOf(name, load, exposed)]
      }),
    )
    return `${HEAD}\n\n${table(['question', 'right', 'members of the request'], rows)}\n\n${TAIL}\n`
  },
}

async function rowOf(
  name: string,
  load: () => Promise<{ readonly request: z.ZodType }>,
  { right, withheld = [] }: Exposed,
): Promise<readonly string[]> {
  const { properties = {}, required = [] } = z.toJSONSchema((await load()).request, { io: 'input' })
  const members = Object.keys(properties).filter(member => !withheld.includes(member))
  const shown = members.map(member => (required.includes(member) ? `**\`${member}\`**` : `\`${member}\``))
  return [`\`${name}\``, right, shown.join(', ')]
}

const HEAD = `<!-- Made by npm run docs of src/app/ask and src/app/server/exposed.ts. -->

# The API of \`klens serve\`

The dashboard asks nothing that a program could not ask: the same questions and answers as \`--json\` on the command line
([openapi.json](openapi.json) has every schema).

\`\`\`
curl -s localhost:7117/api/run-table?most=10
curl -s localhost:7117/api/compare -H 'content-type: application/json' -d '{"sides": ["no-kl", "kl"], "margin": "5%"}'
\`\`\`

\`POST /api/QUESTION\` takes the request as a JSON object. A question that changes nothing can also be asked by \`GET\`, with its members
in the address; a list is a member that stands there several times. NaN and the infinities are the strings \`"NaN"\`, \`"Infinity"\`,
\`"-Infinity"\`. What stands in the way comes as \`{"error": {"code", "message"}}\` with a sentence for people, in the language of the
member \`lang\` (\`en\`, \`zh\`) or of the header \`Accept-Language\`. Required members are bold.`

const TAIL = `A run is named by id, start of an id, name or pattern, never by a path: members that name files, folders or other servers are refused.

## Beside the questions
| | |
|---|---|
| \`GET /api/events\` | server-sent events: \`hello\` (which server this is), \`runs\` (\`{changed, removed, total}\`), \`jobs\` (a job that changed) |
| \`GET /api/jobs\`, \`DELETE /api/jobs/ID\` | trainings and studies of this server, each in a process of its own: what they told last; stop one |
| \`POST /api/upload?name=FILE\` | a log as the body, 64 MB at most; kept in the workspace and imported; the answer is that of \`klens import --json\` |
| \`POST /api/push/RUN/plan\`, \`PUT /api/push/RUN/HASH?from=N\`, \`POST /api/push/RUN/commit\` | what \`klens import --to\` uses: which files of a run are missing, pieces of them, and the run as a whole once every hash fits |
| \`GET /api/session\`, \`POST /api/session\`, \`DELETE /api/session\` | what the asker may do (\`read\`, \`write\`); \`{"token": …}\` opens a session, whose name is answered and shown as a token is; ends the session that is shown, or all that the token that is shown has opened |
| \`GET /api/openapi.json\` | this, for programs |
| \`POST /mcp\`, \`POST /mcp/write\` | the same questions for [assistants](assistants.md), read-only or not; behind the same guard |

## What a page can start, and read
\`train\`, \`study-begin\` and \`study-start\` begin jobs and answer with their id. \`study-start\` goes on with a study by its name: what is run is the design as it was
frozen, never a file as it is now. A study of programs is started only if a person has said yes to these very commands on the command line (\`klens study run --trust\`), in this
workspace; neither a study file nor that yes can be given over HTTP. \`study-halt\` asks the process that works on the study on this machine to stop as Ctrl-C does, and ends
what was handed over to an executor.

\`origin\` leads from a point of a run to the line, record or row of the log that it was read from. The log is read again by the reader that read it, and only
if it is still the registered file of that run: no link in its place, its beginning and end as they were, and with that very number at that step. Answered are the number's place,
the line itself and three around it, 600 letters of each at most, as text; nothing else of the file. Beyond loopback that is so only for files inside the
workspace (uploads, \`klens log\`); of all others the store's own facts are told, without file and lines.

## Who may ask
On loopback (the default) programs and pages of this machine may ask everything. A \`Host\` that is not this machine and pages of other
origins are refused, so that neither a rebound name nor a foreign page gets in. With \`--host\` beyond loopback, a token is needed: one to
read, one to write, from \`KLENS_READ_TOKEN\` and \`KLENS_WRITE_TOKEN\` or generated at each start, as \`Authorization: Bearer …\`. Several people get
tokens of their own as \`KLENS_WRITE_TOKEN=alice=…,bob=…\`, or by a file (\`--tokens FILE\`, below). Tokens are never part of an address that is sent.

A page shows its token once and gets a **session**: a random name, good at this server until it stops, for 12 hours after the page was last open and for seven days at most. It is kept in the
page's own storage and sent as a header. There is no cookie, because cookies go to every port of a host and so to whatever else runs there. *Sign out* ends it; \`DELETE /api/session\` with the token ends
all that this token has opened. With \`--tokens FILE\` a line that is taken out of the file ends that person's token and sessions within a second or two, without a restart, and what they were listening to is cut off:

\`\`\`
# chmod 600; looked at again every second. Also needed on this machine itself, where other people may work.
write alice=TOKEN
read bob=TOKEN
\`\`\`

An address may show ten wrong tokens, then one every ten seconds; until then its tokens are not looked at (429). Sessions and tokens of 24 letters or more, which cannot be guessed, are not held up by what others at the same
address try. Where a thousand connections are open, 250 from one address, the one that has been silent longest makes way. Beyond loopback, and with \`--tokens\`, answers name files without their folders.
TLS is left to a proxy: without one, anybody who can read the network can read the token.

Whatever changes the workspace is noted in its \`trail.jsonl\`: when, by whose token, from where, what. Bodies, waiting questions and connections have limits.`
