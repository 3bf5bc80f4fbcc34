import type { ServerProblem } from './api.js'
import { hrefOf, type PageName } from './location.js'
import { Link, ProblemBox } from './parts.js'
import { useSay } from './words.js'

/** In place of a page about one thing that cannot be shown: what was asked for, why not, and where the others are. */
export function NotThere({
  title,
  problem,
  page,
}: {
  readonly title: string
  readonly problem: ServerProblem
  /** Lists what there is. */
  readonly page: PageName
}) {
  const say = useSay()
  return (
    <>
      <p className="crumbs">
        <Link href={hrefOf(page)}>{say(`web.nav.${page}`, {})}</Link>
      </p>
      <h1>{title}</h1>
      <ProblemBox problem={problem} />
    </>
  )
}
